import { parseReport } from './parse-report.js';
import { firstLine } from './read-json.js';
import { GENERAL_FORMATS, type ReadReport, type ReportContext } from './report.js';

export type Ready =
  | { readonly ok: true; readonly report: ReadReport }
  /** What is there instead, as the end of a sentence. */
  | { readonly ok: false; readonly problem: string };

export type ReadyFormat = (typeof GENERAL_FORMATS)[number];

/** A report that somebody else's linter wrote: in the format it seems to have, else in any that fits. */
export function readReady(text: string, context: ReportContext): Ready {
  const likely = readyFormat(text);
  const first = parseReport(likely, text, context);
  if (first.isReport) return { ok: true, report: first };
  for (const format of GENERAL_FORMATS) {
    const report = format === likely ? first : parseReport(format, text, context);
    if (report.isReport) return { ok: true, report };
  }
  const [problem = ''] = first.problems;
  return { ok: false, problem: likely === 'gcc' ? `it begins: ${firstLine(text)}` : problem };
}

/** The beginning tells what a report is. */
const HEAD = 4000;

export function readyFormat(text: string): ReadyFormat {
  const head = text
    .slice(0, HEAD)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (head.startsWith('<')) return 'checkstyle';
  if (/^::(?:error|warning|notice|debug)\b/m.test(head)) return 'github';
  if (!head.startsWith('{') && !head.startsWith('[')) return 'gcc';
  if (/"runs"\s{0,20}:/.test(head) || /"\$schema"[^,]{0,200}sarif/i.test(head)) return 'sarif';
  if (/"diagnostics"\s{0,20}:/.test(head)) return 'rdjson';
  if (/^\{[^\n]{0,4000}"location"\s{0,20}:/.test(head)) return 'rdjsonl';
  return 'eslint-json';
}
