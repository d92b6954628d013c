export type Language =
  | 'script'
  | 'python'
  | 'go'
  | 'rust'
  | 'swift'
  | 'ruby'
  | 'shell'
  | 'style'
  | 'java'
  | 'other';

const ENDINGS: ReadonlyArray<readonly [Language, RegExp]> = [
  ['script', /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/],
  ['python', /\.pyi?$/],
  ['go', /\.go$/],
  ['rust', /\.rs$/],
  ['swift', /\.swift$/],
  ['ruby', /\.(?:rb|rake|gemspec|ru)$/],
  ['shell', /\.(?:sh|bash|dash|ksh|zsh|bats)$/],
  ['style', /\.(?:css|scss|sass|less|pcss)$/],
  ['java', /\.(?:java|kt|kts|cs|php|scala|dart)$/],
];

/** By the ending of the name; enough to know how comments and declarations look. */
export const languageOf = (path: string): Language =>
  ENDINGS.find(([, ending]) => ending.test(path.toLowerCase()))?.[0] ?? 'other';
