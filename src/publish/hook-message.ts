import type { FailOn } from '../config.js';
import { atLeast, type Finding } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { count } from './count.js';
import { paint } from './paint.js';
import { summaryLine } from './summary-line.js';
import { type TextOptions, toText } from './to-text.js';

export interface HookWish extends TextOptions {
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
export function hookMessage(outcome: Outcome, wish: HookWish): HookMessage {
  const { failOn } = wish;
  const grave = outcome.findings.filter(finding => isGrave(finding, failOn));
  if (grave.length > 0) {
    const blocking = [toText(outcome, wish), ...waysOn(grave, wish)].join('\n');
    return { text: `${blocking}\n`, blocks: true };
  }
  if (outcome.findings.length > 0) {
    const brief = toText(outcome, { ...wish, isQuiet: true });
    return { text: `${brief}${later(outcome, wish)}`, blocks: false };
  }
  const { outOfTime, refused, failed } = outcome.ledger;
  const isCut = outOfTime + refused + failed > 0;
  if (wish.elapsedMs < SILENT_MS && !isCut) return { text: '', blocks: false };
  return { text: `apfel-bot: ${summaryLine(outcome)}\n${later(outcome, wish)}`, blocks: false };
}

export const isGrave = ({ severity }: Finding, failOn: FailOn): boolean =>
  failOn !== 'never' && atLeast(severity, failOn);

function waysOn(grave: readonly Finding[], { color }: HookWish): string[] {
  const { bold } = paint(color);
  const what = grave.length === 1 ? 'the finding' : 'the findings';
  return [
    bold(`apfel-bot stopped this commit: ${count(grave.length, 'finding')} to settle.`),
    `  mend ${what}, stage the files, try again with:  apfel-bot review --staged`,
    '  keep the code as it is with an ignore line as shown above, and a reason',
    '  or commit without asking:  git commit --no-verify',
  ];
}

const later = ({ ledger }: Outcome, { goesOnLater }: HookWish): string =>
  ledger.outOfTime > 0 && goesOnLater
    ? 'apfel-bot: the rest is looked at in the background; see it with: apfel-bot show\n'
    : '';
