import type { FileChange } from '../core/change.js';
import { type Hit, type LineJudge, type LineMemory, NO_HITS } from './check.js';
import { type FileRole, fileRole, type SourceLanguage } from './language.js';
import type { CodeView } from './lexer.js';

/** Something that one line of code shows, without its comments and strings. */
export interface CodePattern {
  readonly languages: readonly SourceLanguage[];
  /** Every line that matches contains one of these; they rule out most lines quickly. */
  readonly hints: readonly string[];
  /** Without the flags `g` and `y`; matched against code in which strings are blank. */
  readonly pattern: RegExp;
  /** Must also match the line with its strings. */
  readonly withStrings?: RegExp;
  readonly message: string;
  readonly isOnlyInTests?: boolean;
  /** Not reported under a condition: there it is deliberate. */
  readonly unlessConditional?: boolean;
}

interface PatternOptions {
  readonly rule: string;
  readonly applies?: (role: FileRole) => boolean;
  /** Comments for another linter that allow this line. */
  readonly allowedBy?: readonly string[];
  /** Users never get the code between `#if DEBUG` and its end. */
  readonly isFineInDebugBuilds?: boolean;
}

/** A judge for the patterns that apply to this file, or undefined if none does. */
export function judgePatterns(
  { file, view }: { readonly file: FileChange; readonly view: CodeView | undefined },
  patterns: readonly CodePattern[],
  options: PatternOptions,
): LineJudge | undefined {
  if (view === undefined) return undefined;
  const role = fileRole(file.path);
  if (options.applies?.(role) === false) return undefined;
  const chosen = patterns.filter(
    pattern =>
      pattern.languages.includes(view.language) && (role.isTest || pattern.isOnlyInTests !== true),
  );
  if (chosen.length === 0) return undefined;
  return openJudge(chosen, view, options);
}

function openJudge(
  patterns: readonly CodePattern[],
  view: CodeView,
  options: PatternOptions,
): LineJudge {
  const hints = [...new Set(patterns.flatMap(pattern => pattern.hints))];
  const known = { patterns, memory: view.memory, options };
  return line => {
    if (!line.isAdded || !includesAny(line.text, hints)) return NO_HITS;
    if (options.isFineInDebugBuilds === true && view.isDebugBuild()) return NO_HITS;
    return judge(line.text, view.code(), known);
  };
}

function judge(
  text: string,
  code: string,
  known: {
    readonly patterns: readonly CodePattern[];
    readonly memory: LineMemory;
    readonly options: PatternOptions;
  },
): readonly Hit[] {
  const { patterns, memory, options } = known;
  const above = memory.previous();
  if (options.allowedBy?.some(mark => text.includes(mark) || above.includes(mark))) return NO_HITS;
  for (const { pattern, withStrings, message, unlessConditional } of patterns) {
    const found = pattern.exec(code);
    if (found === null || withStrings?.test(text) === false) continue;
    if (unlessConditional === true && isConditional(code, found.index, memory)) continue;
    const start = found.index + leadingSpace(found[0]);
    const column = start + 1;
    return [{ rule: options.rule, message, column, endColumn: found.index + found[0].length + 1 }];
  }
  return NO_HITS;
}

const leadingSpace = (text: string): number => text.length - text.trimStart().length;

const CONDITION_BEFORE = /\b(?:if|unless|else|case|when|guard|and|or)\b|&&|\|\||\?/;
const CONDITION_AFTER = /["'\w)\]]\s+(?:if|unless)\s/;

/** On the line itself, as in `if (x) skip()` or `skip() if x`, or because of the block around it. */
export const isConditional = (code: string, start: number, memory: LineMemory): boolean =>
  CONDITION_BEFORE.test(code.slice(0, start)) ||
  CONDITION_AFTER.test(code.slice(start)) ||
  memory.isUnderCondition(code) ||
  memory.followsReturn(code);

/** Runs on every line of every change, hence the plain loop. */
export function includesAny(text: string, words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    if (text.includes(words[at] ?? '')) return true;
  }
  return false;
}
