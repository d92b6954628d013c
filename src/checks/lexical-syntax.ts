import type { SourceLanguage } from './source-language.js';

/** As much of a language's lexical grammar as it takes to tell code from comments and strings. */
export interface LexicalSyntax {
  readonly lineComments: readonly string[];
  /** What may run over several lines, as pairs of opening and closing; longer ones first. */
  readonly spanning: ReadonlyArray<readonly [string, string]>;
  readonly openers: readonly string[];
  /** Quotes of strings that end on their line. */
  readonly quotes: string;
  readonly hasTemplates: boolean;
  readonly hasRegexLiterals: boolean;
  /** In Rust a single quote is a lifetime unless it closes after one character. */
  readonly hasLifetimes: boolean;
  /** Any sign that could begin one of the above, and braces for templates. */
  readonly signs: RegExp;
}

export function lexicalSyntax(language: SourceLanguage): LexicalSyntax {
  const rules = SYNTAXES[language];
  return { ...rules, openers: rules.spanning.map(([open]) => open) };
}

const BLOCK = ['/*', '*/'] as const;
const LONG_STRING = ['"""', '"""'] as const;
const BACKTICK = ['`', '`'] as const;

const PLAIN = { hasTemplates: false, hasRegexLiterals: false, hasLifetimes: false };
const SLASHES = { ...PLAIN, lineComments: ['//'], quotes: `"'`, signs: /[/"'`]/g };
const HASHES = { ...PLAIN, lineComments: ['#'], quotes: `"'`, signs: /[#"']/g };

const SYNTAXES: Readonly<Record<SourceLanguage, Omit<LexicalSyntax, 'openers'>>> = {
  javascript: {
    ...SLASHES,
    spanning: [BLOCK, BACKTICK],
    hasTemplates: true,
    hasRegexLiterals: true,
    signs: /[/"'`{}]/g,
  },
  python: { ...HASHES, spanning: [LONG_STRING, ["'''", "'''"]] },
  ruby: { ...HASHES, spanning: [] },
  elixir: { ...HASHES, spanning: [LONG_STRING] },
  go: { ...SLASHES, spanning: [BLOCK, BACKTICK] },
  rust: { ...SLASHES, spanning: [BLOCK], hasLifetimes: true },
  swift: { ...SLASHES, spanning: [BLOCK, LONG_STRING], quotes: '"' },
  java: { ...SLASHES, spanning: [BLOCK, LONG_STRING] },
  csharp: { ...SLASHES, spanning: [BLOCK, LONG_STRING] },
  php: { ...SLASHES, lineComments: ['//', '#'], spanning: [BLOCK], signs: /[/#"']/g },
};
