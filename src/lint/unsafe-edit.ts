import { type SourceLanguage, sourceLanguage } from '../checks/language.js';
import { codeOnly } from '../checks/lexer.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { lineChanges } from './compare.js';

interface UnsafeEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly diagnostics: readonly Pick<Diagnostic, 'rule' | 'message' | 'docs'>[];
}

/**
 * Why an edit that isn't the linter's own fix may change what the code does; undefined if there
 * is no sign of that. What the diagnostic itself asks for is allowed.
 */
export function unsafeEdit({ path, before, after, diagnostics }: UnsafeEdit): string | undefined {
  const language = sourceLanguage(path);
  if (language === undefined || language === 'css') return undefined;
  const [old, fresh] = [codeOnly(before, language), codeOnly(after, language)];
  const asked = diagnostics
    .map(({ rule, message, docs }) => `${rule ?? ''} ${message} ${docs ?? ''}`)
    .join(' ');
  return (
    flippedOperator(old, fresh, asked) ??
    changedNegation(old, fresh, asked) ??
    (language === 'javascript' ? strictNull(old, fresh) : undefined) ??
    unknownName(old, fresh, { language, asked })
  );
}

/** Operators that mean the opposite of each other. */
const OPPOSITES: ReadonlyArray<readonly [RegExp, RegExp, string]> = [
  [/(?<![=!<>])={2,3}(?!=)/g, /!={1,2}/g, '== and !='],
  [/(?<![<=-])<=?(?![<=])/g, /(?<![>=-])>=?(?![>=])/g, '< and >'],
  [/&&/g, /\|\|/g, '&& and ||'],
  [/(?<![<=-])<(?![<=])/g, /(?<!<)<=(?!=)/g, '< and <='],
  [/(?<![>=-])>(?![>=])/g, /(?<![>=])>=(?!=)/g, '> and >='],
];
/** Rules that are about just that. */
const ASKS_FOR_FLIP =
  /negat|yoda|invert|inverse|flip|opposite|de.?morgan|direction|\bnot \w+ (?:==|in|is)/i;

function flippedOperator(old: string, fresh: string, asked: string): string | undefined {
  if (ASKS_FOR_FLIP.test(asked)) return undefined;
  const changes = lineChanges(old, fresh);
  const removed = changes.flatMap(change => change.removed).join('\n');
  const added = changes.flatMap(change => change.added).join('\n');
  for (const [one, other, names] of OPPOSITES) {
    const ones = count(added, one) - count(removed, one);
    const others = count(added, other) - count(removed, other);
    const isAskedFor = /[<>]=/.test(names) && asked.includes(names.slice(-2));
    if (ones * others < 0 && !isAskedFor)
      return `it exchanges ${names}, which changes what the code does`;
  }
  return undefined;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Before its operand, unlike `a!.b`, `println!()` and `save!`. */
const NEGATION = /(?<![\p{L}\p{N}_$)\]}])!(?!=)|\bnot\b/gu;
/** What a negation may replace: `a === false`, `a.indexOf(b) === -1`, `a ? false : true`. */
const REPLACED_BY_NEGATION = /[=!]={1,2}|[<>]|\b(?:true|false|unless|is)\b/gi;

/** Two negations cancel out, and code that is only deleted takes its negations with it. */
function changedNegation(old: string, fresh: string, asked: string): string | undefined {
  if (ASKS_FOR_FLIP.test(asked)) return undefined;
  const isChanged = lineChanges(old, fresh).some(change => {
    const [removed, added] = [change.removed.join('\n'), change.added.join('\n')];
    return (
      removed.trim() !== '' &&
      added.trim() !== '' &&
      (count(added, NEGATION) - count(removed, NEGATION)) % 2 !== 0 &&
      count(added, REPLACED_BY_NEGATION) === count(removed, REPLACED_BY_NEGATION)
    );
  });
  return isChanged ? 'it adds or removes a negation, which changes what the code does' : undefined;
}

const LOOSE_NULL = /(?<![=!])[=!]=\s*(?:null|undefined)\b|\b(?:null|undefined)\s*[=!]=(?!=)/g;
const STRICT_NULL = /[=!]==\s*(?:null|undefined)\b|\b(?:null|undefined)\s*[=!]==/g;

/** `== null` also matches undefined; two strict comparisons are equivalent, one isn't. */
function strictNull(old: string, fresh: string): string | undefined {
  const lost = count(old, LOOSE_NULL) - count(fresh, LOOSE_NULL);
  const gained = count(fresh, STRICT_NULL) - count(old, STRICT_NULL);
  if (lost <= 0 || gained <= 0 || gained >= 2 * lost) return undefined;
  return 'it makes a comparison with null strict, which treats null and undefined differently';
}

