import type { Severity } from '../../core/finding.js';
import { notThere, placeFromText } from '../read-json.js';
import { noReport, type RawDiagnostic, type RawReport, rawReport } from '../report.js';

/** Checkstyle's XML, which many other tools write too. */
export function parseCheckstyle(output: string): RawReport {
  // A wrapper may print something before the document.
  const start = output.search(/<(?:\?xml|checkstyle)\b/);
  if (output.trim() === '') {
    return noReport('checkstyle', 'printed nothing where a checkstyle report belongs');
  }
  if (start === -1) return noReport('checkstyle', notThere(output, 'checkstyle'));
  const reading = readXml(output.slice(start, output.lastIndexOf('>') + 1));
  if (!reading.ok) return noReport('checkstyle', `the checkstyle report ${reading.why}`);
  if (!reading.elements.some(({ name }) => name === 'checkstyle')) {
    return noReport('checkstyle', 'the XML report has no <checkstyle> element');
  }
  return rawReport('checkstyle', 'utf16', { rawDiagnostics: rawDiagnosticsIn(reading.elements) });
}

function rawDiagnosticsIn(elements: readonly XmlElement[]): RawDiagnostic[] {
  const rawDiagnostics: RawDiagnostic[] = [];
  let file: string | undefined;
  for (const { name, attributes } of elements) {
    if (name === 'file') file = attributes.get('name');
    if (name === 'error') rawDiagnostics.push(rawDiagnostic(file, attributes));
  }
  return rawDiagnostics;
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

/** One element's opening, in the order of the text. */
interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

type XmlReading =
  | { readonly ok: true; readonly elements: readonly XmlElement[] }
  | { readonly ok: false; readonly why: string };

/**
 * The elements of a small XML report. Tolerant of mark-up it does not need; declared entities are
 * not expanded and nothing is ever fetched, so a hostile DOCTYPE does nothing.
 */
function readXml(text: string): XmlReading {
  const elements: XmlElement[] = [];
  const open: string[] = [];
  let at = text.indexOf('<');
  while (at !== -1) {
    const skipped = skipTo(text, at);
    if (skipped === -1) return { ok: false, why: 'ends inside a comment or declaration' };
    const end = skipped ?? tagEnd(text, at);
    if (end === -1) return { ok: false, why: 'ends inside a tag' };
    if (skipped === undefined) readTag(text.slice(at + 1, end - 1), elements, open);
    at = text.indexOf('<', end);
  }
  if (elements.length === 0) return { ok: false, why: 'has no elements' };
  return open.length > 0 ? { ok: false, why: `ends before </${open[0]}>` } : { ok: true, elements };
}

/** Behind a comment, a CDATA section, an instruction or a declaration; undefined for a tag. */
function skipTo(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) return behind(text, ']]>', at + 9);
  if (text.startsWith('<?', at)) return behind(text, '?>', at + 2);
  if (!text.startsWith('<!', at)) return undefined;
  const [bracket, close] = [text.indexOf('[', at), text.indexOf('>', at)];
  // A DOCTYPE with declarations of its own goes to the bracket that ends them.
  return bracket !== -1 && bracket < close ? behind(text, ']>', bracket) : behind(text, '>', at);
}

function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

/** Behind the `>` that ends the tag: one inside quotes does not. */
function tagEnd(text: string, at: number): number {
  let quote = '';
  for (let position = at + 1; position < text.length; position += 1) {
    const char = text[position] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return position + 1;
  }
  return -1;
}

function readTag(inside: string, elements: XmlElement[], open: string[]): void {
  if (inside.startsWith('/')) {
    const last = open.lastIndexOf(inside.slice(1).trim());
    if (last !== -1) open.length = last;
    return;
  }
  const name = /^[^\s/>]{1,200}/.exec(inside)?.[0] ?? '';
  elements.push({ name, attributes: readAttributes(inside.slice(name.length)) });
  if (!inside.endsWith('/')) open.push(name);
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    attributes.set(name, unescapeXml(double ?? single ?? ''));
  }
  return attributes;
}

const ATTRIBUTE = /([\w:.-]{1,200})\s{0,99}=\s{0,99}(?:"([^"]*)"|'([^']*)')/g;

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** The five names and numbers; another entity stays as it is written. */
function unescapeXml(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (written, what: string) => {
    if (!what.startsWith('#')) return NAMED[what] ?? written;
    const code = /^#x/i.test(what) ? Number.parseInt(what.slice(2), 16) : Number(what.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}
