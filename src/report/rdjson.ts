import type { Finding, Severity } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { pathToBytes } from '../core/path-bytes.js';
import { forRelay } from '../platform/safe-markdown.js';
import { reveal, wellFormed } from '../platform/safe-text.js';
import { jsonText } from './json.js';
import { rulePage } from './sarif.js';
import { orderFindings, worstOf } from './style.js';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  info: 'INFO',
};

interface Position {
  readonly line: number;
  readonly column?: number;
}

/** reviewdog's diagnostic format, with which it posts to other forges. */
export function toRdjson(outcome: Outcome): string {
  const worst = worstOf(outcome.findings);
  return jsonText({
    source: { name: 'apfel-bot' },
    ...(worst && { severity: LEVELS[worst] }),
    diagnostics: orderFindings(outcome.findings).map(diagnostic),
  });
}

function diagnostic(finding: Finding): object {
  const { suggestion } = finding;
  const page = rulePage(finding.rule);
  return {
    message: forRelay(finding.message),
    location: {
      path: wellFormed(finding.path),
      ...(finding.side === 'new' && { range: rangeOf(finding) }),
    },
    severity: LEVELS[finding.severity],
    code: {
      value: reveal(finding.rule),
      ...(page !== undefined && { url: page }),
    },
    ...(suggestion && {
      suggestions: [
        {
          range: { start: { line: suggestion.startLine }, end: { line: suggestion.endLine } },
          text: wellFormed(suggestion.text),
        },
      ],
    }),
  };
}

/** Without columns whole lines are meant, so both ends have a column or neither has. */
function rangeOf(finding: Finding): { start: Position; end: Position } {
  const { line, endLine, column, endColumn, evidence } = finding;
  const whole = { start: { line }, end: { line: endLine } };
  if (column === undefined || endColumn === undefined || evidence === undefined) return whole;
  const lines = evidence.split('\n');
  const first = lines[0];
  const last = lines[endLine - line];
  if (first === undefined || last === undefined) return whole;
  return {
    start: { line, column: byteColumn(first, column) },
    end: { line: endLine, column: byteColumn(last, endColumn) },
  };
}

/** From 1-based UTF-16 units to 1-based UTF-8 bytes. */
const byteColumn = (text: string, column: number): number =>
  pathToBytes(text.slice(0, column - 1)).length + 1;
