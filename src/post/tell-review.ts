import type { ReviewReport } from './post-review.js';

/** What was done, in one line for people. */
export function tellReview(report: ReviewReport, url: string, isDryRun: boolean): string {
  const { posted, removed, deleted, summary } = report;
  if (summary === 'overtaken') {
    return `nothing posted: a later run on the same commit has its say at ${url}`;
  }
  const comments = posted === 1 ? '1 comment' : `${posted} comments`;
  const kept = deleted === 0 ? '' : `, ${deleted} deleted by hand and not repeated`;
  const done = `${comments} posted, ${removed} removed${kept}, summary ${summary}: ${url}`;
  return isDryRun ? `nothing written; it would be: ${done}` : done;
}
