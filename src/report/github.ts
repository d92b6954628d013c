import { count } from '../core/count.js';
import type { Finding, Severity } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import {
  forTerminal,
  forWorkflowData,
  forWorkflowProperty,
  guardLineStart,
} from '../platform/safe-text.js';
import { isFix, linterRows } from './fix.js';
import { orderFindings } from './style.js';
import { factLine, listFacts, summaryLine } from './summary-line.js';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** GitHub shows this many annotations of each type per step and drops the rest. */
const MAX_SHOWN = 10;

/** Workflow commands, which GitHub turns into annotations on the changed lines. */
export function toGithub(outcome: Outcome): string {
  const findings = orderFindings(outcome.findings);
  const important = findings.filter(finding => finding.severity !== 'info').map(annotation);
  const infos = findings.filter(finding => finding.severity === 'info').map(annotation);
  const summary = `::notice title=apfel-bot::${forWorkflowData(summaryLine(outcome))}`;
  // The summary is a notice too, and must not be the eleventh.
  const commands =
    infos.length < MAX_SHOWN
      ? [...important, ...infos, summary]
      : [...important, summary, ...infos];
  const facts = listFacts(outcome).flatMap(fact => {
    const { text, items } = factLine(fact, false);
    return [`${fact.label}: ${text}`, ...items.map(item => `  ${item}`)].map(forTerminal);
  });
  const linters = isFix(outcome) ? linterRows(outcome).map(forTerminal) : [];
  const plain = [...linters, ...facts, totals(findings)].map(line => guardLineStart(line));
  return `${[...commands, ...plain].join('\n')}\n`;
}

function annotation(finding: Finding): string {
  const properties: [string, string | number | undefined][] = [
    ['file', finding.path],
    // Removed lines can't be annotated.
    ...(finding.side === 'new' ? position(finding) : []),
    ['title', `apfel-bot: ${finding.rule}`],
  ];
  const list = properties
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${forWorkflowProperty(String(value))}`)
    .join(',');
  return `::${COMMANDS[finding.severity]} ${list}::${forWorkflowData(finding.message)}`;
}

function position(finding: Finding): [string, number | undefined][] {
  const { line, endLine, column, endColumn } = finding;
  const lines: [string, number][] = [
    ['line', line],
    ['endLine', endLine],
  ];
  // GitHub accepts columns only within one line, and its last column is inclusive.
  if (line !== endLine || column === undefined) return lines;
  const end = endColumn === undefined ? undefined : Math.max(column, endColumn - 1);
  return [...lines, ['col', column], ['endColumn', end]];
}

function totals(findings: readonly Finding[]): string {
  const amounts = (['error', 'warning', 'info'] as const).map(severity => ({
    command: COMMANDS[severity],
    amount: findings.filter(finding => finding.severity === severity).length,
  }));
  const found = amounts.filter(({ amount }) => amount > 0);
  const words = found.map(({ command, amount }) => count(amount, command)).join(', ');
  const isCut = amounts.some(({ amount }) => amount > MAX_SHOWN);
  const limit = `; GitHub shows at most ${MAX_SHOWN} of each in one step, this log has them all`;
  return `apfel-bot found ${words || 'nothing'}${isCut ? limit : ''}`;
}
