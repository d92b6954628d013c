import type { Diagnostic } from '../core/diagnostic.js';
import { parseBiome } from './formats/biome.js';
import { parseCheckstyle } from './formats/checkstyle.js';
import { parseClippy } from './formats/clippy.js';
import { parseEslint } from './formats/eslint.js';
import { parseGcc, parseTsc } from './formats/gcc.js';
import { parseGithub } from './formats/github.js';
import { parseGolangci } from './formats/golangci.js';
import { parseMarkdownlint } from './formats/markdownlint.js';
import { parseOxlint } from './formats/oxlint.js';
import { parseRdjson, parseRdjsonl } from './formats/rdjson.js';
import { parseRemark } from './formats/remark.js';
import { parseRubocop } from './formats/rubocop.js';
import { parseRuff } from './formats/ruff.js';
import { parseSarif } from './formats/sarif.js';
import { parseShellcheck } from './formats/shellcheck.js';
import { parseStylelint } from './formats/stylelint.js';
import { parseSwiftlint } from './formats/swiftlint.js';
import { parsePrettier, parseUnformatted } from './formats/unformatted.js';
import { firstLine } from './read-json.js';
import {
  GENERAL_FORMATS,
  type Located,
  locatePath,
  type RawDiagnostic,
  type RawReport,
  type ReadReport,
  type ReportContext,
  type ReportFormat,
  type ReportParser,
} from './report.js';

/** A linter that reports more than this is misconfigured. */
const MAX_DIAGNOSTICS = 20_000;
/** A message is a sentence or two; a longer one quotes a whole file. */
const MAX_MESSAGE = 2000;

const PARSERS: Readonly<Record<ReportFormat, ReportParser>> = {
  'eslint-json': parseEslint,
  sarif: parseSarif,
  checkstyle: parseCheckstyle,
  rdjson: parseRdjson,
  rdjsonl: parseRdjsonl,
  gcc: parseGcc,
  github: parseGithub,
  'biome-json': parseBiome,
  'oxlint-json': parseOxlint,
  tsc: parseTsc,
  'stylelint-json': parseStylelint,
  markdownlint: parseMarkdownlint,
  prettier: parsePrettier,
  'ruff-json': parseRuff,
  'shellcheck-json': parseShellcheck,
  'swiftlint-json': parseSwiftlint,
  'golangci-json': parseGolangci,
  'rubocop-json': parseRubocop,
  'clippy-json': parseClippy,
  remark: parseRemark,
  unformatted: parseUnformatted,
};

/** A linter's output → diagnostics with repository paths. Never throws. */
export function parseReport(
  format: ReportFormat,
  text: string,
  context: ReportContext,
): ReadReport {
  const raw = PARSERS[format](text);
  const tool = context.tool ?? raw.tool;
  const diagnostics: Diagnostic[] = [];
  const lost = new Map<Reason, Lost>();
  for (const rawDiagnostic of raw.rawDiagnostics.slice(0, MAX_DIAGNOSTICS)) {
    const located = locatePath(rawDiagnostic.file, context);
    if (located.ok) {
      const message = withoutRoot(rawDiagnostic.message, context);
      diagnostics.push(diagnosticFrom({ ...rawDiagnostic, message }, located.path, { tool, raw }));
    } else remember(lost, located.why, rawDiagnostic.file ?? rawDiagnostic.message);
  }
  const surplus = Math.max(0, raw.rawDiagnostics.length - MAX_DIAGNOSTICS);
  const notLinted = raw.notLinted.map(file => pathOr(file, context));
  return {
    diagnostics,
    problems: [
      ...raw.problems.map(line => withoutRoot(line, context).replace(/\s+/g, ' ').trim()),
      ...[...lost].map(([why, each]) => describeLost(why, each)),
      ...(surplus > 0
        ? [`${surplus} diagnostics past the first ${MAX_DIAGNOSTICS} are left out`]
        : []),
    ],
    notLinted,
    unfinished: raw.unfinished.map(file => pathOr(file, context)),
    isWhole: raw.isWhole && surplus === 0,
    isReport: raw.isReport,
    lost: [...lost.values()].reduce((sum, { count }) => sum + count, 0),
  };
}