const NAME = /(?<![\p{L}\p{N}_$@])[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A name that isn't in the file, the language or the diagnostic. */
function unknownName(
  old: string,
  fresh: string,
  { language, asked }: { readonly language: SourceLanguage; readonly asked: string },
): string | undefined {
  const builtIn = language === 'javascript' ? scriptNames() : PYTHON_NAMES;
  if (language !== 'javascript' && language !== 'python') return undefined;
  const known = new Set([...(old.match(NAME) ?? []), ...(asked.match(NAME) ?? [])]);
  const added = lineChanges(old, fresh)
    .flatMap(change => change.added)
    .join('\n');
  const called = /\b(undefined|null|true|false|NaN|None|True|False)\s*\(/.exec(added)?.[1];
  if (called !== undefined && !old.includes(`${called}(`)) return `it calls ${called}`;
  for (const match of added.matchAll(NAME)) {
    const [name] = match;
    const isCompared = /[=!]==\s*$/.test(added.slice(0, match.index));
    if (name === 'undefined' && isCompared) continue;
    if (known.has(name) || builtIn.has(name) || isDeclared(added, name)) continue;
    return `it uses ${name}, which is found nowhere in the file`;
  }
  return undefined;
}

/** Declared by the edit, or a key of an object or an argument. */
function isDeclared(added: string, name: string): boolean {
  const quoted = name.replace(/\$/g, '\\$&');
  return new RegExp(
    [
      `(?:const|let|var|function\\*?|class|def|import|as|for|type|interface|enum)\\s[^;=\\n]*(?<![\\w$])${quoted}(?![\\w$])`,
      `(?<![\\w$.])${quoted}\\s*(?::(?!:)|=(?![=>])|=>)`,
      `(?:\\(|,)\\s*${quoted}\\s*(?:,[^()]*)?\\)\\s*(?:=>|\\{)`,
    ].join('|'),
  ).test(added);
}

const KEYWORDS = `abstract any as asserts async await bigint boolean break case catch class const continue
  debugger declare default delete do else enum export extends false finally for from function get if
  implements import in infer instanceof interface is keyof let namespace never new null number object of
  override private protected public readonly require return satisfies set static string super switch
  symbol this throw true try type typeof undefined unique unknown using var void while with yield
  arguments exports module process console Buffer setTimeout setInterval setImmediate clearTimeout
  clearInterval queueMicrotask structuredClone fetch URL URLSearchParams TextEncoder TextDecoder
  AbortController AbortSignal Event EventTarget document window globalThis Record Partial Readonly
  Required Pick Omit Exclude Extract NonNullable ReturnType Parameters Awaited ReadonlyArray
  ReadonlyMap ReadonlySet PromiseLike Iterable Math JSON Reflect Intl Date NaN Infinity isNaN isFinite
  parseInt parseFloat encodeURIComponent decodeURIComponent log`;

let scripts: ReadonlySet<string> | undefined;

/**
 * Keywords, and names that every JavaScript program has: globals and the members of built-in types.
 */
function scriptNames(): ReadonlySet<string> {
  if (scripts !== undefined) return scripts;
  const own = [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Math, JSON];
  const more = [RegExp, Promise, Map, Set, WeakMap, WeakSet, Error, TypeError, RangeError, Reflect];
  const names = new Set(KEYWORDS.split(/\s+/));
  // Only its members are needed; the clock belongs to the platform.
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(new Date(0))))
    names.add(name);
  for (const each of [...own, ...more, Intl, Proxy, SyntaxError, Uint8Array, ArrayBuffer]) {
    if (typeof each === 'function') names.add(each.name);
    const prototype: unknown = typeof each === 'function' ? each.prototype : undefined;
    for (const holder of [each, prototype]) {
      if (holder === undefined || holder === null) continue;
      for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
    }
  }
  // `undefined` can't be the name that was missing.
  names.delete('undefined');
  scripts = names;
  return names;
}

const PYTHON_NAMES = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield match case self cls
  abs all any bool bytes bytearray callable chr classmethod dict dir divmod enumerate eval filter float
  format frozenset getattr hasattr hash hex id input int isinstance issubclass iter len list map max min
  next object oct open ord pow print property range repr reversed round set setattr slice sorted
  staticmethod str sum super tuple type vars zip Exception ValueError TypeError KeyError IndexError
  AttributeError RuntimeError NotImplementedError OSError StopIteration append extend items keys values
  get join split strip startswith endswith lower upper replace format update pop add remove copy`.split(
    /\s+/,
  ),
);
