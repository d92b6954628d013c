import { type SourceLanguage, sourceLanguage } from '../checks/language.js';
import { codeOnly } from '../checks/lexer.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { withoutSpace } from '../core/finding.js';
import { protectedPath } from '../git/protected-path.js';
import { type LineChange, lineChanges } from './compare.js';
import { exportedNames } from './exported-names.js';
import { addedSuppression } from './suppressions.js';
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
  diagnostics.some(
    ({ line: first, endLine = first }) =>
      first !== undefined && endLine !== undefined && line >= first && line <= endLine,
  );

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
