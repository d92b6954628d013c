import { count } from '../core/count.js';
import { type FailOn, type Finding, isFailing } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { asRun } from '../platform/own-command.js';
import { forTerminal } from '../platform/safe-text.js';
import { wrapLines } from '../platform/terminal.js';
import { paint } from '../report/style.js';
import { STATE_WORDS, summaryLine } from '../report/summary-line.js';
import { type TextOptions, toText } from '../report/text.js';

export interface HookMessageOptions extends TextOptions {
  readonly failOn: FailOn;
}

/** What pre-commit prints: why the commit is blocked and what to do, or as little as possible. */
export function hookMessage(
  outcome: Outcome,
  options: HookMessageOptions,
): { readonly text: string; readonly blocks: boolean } {
  const blocking = outcome.findings.filter(finding => isFailing(finding, options.failOn));
  if (blocking.length > 0) {
    const text = [toText(outcome, options), ...nextSteps(blocking, options)].join('\n');
    return { text: `${text}\n`, blocks: true };
  }
  const { total, outOfTime, refused, failed } = outcome.ledger;
  // Not that it will be reviewed in the background: the commit may not be made.
  const late = outOfTime === 0 ? '' : `${count(outOfTime, 'hunk')} out of time`;
  if (outcome.findings.length > 0) {
    const brief = toText(outcome, { ...options, isQuiet: true });
    return { text: late === '' ? brief : `${brief}apfel-bot: ${late}\n`, blocks: false };
  }
  if (outcome.complete) return { text: '', blocks: false };
  const states = (['refused', 'failed', 'outOfTime'] as const)
    .filter(state => outcome.ledger[state] > 0)
    .map(state => `${outcome.ledger[state]} ${STATE_WORDS[state]}`);
  const line =
    refused + failed > 0
      ? `incomplete: of ${count(total, 'hunk')}, ${states.join(', ')}; ${asRun('see: apfel-bot show')}`
      : late || (withoutModel(outcome) ?? summaryLine(outcome));
  return { text: `apfel-bot: ${line}\n`, blocks: false };
}

function nextSteps(blocking: readonly Finding[], { color, columns }: HookMessageOptions): string[] {
  const isSecret = blocking.some(({ rule }) => /^(?:secret\/|private-file$)/.test(rule));
  return [
    paint(color).bold(
      `apfel-bot blocked this commit: ${count(blocking.length, 'finding')} to fix.`,
    ),
    ...[
      asRun('  fix and stage, then check again:  apfel-bot review --staged'),
      isSecret
        ? '  or if it gives access to nothing: silence the rule as shown above'
        : '  or keep the code: silence the rule as shown above',
      '  or skip the hooks this once:  git commit --no-verify',
    ].map(line => wrapLines(line, columns)),
  ];
}

/** For a change whose review would be complete if there were a model. */
const withoutModel = ({ model }: Outcome): string | undefined =>
  model.available
    ? undefined
    : `checks only, no model: ${forTerminal(model.reason ?? 'it could not be reached')}`;
