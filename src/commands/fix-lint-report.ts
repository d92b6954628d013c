import { nodeClock } from '../adapters/node-clock.js';
import { nodeFiles } from '../adapters/node-files.js';
import { publish } from '../publish/publish.js';
import { fixMarkdown, fixText } from '../publish/to-fix.js';
import type { FixOutcome } from '../publish/to-fix-outcome.js';
import type { WorkOptions } from '../trigger/work-options.js';
import type { CommandEnd, Desk } from './desk.js';

interface Reporting {
  readonly diff: string;
  readonly options: WorkOptions;
  readonly desk: Desk;
  readonly isDryRun: boolean;
}

/** What to print, and how to end: any diagnostic that is left gives exit 1. */
export async function fixReport(outcome: FixOutcome, reporting: Reporting): Promise<CommandEnd> {
  const { diff, options, desk, isDryRun } = reporting;
  const { color, columns, version } = desk;
  const isPlain = options.format === 'text' || options.format === 'markdown';
  const wish = {
    ...options,
    failOn: options.failOn === 'never' ? ('never' as const) : ('info' as const),
    color,
    columns,
    version,
  };
  const { text, ending, failure } = await publish(outcome, wish, {
    files: nodeFiles,
    clock: nodeClock,
  });
  if (!isPlain) return { text, ending, failure };
  const words =
    options.format === 'text'
      ? fixText(outcome, { color: color && !isDryRun })
      : fixMarkdown(outcome);
  if (!isDryRun) return { text: words, ending, failure };
  // The diff is the result, so that it can be piped; what there is to say goes beside it.
  desk.say(words.trimEnd());
  return { text: diff, ending, failure };
}
