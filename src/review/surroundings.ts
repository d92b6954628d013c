/** Language names as people write them, by file extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  swift: 'Swift',
  m: 'Objective-C',
  mm: 'Objective-C++',
  h: 'C',
  c: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  vue: 'Vue',
  svelte: 'Svelte',
  py: 'Python',
  pyi: 'Python',
  rb: 'Ruby',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  cs: 'C#',
  php: 'PHP',
  pl: 'Perl',
  pm: 'Perl',
  lua: 'Lua',
  dart: 'Dart',
  ex: 'Elixir',
  exs: 'Elixir',
  r: 'R',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  sql: 'SQL',
  css: 'CSS',
  scss: 'SCSS',
  html: 'HTML',
  yml: 'YAML',
  yaml: 'YAML',
  json: 'JSON',
  toml: 'TOML',
  md: 'Markdown',
};

export function languageName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return LANGUAGES[ending] ?? 'text';
}

/** Keywords that open a function or a type in the languages above. */
const KEYWORD =
  /^\s*(?:(?:export|default|public|private|protected|internal|fileprivate|open|static|final|abstract|override|async|unsafe|pub(?:\([^)]*\))?|mutating|inline|virtual|sealed|data|suspend|convenience|required|nonisolated|indirect|partial|local|@\w+(?:\([^)]*\))?)\s+)*(?:func|fn|def|defp|defmodule|function\*?|class|struct|enum|protocol|extension|actor|interface|trait|impl|module|namespace|object|record|sub|fun|init|deinit|subscript|type)\b/;
/** `name(…) {`, `Type name(…)`, `- (void)name:`, `name = (…) =>`, `name: function (`. */
const SHAPE =
  /^[-+]\s*\(|^\s*(?:[\w$#<>[\],:*&?.~@]+\s+)*[\w$#~:]+\s*\([^;]*(?:\)\s*(?:const|noexcept|throws\s+[\w, .]+|->?\s*[^{;]+|:\s*[^{;]+)?\s*\{?|,)\s*$|(?:=>|->)\s*\{?\s*$|[:=]\s*(?:async\s+)?function\b/;
const CONTROL =
  /^\s*(?:\}\s*)?(?:if|else|for|foreach|while|switch|case|default|do|try|catch|guard|return|with|match|when|repeat|defer|finally|elif|elsif|except|unless|until|loop|select|using|lock|synchronized|begin|rescue|ensure|then|await|yield|throw|raise|let|var|const)\b(?!.*(?:=>|\bfunction\b))/;
/** A file may be long; enclosing code is near. */
const MAX_WALKED = 2000;
const MAX_HEADERS = 2;
const LONGEST_HEADER = 120;

/**
 * The functions and types around a line (an index into the file), outermost first, found by
 * indentation: a line that is indented less and opens a function or a type encloses it.
 */
export function enclosing(file: readonly string[], at: number): string[] {
  const headers: string[] = [];
  let indent = indentAt(file, at);
  for (let row = at - 1; row >= Math.max(0, at - MAX_WALKED) && indent > 0; row -= 1) {
    const text = file[row] ?? '';
    const own = indentOf(text);
    if (own === undefined || own >= indent || /^\s*\{\s*$/.test(text)) continue;
    // The end of a header that spans lines: it begins at the same depth.
    if (/^\s*[)\]]/.test(text)) {
      indent = own + 1;
      continue;
    }
    indent = own;
    if (!KEYWORD.test(text) && (CONTROL.test(text) || !SHAPE.test(text))) continue;
    headers.unshift(
      text
        .trim()
        .replace(/\s*\{$/, '')
        .slice(0, LONGEST_HEADER),
    );
    if (headers.length === MAX_HEADERS) break;
  }
  return headers;
}

/** Undefined for a line without text. A tab counts as four columns. */
function indentOf(text: string): number | undefined {
  const space = text.search(/\S/);
  if (space === -1) return undefined;
  return text.slice(0, space).replaceAll('\t', '    ').length;
}

/** A blank line belongs to what follows it. */
function indentAt(file: readonly string[], at: number): number {
  for (let row = at; row < file.length; row += 1) {
    const indent = indentOf(file[row] ?? '');
    if (indent !== undefined) return indent;
  }
  return 0;
}

/** A small hunk gets more lines around it; a large one has its own context. */
const SMALL_HUNK = 25;
const BEFORE = 5;
const AFTER = 2;

/** How many lines of the file to show before and after a hunk, besides git's. */
export const linesAround = (changedLines: number): { before: number; after: number } =>
  changedLines > SMALL_HUNK ? { before: 0, after: 0 } : { before: BEFORE, after: AFTER };
