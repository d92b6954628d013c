import { readJson } from './read-json.js';
import { noReport, type RawReport, type ReportFormat, type ReportParser } from './report.js';

/**
 * A parser of reports that are one JSON document. `read` makes something of the document, or says
 * what is wrong with it, as the rest of a sentence that begins with the report.
 */
export const jsonReport =
  (
    { tool, format }: { readonly tool: string; readonly format: ReportFormat },
    read: (value: unknown) => RawReport | string,
  ): ReportParser =>
  text => {
    const reading = readJson(text, format);
    if (!reading.ok) return noReport(tool, reading.problem);
    const report = read(reading.value);
    return typeof report === 'string' ? noReport(tool, `the ${format} report ${report}`) : report;
  };
