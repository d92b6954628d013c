import { notThere, placeFromText, withoutColour } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** `file:line[:column] [error|warning] MD001/name text [Context: "…"]` */
const LINE =
  /^([^\s:][^:]{0,2000}):(\d{1,9})(?::(\d{1,9}))? (?:(error|warning) )?([A-Za-z][\w-]{0,60})(?:\/[\w/-]{1,200})? (.*)$/;
const PROGRESS = /^(markdownlint-cli2 v|Finding: |Linting: |Summary: |Usage|https:)/;

/**
 * What both programs called markdownlint print: markdownlint-cli2 has no JSON unless the project's
 * configuration asks for it.
 */
export function parseMarkdownlint(text: string): RawReport {
  const lines = withoutColour(text)
    .split(/\r?\n/)
    .filter(line => line.trim() !== '');
  const rawDiagnostics = lines.flatMap(line => readLine(line) ?? []);
  const [other] = lines.filter(line => !PROGRESS.test(line));
  if (rawDiagnostics.length === 0 && other !== undefined) {
    return noReport('markdownlint', notThere(other, 'markdownlint'));
  }
  return rawReport('markdownlint', 'utf16', { rawDiagnostics });
}

function readLine(line: string): RawDiagnostic | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, file, row, column, severity, rule = null, message = ''] = match;
  return {
    file,
    rule,
    severity: severity === 'warning' ? 'warning' : 'error',
    message: withoutContext(message),
    line: placeFromText(row),
    column: placeFromText(column),
  };
}

/** The context quotes the line, so every edit of the line would change the diagnostic. */
function withoutContext(message: string): string {
  const at = message.lastIndexOf(' [Context: ');
  return at === -1 ? message : message.slice(0, at);
}
