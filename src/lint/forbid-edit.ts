import { type SourceLanguage, sourceLanguage } from '../checks/language.js';
import { codeOnly } from '../checks/lexer.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { withoutSpace } from '../core/finding.js';
import { protectedPath } from '../git/protected-path.js';
import { type LineChange, lineChanges } from './compare.js';
import { unsafeEdit } from './unsafe-edit.js';

export interface ProposedEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What the edit is meant to fix; lines are those of `before`. */
  readonly diagnostics: readonly Diagnostic[];
  /** A linter has a reason to suggest a deletion; a model may just want the diagnostic gone. */
  readonly isByModel?: boolean;
}

/** Lines outside the diagnostic's own that an edit may remove. */
const MAX_DELETED_OUTSIDE = 3;
/** A fix is local; more is a rewrite that nobody asked for. */
const MAX_CHANGED = 40;

/**
 * Why an edit is refused, or undefined. Suppressing, deleting and reconfiguring make a diagnostic
 * go away without fixing anything. The reason is shown to the model.
 */
export function forbidEdit(edit: ProposedEdit): string | undefined {
  const { path, before, after } = edit;
  const source = protectedPath(path);
  if (source !== undefined) return `${path} is protected (${source}): it may not be changed`;
  if (after.trim() === '' && before.trim() !== '') return `it empties ${path}`;
  return (
    suppresses(before, after) ??
    removesCode(edit) ??
    changesTooMuch(edit) ??
    (edit.isByModel === true ? unsafeEdit(edit) : undefined)
  );
}

function suppresses(before: string, after: string): string | undefined {
  const mark = addedSuppression(before, after);
  if (mark === undefined) return undefined;
  return `it suppresses the diagnostic (${mark}): fix the code instead`;
}

function removesCode({ path, before, after }: ProposedEdit): string | undefined {
  const language = sourceLanguage(path);
  if (language === undefined) return undefined;
  const [old, fresh] = [codeOnly(before, language), codeOnly(after, language)];
  if (countTests(fresh, language, path) < countTests(old, language, path))
    return 'it removes or skips a test';
  const left = exportedNames(fresh, language, path);
  const [lost] = [...exportedNames(old, language, path)].filter(name => !left.has(name));
  if (lost === undefined) return undefined;
  return `it removes or renames ${lost}, which other files may use`;
}

function changesTooMuch(edit: ProposedEdit): string | undefined {
  const changes = lineChanges(edit.before, edit.after);
  const changed = changes.reduce(
    (sum, { removed, added }) => sum + Math.max(removed.length, added.length),
    0,
  );
  const deleted = changes.reduce((sum, change) => sum + deletedOutside(change, edit), 0);
  if (deleted > MAX_DELETED_OUTSIDE) {
    return `it deletes ${deleted} lines outside the diagnostic; at most ${MAX_DELETED_OUTSIDE} are allowed`;
  }
  if (changed > MAX_CHANGED) {
    return `it changes ${changed} lines; at most ${MAX_CHANGED} are allowed`;
  }
  if (edit.isByModel === true && isMereDeletion(changes, edit.diagnostics)) {
    return 'it only deletes code: fix what the diagnostic is about, and keep what the code does';
  }
  return undefined;
}

/**
 * How many lines outside every diagnostic's range are deleted and not replaced. Blank lines don't
 * count as deleted, and blank lines and comments don't count as a replacement for code.
 */
function deletedOutside({ oldLine, removed, added }: LineChange, edit: ProposedEdit): number {
  if (withoutSpace(removed.join('')) === withoutSpace(added.join(''))) return 0;
  const outside = removed.filter(
    (line, at) => line.trim() !== '' && !isInRange(oldLine + at, edit.diagnostics),
  ).length;
  const lost = removed.filter(line => line.trim() !== '').length - added.filter(isCode).length;
  return Math.max(0, Math.min(outside, lost));
}

const isInRange = (line: number, diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ line: first = 0, endLine = first }) => line >= first && line <= endLine);

/** How many tests and test groups the code has; expects comments and strings blanked out. */
function countTests(code: string, language: SourceLanguage, path: string): number {
  const isTestFile = language === 'javascript' && TEST_FILE.test(path);
  const pattern = isTestFile ? IN_TEST_FILE : TESTS[language];
  if (pattern === undefined) return 0;
  return [...code.matchAll(pattern)].filter(([call]) => !OFF.test(call)).length;
}

