/**
 * As much of a language's lexical grammar as is needed to separate code from comments and strings.
 */
export interface LexicalSyntax {
  /** Sticky. Matches where a comment starts that runs to the end of the line. */
  readonly lineComment: RegExp | undefined;
  /** Comments and strings that may continue on the next line; longer openings first. */
  readonly spans: readonly Span[];
  /** Quotes of strings that end on their line; both if absent. */
  readonly quotes?: string;
  /** Those of them that may continue on the next line after all. Only used on whole files. */
  readonly multilineQuotes?: string;
  readonly hasRegexLiterals?: boolean;
  /** A single quote starts a lifetime unless it closes after one character. */
  readonly hasLifetimes?: boolean;
  /** `#if DEBUG` and the like. */
  readonly hasConditions?: boolean;
}

export interface Span {
  readonly open: string;
  readonly close: string;
  readonly kind: 'comment' | 'string' | 'raw string' | 'template';
}

export const BLOCK_COMMENT: Span = { open: '/*', close: '*/', kind: 'comment' };
const TRIPLE: Span = { open: '"""', close: '"""', kind: 'string' };
const TRIPLE_SINGLE: Span = { open: "'''", close: "'''", kind: 'string' };
const BACKTICK: Span = { open: '`', close: '`', kind: 'raw string' };
const TEMPLATE: Span = { open: '`', close: '`', kind: 'template' };

const SLASHES = /\/\//y;
const HASH = /#/y;

/** Languages that differ in how they write comments, strings and tests. */
const LANGUAGES = {
  javascript: {
    extensions: 'js jsx mjs cjs ts tsx mts cts vue svelte astro',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT, TEMPLATE],
    hasRegexLiterals: true,
  },
  python: { extensions: 'py pyi', lineComment: HASH, spans: [TRIPLE, TRIPLE_SINGLE] },
  ruby: {
    extensions: 'rb rake gemspec ru',
    lineComment: HASH,
    spans: [],
    multilineQuotes: `"'`,
  },
  go: { extensions: 'go', lineComment: SLASHES, spans: [BLOCK_COMMENT, BACKTICK] },
  rust: {
    extensions: 'rs',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT],
    multilineQuotes: '"',
    hasLifetimes: true,
  },
  swift: {
    extensions: 'swift',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT, TRIPLE],
    quotes: '"',
    hasConditions: true,
  },
  // The JVM's languages, and Dart, which looks like them.
  java: {
    extensions: 'java kt kts groovy scala dart',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT, TRIPLE],
  },
  csharp: {
    extensions: 'cs',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT, { ...TRIPLE, kind: 'raw string' }],
    hasConditions: true,
  },
  // `#[` opens an attribute.
  php: { extensions: 'php phtml', lineComment: /\/\/|#(?!\[)/y, spans: [BLOCK_COMMENT] },
  elixir: { extensions: 'ex exs', lineComment: HASH, spans: [TRIPLE] },
  shell: {
    extensions: 'sh bash dash ksh zsh bats',
    // Inside a word, as in `$#` or `a#b`, a hash is just a character.
    lineComment: /(?<!\S)#/y,
    spans: [],
    multilineQuotes: `"'`,
  },
  // With C++ and Objective-C.
  c: {
    extensions: 'c h cc cpp cxx hh hpp hxx m mm',
    lineComment: SLASHES,
    spans: [BLOCK_COMMENT],
    hasConditions: true,
  },
  // Two slashes are a comment in Sass but part of a URL in CSS.
  css: { extensions: 'css scss sass less pcss', lineComment: undefined, spans: [BLOCK_COMMENT] },
} as const satisfies Readonly<Record<string, LexicalSyntax & { readonly extensions: string }>>;

export type SourceLanguage = keyof typeof LANGUAGES;

export const lexicalSyntax = (language: SourceLanguage): LexicalSyntax => LANGUAGES[language];

