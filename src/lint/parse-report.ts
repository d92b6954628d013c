import type { Diagnostic } from '../core/diagnostic.js';
import { type Located, locatePath } from './locate-path.js';
import { parseBiome } from './parse-biome.js';
import { parseCheckstyle } from './parse-checkstyle.js';
import { parseClippy } from './parse-clippy.js';
import { parseEslint } from './parse-eslint.js';
import { parseGcc } from './parse-gcc.js';
import { parseGithub } from './parse-github.js';
import { parseGolangci } from './parse-golangci.js';
import { parseMarkdownlintJson, parseMarkdownlintText } from './parse-markdownlint.js';
import { parseOxlint } from './parse-oxlint.js';
import { parsePrettier } from './parse-prettier.js';
import { parseRdjson, parseRdjsonl } from './parse-rdjson.js';
import { parseRubocop } from './parse-rubocop.js';
import { parseRuff } from './parse-ruff.js';
import { parseSarif } from './parse-sarif.js';
import { parseShellcheck } from './parse-shellcheck.js';
import { parseStylelint } from './parse-stylelint.js';
import { parseSwiftlint } from './parse-swiftlint.js';
import { parseTsc } from './parse-tsc.js';
import type {
  RawReport,
  ReadReport,
  ReportContext,
  ReportFormat,
  ReportParser,
  Sighting,
} from './report.js';

/** A linter that says more than this about one repository is misconfigured, not helpful. */
const MOST_DIAGNOSTICS = 20_000;
/** A message is a sentence or two; a longer one has swallowed a file. */
const MOST_MESSAGE = 2000;

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
  'markdownlint-json': parseMarkdownlintJson,
  'markdownlint-text': parseMarkdownlintText,
  prettier: parsePrettier,
  'ruff-json': parseRuff,
  'shellcheck-json': parseShellcheck,
  'swiftlint-json': parseSwiftlint,
  'golangci-json': parseGolangci,
  'rubocop-json': parseRubocop,
  'clippy-json': parseClippy,
};

/** What a linter printed → diagnostics on paths of the repository. Whatever the text, it never throws. */
export function parseReport(
  format: ReportFormat,
  text: string,
  context: ReportContext,
): ReadReport {
  const raw = PARSERS[format](text);
  const tool = context.tool ?? raw.tool;
  const diagnostics: Diagnostic[] = [];
  const lost = new Map<Reason, Lost>();
  for (const sighting of raw.sightings.slice(0, MOST_DIAGNOSTICS)) {
    const located = locatePath(sighting.file, context);
    if (located.ok) diagnostics.push(diagnosticFrom(sighting, located.path, { tool, raw }));
    else remember(lost, located.why, sighting.file ?? sighting.message);
  }
  const surplus = Math.max(0, raw.sightings.length - MOST_DIAGNOSTICS);
  const notLinted = raw.notLinted.map(file => pathOr(file, context));
  return {
    diagnostics,
    problems: [
      ...raw.problems.map(line => line.replace(/\s+/g, ' ').trim()),
      ...describeNotLinted(notLinted),
      ...[...lost].map(([why, each]) => describeLost(why, each)),
      ...(surplus > 0
        ? [`${surplus} diagnostics past the first ${MOST_DIAGNOSTICS} are left out`]
        : []),
    ],
    notLinted,
    isWhole: raw.isWhole && surplus === 0,
    isReport: raw.isReport,
    lost: [...lost.values()].reduce((sum, { count }) => sum + count, 0),
  };
}

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
  sighting: Sighting,
  path: string,
  { tool, raw }: { tool: string; raw: RawReport },
): Diagnostic {
  const { file: _, rule, severity, message, suggestions = [], ...optional } = sighting;
  const present = Object.entries(optional).filter(
    ([field, value]) => value !== undefined && !(isPlaceless(sighting) && PLACE.has(field)),
  );
  return {
    tool,
    rule: rule?.slice(0, MOST_MESSAGE) ?? null,
    path,
    unit: raw.unit,
    severity,
    message: message.trim().slice(0, MOST_MESSAGE) || (rule ?? 'no message'),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    // Fields are only taken out, so every value left still has its field's type.
    ...(Object.fromEntries(present) as Partial<Diagnostic>),
  };
}

/** A column without a line says nothing. */
const PLACE = new Set(['column', 'endLine', 'endColumn']);
const isPlaceless = ({ line, span }: Sighting): boolean => line === undefined && span === undefined;

function pathOr(file: string, context: ReportContext): string {
  const located = locatePath(file, context);
  return located.ok ? located.path : file;
}

function describeNotLinted(paths: readonly string[]): string[] {
  const [first] = paths;
  if (first === undefined) return [];
  const what = paths.length === 1 ? first : `${paths.length} files, for example ${first}`;
  return [`not linted, because the linter's configuration leaves it out: ${what}`];
}

function describeLost(why: Reason, { count, example }: Lost): string {
  const many = count === 1 ? '1 diagnostic' : `${count} diagnostics`;
  const quoted = example.replace(/\s+/g, ' ').slice(0, 200);
  if (why === 'no file') return `${many} without a file left out, for example: ${quoted}`;
  const where = why === 'outside' ? 'outside the repository' : 'in files the commit does not have';
  return `${many} ${where} left out, for example in ${quoted}`;
}
