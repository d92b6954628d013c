import type { ReviewReport } from './post-review.js';

/** What was done, in one line for people. */
export function tellReview(report: ReviewReport, url: string, isDryRun: boolean): string {
  const { posted, removed, summary } = report;
  if (summary === 'overtaken') {
    return `nothing posted: a later run on the same commit has its say at ${url}`;
  }
  const comments = posted === 1 ? '1 comment' : `${posted} comments`;
  const done = `${comments} posted, ${removed} removed, summary ${summary}: ${url}`;
  return isDryRun ? `nothing written; it would be: ${done}` : done;
}
