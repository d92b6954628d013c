import sax from 'sax';
import type { Severity } from '../../core/finding.js';
import { firstLine, notThere, placeFromText } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** Checkstyle's XML, which many other tools write too. */
export function parseCheckstyle(output: string): RawReport {
  if (output.trim() === '') {
    return noReport('checkstyle', 'printed nothing instead of a checkstyle report');
  }
  // A wrapper may print something before and after the document.
  const start = output.search(/<(?:\?xml|checkstyle)\b/);
  if (start === -1) return noReport('checkstyle', notThere(output, 'checkstyle'));
  const rawDiagnostics: RawDiagnostic[] = [];
  let file: string | undefined;
  let isCheckstyle = false;
  // It doesn't expand entities of the document or fetch anything.
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    const fields = new Map(Object.entries(attributes).map(([key, value]) => [key, String(value)]));
    isCheckstyle ||= name === 'checkstyle';
    if (name === 'file') file = fields.get('name');
    if (name === 'error') rawDiagnostics.push(rawDiagnostic(file, fields));
  };
  let problem: string | undefined;
  parser.onerror = ({ message }) => {
    // An unexpanded entity is no reason to drop the report.
    if (!/entity/i.test(message)) problem ??= firstLine(message);
    parser.resume();
  };
  parser.write(output.slice(start, output.lastIndexOf('>') + 1)).close();
  if (problem !== undefined) {
    return noReport('checkstyle', `the checkstyle report is damaged: ${problem}`);
  }
  if (!isCheckstyle) return noReport('checkstyle', 'the XML report has no <checkstyle> element');
  return rawReport('checkstyle', 'utf16', { rawDiagnostics });
}

const rawDiagnostic = (
  file: string | undefined,
  attributes: ReadonlyMap<string, string>,
): RawDiagnostic => ({
  file,
  rule: attributes.get('source') || null,
  severity: severityOf(attributes.get('severity')),
  message: attributes.get('message') ?? '',
  line: placeFromText(attributes.get('line')),
  column: placeFromText(attributes.get('column')),
});

/** Checkstyle treats a missing severity as an error. */
function severityOf(value: string | undefined): Severity {
  if (value === 'warning') return 'warning';
  return value === 'info' || value === 'ignore' ? 'info' : 'error';
}
