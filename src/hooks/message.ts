import type { FailOn } from '../config/config.js';
import { atLeast, type Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { count, paint } from '../report/style.js';
import { summaryLine } from '../report/summary-line.js';
import { type TextOptions, toText } from '../report/text.js';

export interface HookMessageOptions extends TextOptions {
  readonly failOn: FailOn;
  /** From the start of the hook to now. */
  readonly elapsedMs: number;
  /** Whether what the deadline cut off is done later. */
  readonly goesOnLater: boolean;
}

export interface HookMessage {
  readonly text: string;
  readonly blocks: boolean;
}

/** Work that is done before this needs no words. */
const SILENT_MS = 1000;

/** What the user hears before a commit: why it is stopped and how to go on, or as little as can be. */
export function hookMessage(outcome: Outcome, options: HookMessageOptions): HookMessage {
  const { failOn } = options;
  const grave = outcome.findings.filter(finding => isGrave(finding, failOn));
  if (grave.length > 0) {
    const blocking = [toText(outcome, options), ...waysOn(grave, options)].join('\n');
    return { text: `${blocking}\n`, blocks: true };
  }
  if (outcome.findings.length > 0) {
    const brief = toText(outcome, { ...options, isQuiet: true });
    return { text: `${brief}${later(outcome, options)}`, blocks: false };
  }
  const { outOfTime, refused, failed } = outcome.ledger;
  const isCut = outOfTime + refused + failed > 0;
  if (options.elapsedMs < SILENT_MS && !isCut) return { text: '', blocks: false };
  return { text: `apfel-bot: ${summaryLine(outcome)}\n${later(outcome, options)}`, blocks: false };
}

export const isGrave = ({ severity }: Finding, failOn: FailOn): boolean =>
  failOn !== 'never' && atLeast(severity, failOn);

function waysOn(grave: readonly Finding[], { color }: HookMessageOptions): string[] {
  const { bold } = paint(color);
  const what = grave.length === 1 ? 'the finding' : 'the findings';
  return [
    bold(`apfel-bot stopped this commit: ${count(grave.length, 'finding')} to settle.`),
    `  mend ${what}, stage the files, try again with:  apfel-bot review --staged`,
    '  keep the code as it is with an ignore line as shown above, and a reason',
    '  or commit without asking:  git commit --no-verify',
  ];
}

const later = ({ ledger }: Outcome, { goesOnLater }: HookMessageOptions): string =>
  ledger.outOfTime > 0 && goesOnLater
    ? 'apfel-bot: the rest is looked at in the background; see it with: apfel-bot show\n'
    : '';