/** By the file extension; undefined for a language that isn't in the table. */
export function sourceLanguage(path: string): SourceLanguage | undefined {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return undefined;
  return BY_EXTENSION.get(path.slice(dot + 1).toLowerCase());
}

const BY_EXTENSION: ReadonlyMap<string, SourceLanguage> = new Map(
  (Object.keys(LANGUAGES) as SourceLanguage[]).flatMap(language =>
    LANGUAGES[language].extensions.split(' ').map(extension => [extension, language] as const),
  ),
);

export interface FileRole {
  readonly isTest: boolean;
  /** Scripts, command-line tools, examples and loggers print on purpose. */
  readonly mayPrint: boolean;
  /** Tests, their data, documentation and samples: their contents are seldom real. */
  readonly isSample: boolean;
}

/** What a file is for, judging by its path. Several checks ask about the same file in a row. */
export function fileRole(path: string): FileRole {
  if (last?.path !== path) last = { path, role: roleOf(path) };
  return last.role;
}

let last: { readonly path: string; readonly role: FileRole } | undefined;

function roleOf(path: string): FileRole {
  const slash = path.lastIndexOf('/');
  const folders = path.slice(0, Math.max(slash, 0)).split('/');
  const name = path.slice(slash + 1);
  const isTest = folders.some(folder => TEST_FOLDER.test(folder)) || TEST_NAME.test(name);
  const mayPrint =
    isTest || folders.some(folder => PRINTING_FOLDER.test(folder)) || PRINTING_NAME.test(name);
  const isSample =
    isTest || folders.some(folder => SAMPLE_FOLDER.test(folder)) || SAMPLE_NAME.test(name);
  return { isTest, mayPrint, isSample };
}

// Case matters: `latest` isn't a test, `LoginTest` is.
const TEST_FOLDER =
  /^(?:[Tt]ests?|__tests?__|[Ss]pecs?|e2e|cypress|playwright|testing|androidTest|\w+[-_.][Tt]ests?|\w*[a-z0-9]Tests?)$/;

const TEST_NAME =
  /[._-](?:tests?|specs?|e2e|cy)\.[^.]+$|^test_.*\.py$|^conftest\.py$|[a-z0-9](?:Tests?|Specs?|IT|TestCase)\.[^.]+$/;

const PRINTING_FOLDER =
  /^(?:scripts?|bin|cli|cmd|commands?|tools?|tasks?|examples?|samples?|demos?|docs?|bench|benchmarks?|build|hooks|playgrounds?|seeds?|migrations?|fixtures|__fixtures__|__mocks__|\.\w+)$/;

const PRINTING_NAME =
  /^(?:cli|[Gg]ulpfile|[Gg]runtfile|logger|logging|log|console|debug|seed)\.|[.-](?:cli|config|script|logger|example|bench|stories)\.[^.]+$|^(?:Main|Program)\.[^.]+$|[a-z](?:Cli|CLI|Main|Logger|Example|Demo)\.[^.]+$/;

const SAMPLE_FOLDER =
  /^(?:docs?|documentation|[\w-]+\.docc|wiki|man|guides?|tutorials?|(?:examples?|samples?)(?:[-_]\w+)?|demos?|playgrounds?|[\w.-]*fixtures?|__fixtures__|__mocks__|__snapshots__|mocks?|stubs?|test[-_]?data|test[-_]?resources|cassettes|vcr(?:_cassettes)?|benchmarks?|\w+[-_.](?:examples?|samples?))$/i;

const SAMPLE_NAME =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|rdoc|pod|snap)$|^(?:README|CHANGELOG|CHANGES|HISTORY|CONTRIBUTING|SECURITY|NEWS|AUTHORS|CONTRIBUTORS|CREDITS)\b|[._-](?:example|sample|samples|dist|template|tmpl|default|mock|fixture|stub)s?(?:\.[^.]+)?$|^(?:example|sample|mock|fake|stub)[._-]|(?:^|[._-])localhost[._-]/i;