/** The folder that was linted is a temporary one, so its path helps nobody. */
const withoutRoot = (text: string, { root, aliases = [] }: ReportContext): string =>
  [root, ...aliases].reduce(
    (rest, folder) => (folder === '/' ? rest : rest.replaceAll(`${folder}/`, '')),
    text,
  );

type Reason = Exclude<Located, { ok: true }>['why'];

interface Lost {
  readonly count: number;
  readonly example: string;
}

function remember(lost: Map<Reason, Lost>, why: Reason, example: string): void {
  const known = lost.get(why);
  lost.set(why, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
}

function diagnosticFrom(
  rawDiagnostic: RawDiagnostic,
  path: string,
  { tool, raw }: { tool: string; raw: RawReport },
): Diagnostic {
  const { file: _, rule, severity, message, suggestions = [], ...optional } = rawDiagnostic;
  const present = Object.entries(optional).filter(
    ([field, value]) => value !== undefined && !(isPlaceless(rawDiagnostic) && PLACE.has(field)),
  );
  return {
    tool,
    rule: rule?.slice(0, MAX_MESSAGE) ?? null,
    path,
    unit: raw.unit,
    severity,
    message: withoutRule(message.trim(), rule).slice(0, MAX_MESSAGE) || (rule ?? 'no message'),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    // Fields are only removed, so the remaining ones have the right types.
    ...(Object.fromEntries(present) as Partial<Diagnostic>),
  };
}

/** The rule has its own field: `F401 unused`, `[rule] text`, `text (rule)`. */
function withoutRule(message: string, rule: string | null): string {
  if (rule === null) return message;
  const end = [` (${rule})`, ` [${rule}]`].find(each => message.endsWith(each));
  if (end !== undefined) return message.slice(0, -end.length);
  // A name that is a word may be the subject of the sentence.
  const starts = [
    `${rule}: `,
    `[${rule}] `,
    `(${rule}) `,
    ...(/\d/.test(rule) ? [`${rule} `] : []),
  ];
  const start = starts.find(each => message.startsWith(each)) ?? '';
  return message.slice(start.length);
}

/** A column without a line is useless. */
const PLACE = new Set(['column', 'endLine', 'endColumn']);
const isPlaceless = ({ line, span }: RawDiagnostic): boolean =>
  line === undefined && span === undefined;

function pathOr(file: string, context: ReportContext): string {
  const located = locatePath(file, context);
  return located.ok ? located.path : file;
}

function describeLost(why: Reason, { count, example }: Lost): string {
  const many = count === 1 ? '1 diagnostic' : `${count} diagnostics`;
  const quoted = example.replace(/\s+/g, ' ').slice(0, 200);
  if (why === 'no file') return `${many} without a file left out, for example: ${quoted}`;
  const where = why === 'outside' ? 'outside the repository' : "in files that aren't in the commit";
  return `${many} ${where} left out, for example in ${quoted}`;
}

type ExternalReport =
  | { readonly ok: true; readonly report: ReadReport }
  /** What the text is instead, as the end of a sentence. */
  | { readonly ok: false; readonly problem: string };

type ExternalFormat = (typeof GENERAL_FORMATS)[number];

/** A report from elsewhere: in the format it appears to have, otherwise in any that fits. */
export function readExternalReport(text: string, context: ReportContext): ExternalReport {
  const likely = externalFormat(text);
  const first = parseReport(likely, text, context);
  if (first.isReport) return { ok: true, report: first };
  for (const format of GENERAL_FORMATS) {
    const report = format === likely ? first : parseReport(format, text, context);
    if (report.isReport) return { ok: true, report };
  }
  const [problem = ''] = first.problems;
  return { ok: false, problem: likely === 'gcc' ? `it begins: ${firstLine(text)}` : problem };
}

/** The start is enough to recognise a format. */
const HEAD = 4000;

export function externalFormat(text: string): ExternalFormat {
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