/** A skipped test counts as removed. */
const OFF = /\.(?:skip|todo|fixme|skipIf|runIf)\b/;

const TEST_FILE = /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|cy)(?:[/._-]|$)/i;
const IN_TEST_FILE =
  /(?<![\w$.])(?:it|test|describe|suite|context|specify|bench|f(?:it|describe))(?:\.\w{1,20}){0,3}\s{0,9}[(`]/g;

const ANNOTATED_TEST = /@(?:Test|ParameterizedTest|Fact|Theory)\b/g;
const TESTS: Partial<Readonly<Record<SourceLanguage, RegExp>>> = {
  // A title or a table follows, unlike with other functions of that name.
  javascript:
    /(?<![\w$.])(?:it|test|describe|suite|context|specify|bench|f(?:it|describe))(?:\.\w{1,20}){0,3}\s{0,9}(?:\(\s{0,200}["'`]|(?<=\.each\s{0,9})[(`])/g,
  python: /^[ \t]{0,80}(?:(?:async[ \t]{1,9})?def[ \t]{1,9}test|class[ \t]{1,9}Test)\w{0,200}/gm,
  go: /^func[ \t]{1,9}(?:Test|Benchmark|Fuzz|Example)\w{0,200}[ \t]{0,9}\(/gm,
  rust: /#\[\s{0,9}(?:\w{1,40}::){0,3}test\b/g,
  swift: /\bfunc[ \t]{1,9}test\w{0,200}|@Test\b/g,
  ruby: /^[ \t]{0,80}(?:(?:it|specify|test|describe|context|scenario|feature)\b[ \t(]{1,9}["'A-Z]|def[ \t]{1,9}test_)/gm,
  java: ANNOTATED_TEST,
  csharp: ANNOTATED_TEST,
  php: ANNOTATED_TEST,
  shell: /^@test\b|^[ \t]{0,9}(?:function[ \t]{1,9})?test_?\w{1,100}[ \t]{0,9}\(\)/gm,
};

/**
 * Whether an edit only deletes code, which is a fix only if the diagnostic is about unneeded code.
 */
export function isMereDeletion(
  changes: readonly LineChange[],
  diagnostics: readonly Pick<Diagnostic, 'rule' | 'message'>[],
): boolean {
  if (diagnostics.some(isAboutNeedless)) return false;
  const added = changes.flatMap(change => change.added);
  const removed = changes.flatMap(change => change.removed);
  return removed.some(line => isCode(line) && /\w/.test(line)) && !added.some(isCode);
}

/** Neither blank nor a comment, whatever the language. */
export function isCode(line: string): boolean {
  const behind = line.slice(line.lastIndexOf('*/') + 2);
  if (line.includes('*/') && behind.trim() !== '') return isCode(behind);
  return line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*(?!\w)|#(?![![\w])|<!--|--(?!\w))/.test(line);
}

/** How linters describe it; many rules have numbers for names. */
const NEEDLESS =
  /unused|\bnever (?:used|read|executed|reached)|\b(?:is|are|was)(?: not|n't) used|unreachable|dupe|duplicat|redundant|useless|unnecessary|needless|superfluous|\bextra\b|empty|debugger|console|\balert\b|\bprint\b|self-assign|to itself|redeclare|redefin|already (?:been )?(?:defined|declared|imported)|no effect|no-op|dead.code|deprecated|obsolete|commented.out|blank|trailing|overrid|overwrit|\bremove\b/i;

/** By the rule's name, or by the message if the rule is a number. */
const isAboutNeedless = ({ rule, message }: Pick<Diagnostic, 'rule' | 'message'>): boolean =>
  rule === null || /\d/.test(rule) ? NEEDLESS.test(message) : NEEDLESS.test(rule);

/** A suppression comment and the rules it names; without names it suppresses everything. */
interface Suppression {
  readonly mark: string;
  readonly names: ReadonlySet<string>;
}

/** Longer lists of rules are cut, so that no line takes long to parse. */
const MAX_RULE_LIST = 500;

/**
 * The marker by which `after` suppresses more than `before`, or undefined. Existing markers may
 * move, be removed, or name fewer rules.
 */
function addedSuppression(before: string, after: string): string | undefined {
  const [old, fresh] = [suppressionsIn(before), suppressionsIn(after)];
  const known = new Map<string, number>();
  for (const each of old) count(known, each, 1);
  const added = fresh.filter(each => count(known, each, -1) < 0);
  const gone = old.filter(each => count(known, each, -1) >= 0);
  for (const each of added) {
    const at = gone.findIndex(other => isNarrower(each, other));
    if (at === -1) return each.mark;
    gone.splice(at, 1);
  }
  return lostEnd(before, after) && fresh.length >= old.length ? 'its end is removed' : undefined;
}

function suppressionsIn(text: string): Suppression[] {
  return [...text.matchAll(SUPPRESSION)].map(match => {
    const start = match.index + match[0].length;
    const [rest = ''] = text.slice(start, start + MAX_RULE_LIST).split('\n', 1);
    return { mark: match[0].toLowerCase().replace(/\s+/g, ' '), names: namesIn(rest) };
  });
}

/** Up to the end of the comment, or to a reason after two dashes. */
function namesIn(behind: string): Set<string> {
  const [list = ''] = behind.split(/\*\/|-->|\s--\s|\s#|\)\]/, 1);
  return new Set(list.split(/[^\w@/.:-]+/).filter(name => /\w/.test(name)));
}

/** Adds to the count of a marker and returns the sum. */
function count(known: Map<string, number>, { mark, names }: Suppression, step: number): number {
  const key = [mark, ...names].join('\0');
  const sum = (known.get(key) ?? 0) + step;
  known.set(key, sum);
  return sum;
}

function isNarrower(fresh: Suppression, old: Suppression): boolean {
  if (fresh.mark !== old.mark) return false;
  if (old.names.size === 0) return true;
  return fresh.names.size > 0 && [...fresh.names].every(name => old.names.has(name));
}

const lostEnd = (before: string, after: string): boolean =>
  [...after.matchAll(SUPPRESSION_END)].length < [...before.matchAll(SUPPRESSION_END)].length;

/**
 * Comments that suppress diagnostics. Each pattern matches only the marker; the rules follow it on
 * the line. Repetitions are bounded, because the text isn't trusted.
 */
const MARKS: readonly RegExp[] = [
  // JavaScript and TypeScript
  /eslint-disable(?:-next-line|-line)?/,
  /\/\*\s{0,9}(?:eslint|eslint-env|globals?|exported|jshint|jslint)(?=\s)/,
  /@ts-(?:ignore|expect-error|nocheck)/,
  /@vue-(?:ignore|expect-error|skip)/,
  /\$Flow(?:FixMe|Ignore|Issue|ExpectedError)|@noflow/,
  /(?:biome|rome|dprint|svelte|deno-lint)-ignore(?:-all|-start|-file)?/,
  /oxlint-disable(?:-next-line|-line)?/,
  /tslint:disable(?:-next-line|-line)?/,
  /jshint\s{1,9}ignore/,
  /(?:istanbul|c8|v8)\s{1,9}ignore/,
  // Styles, text, formatting
  /stylelint-disable(?:-next-line|-line)?/,
  /prettier-ignore(?:-start)?/,
  /markdownlint-(?:disable(?:-next-line|-line|-file)?|configure-file|capture)/,
  /(?:textlint|vale)[- ](?:disable|off)/,
  /cspell:\s{0,9}(?:disable|ignore)|codespell:ignore|spell-checker:\s{0,9}disable/,
  /(?:clang-format|@formatter)[: ]\s{0,3}off/,
  /#\s{0,9}(?:fmt|yapf|isort|autopep8|black):\s{0,9}(?:off|skip|disable|skip_file)/,
  // Python
  /(?:#|--)\s{0,9}(?:(?:flake8|ruff|sqlfluff):\s{0,9})?noqa\b/,
  /#\s{0,9}type:\s{0,9}ignore/,
  /#\s{0,9}(?:pyright|mypy|pyre|pytype|pylint|bandit|pyrefly|ty):\s{0,9}(?:ignore(?:-errors)?|disable(?:-next)?|basic)/,
  /#\s{0,9}pyre-(?:ignore|fixme)|pragma:\s{0,9}no\s?(?:cover|branch)/,
  // Shells, Go, Swift, Ruby, Rust
  /shellcheck\s{1,9}(?:disable=|source=\/dev\/null)/,
  /\/\/\s{0,9}(?:nolint|lint:ignore|lint:file-ignore|revive:disable|exhaustive:ignore)/,
  /#\s{0,9}nosec|nosemgrep|gitleaks:allow|checkov:skip|(?:tfsec|trivy|snyk|kics):ignore/,
  /swiftlint:disable(?::next|:this|:previous)?|swift-?format[:-](?:disable|ignore)/,
  /(?:rubocop|standard|erblint):(?:disable|todo)|steep:ignore|:nocov:|typed:\s{0,9}ignore/,
  /#!?\[\s{0,9}(?:allow|expect)\s{0,9}\(|#!?\[\s{0,9}cfg_attr\([^\]]{0,200}\b(?:allow|expect)\(|#!?\[\s{0,9}rustfmt::skip/,
  // C and similar languages, the JVM, PHP, configuration files
  /\bNOLINT(?:NEXTLINE|BEGIN)?\b|\bNOSONAR\b|\bNOPMD\b|cppcheck-suppress|CHECKSTYLE:OFF/,
  /#\s{0,9}pragma\s{1,9}(?:(?:GCC|clang)\s{1,9}diagnostic\s{1,9}ignored|warning\s{0,9}\(?\s{0,9}disable)/,
  /@Suppress(?:Warnings|FBWarnings|Lint)?\s{0,9}\(|\bnoinspection\b|ktlint-disable/,
  /phpcs:(?:ignore|disable)|@phpstan-ignore|@psalm-suppress|@codeCoverageIgnore/,
  /(?:yamllint|ansible-lint|hadolint|haml-lint|slim-lint)[: ]\s{0,9}(?:disable|ignore|skip)/,
  // Skipped tests
  /@(?:pytest\.mark|unittest)\.(?:skip|xfail|expectedFailure)|\bpytest\.skip\(|\bt\.Skip(?:Now|f)?\(|#\[\s{0,9}ignore|@(?:Disabled|Ignore)\b/,
  // Ours
  /apfel-bot-ignore/,
];

const SUPPRESSION = new RegExp(MARKS.map(mark => mark.source).join('|'), 'gi');

/** What ends a suppressed range; without it the range continues. */
const SUPPRESSION_END =
  /(?:eslint|oxlint|stylelint|tslint|markdownlint|textlint|yamllint)[:\s-]{1,3}enable|(?:swiftlint|rubocop|standard):enable|(?:prettier|biome|dprint)-ignore-end|clang-format\s{1,3}on|@formatter:on|\bfmt:\s{0,3}on|\bNOLINTEND\b|CHECKSTYLE:ON|markdownlint-restore/gi;

/** The names other files may use. Expects code with comments and strings blanked out. */
function exportedNames(code: string, language: SourceLanguage, path: string): Set<string> {
  const names = new Set<string>();
  for (const pattern of NAMED[language] ?? []) {
    for (const [, name] of code.matchAll(pattern)) if (name !== undefined) names.add(name);
  }
  if (language === 'javascript') addScriptNames(code, names);
  // In `__init__.py` an import is how a package exports a name.
  if (language === 'python' && /(?:^|\/)__init__\.pyi?$/.test(path)) addImported(code, names);
  if (language === 'go') addGrouped(code, names);
  return names;
}

const PUBLIC_MEMBERS = [
  /\bpublic[ \t]{1,9}[^\n;={}()]{0,200}?\b(\w{1,200})[ \t]{0,9}[({]/g,
  /\bpublic[ \t]{1,9}[^\n;={}()]{0,200}?\b(?:class|interface|enum|record|struct)[ \t]{1,9}(\w{1,200})/g,
];

const NAMED: Partial<Readonly<Record<SourceLanguage, readonly RegExp[]>>> = {
  javascript: [
    /\bexport\s{1,99}(?:(?:declare|abstract|async|const)\s{1,99}){0,4}(?:function\b\s{0,99}\*?|class|interface|type|enum|namespace|const|let|var)\s{0,99}(?<![\w$])([\p{L}$_][\p{L}\p{N}$_]{0,200})/gu,
    /\b(?:module\.)?exports\.([\w$]{1,200})\s{0,99}=(?!=)/g,
    /\b(module\.exports)\s{0,99}=(?!=)/g,
    /\bexport\s{1,99}(default)\b/g,
  ],
  python: [/^(?:async[ \t]{1,9})?(?:def|class)[ \t]{1,9}([A-Za-z]\w{0,200})/gm],
  go: [
    /^func[ \t]{1,9}(?:\([^()\n]{0,300}\)[ \t]{0,9})?([A-Z]\w{0,200})/gm,
    /^(?:type|var|const)[ \t]{1,9}([A-Z]\w{0,200})/gm,
  ],
  rust: [
    /\bpub[ \t]{1,9}(?:(?:async|unsafe|const|extern|"[^"\n]{0,40}")[ \t]{1,9}){0,4}(?:fn|struct|enum|union|trait|type|mod|static|const|macro)[ \t]{1,9}(?:mut[ \t]{1,9})?(\w{1,200})/g,
    /\bpub[ \t]{1,9}(use[ \t]{1,9}[^;]{1,2000});/g,
    /#\[macro_export\][\s\S]{0,200}?(macro_rules![ \t]{0,9}\w{1,200})/g,
  ],
  swift: [
    /\b(?:public|open)\b[^\n{=]{0,200}?\b(?:func|class|struct|enum|protocol|var|let|typealias|actor|extension)[ \t]{1,9}(\w{1,200})/g,
  ],
  ruby: [
    /^[ \t]{0,80}(?:class|module)[ \t]{1,9}([A-Z][\w:]{0,200})/gm,
    /^[ \t]{0,80}def[ \t]{1,9}([\w.]{1,200}[?!=]?)/gm,
  ],
  java: PUBLIC_MEMBERS,
  csharp: PUBLIC_MEMBERS,
  php: PUBLIC_MEMBERS,
};

const LISTED = [
  /\bexport\s{0,99}(?:type\s{1,99})?\{([^{}]{0,20000})\}/g,
  /\bexport\s{1,99}(?:const|let|var)\s{1,99}[{[]([^=;{}[\]]{0,5000})[}\]]/g,
  /\bmodule\.exports\s{0,99}=\s{0,99}\{([^{}]{0,20000})\}/g,
];

function addScriptNames(code: string, names: Set<string>): void {
  for (const [, list = ''] of LISTED.flatMap(pattern => [...code.matchAll(pattern)])) {
    for (const item of list.split(',')) {
      // `a as b` exports b; `a: b` exports a, or b where it destructures: both count.
      for (const name of item
        .trim()
        .split(/\s{1,99}as\s{1,99}/)
        .slice(-1)) {
        for (const word of name.match(/[\p{L}$_][\p{L}\p{N}$_]{0,200}/gu) ?? []) names.add(word);
      }
    }
  }
  const stars = code.match(/\bexport\s{0,99}\*/g) ?? [];
  for (const [at] of stars.entries()) names.add(`* (${at + 1})`);
}

function addImported(code: string, names: Set<string>): void {
  const imports =
    /^(?:from[ \t]{1,9}[\w.]{1,200}[ \t]{1,9})?import[ \t]{1,9}(\([^()]{0,20000}\)|[^\n(]{1,5000})/gm;
  for (const [, list = ''] of code.matchAll(imports)) {
    for (const item of list.replace(/[()]/g, ' ').split(',')) {
      const name = item.trim().split(/\s+/).at(-1) ?? '';
      if (/^[A-Za-z]/.test(name)) names.add(name);
    }
  }
}

/** `const ( A = 1 … )`: one name at the start of each line. */
function addGrouped(code: string, names: Set<string>): void {
  for (const [, block = ''] of code.matchAll(/^(?:type|var|const)[ \t]{0,9}\(([^()]{0,20000})/gm)) {
    for (const [, name = ''] of block.matchAll(/^[ \t]{1,9}([A-Z]\w{0,200})/gm)) names.add(name);
  }
}
