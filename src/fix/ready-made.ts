/** The formats a ready-made report may have. */
export type ReadyFormat =
  | 'eslint-json'
  | 'sarif'
  | 'checkstyle'
  | 'rdjson'
  | 'rdjsonl'
  | 'gcc'
  | 'github';

/** What a report looks like from its beginning; a report is never parsed twice. */
const HEAD = 4000;

/** The format of a report that somebody else's linter wrote. */
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
