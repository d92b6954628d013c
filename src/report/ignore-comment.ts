import { forTerminal } from '../platform/safe-text.js';

/**
 * The text that silences a rule, ready to paste: a comment in the file's language, or the
 * configuration key if the file can't have comments.
 */
export function ignoreLine(rule: string, path: string): string {
  const shown = forTerminal(rule);
  const comment = `apfel-bot-ignore ${shown} reason`;
  if (ABOUT_WHOLE_FILES.has(rule)) return offSwitch(shown);
  const style = COMMENT_STYLES.get(kindOf(path));
  if (style === 'none') return offSwitch(shown);
  if (style === undefined) return comment;
  const [open, close] = style.split(' ');
  return [open, comment, close].filter(part => part !== undefined).join(' ');
}

const offSwitch = (rule: string): string => `"checks": {${JSON.stringify(rule)}: "off"}`;

/** These rules aren't about a line. */
const ABOUT_WHOLE_FILES: ReadonlySet<string> = new Set([
  'case-collision',
  'large-file',
  'new-binary',
  'private-file',
  'junk-file',
  'portable-name',
  'broken-symlink',
  'exec-bit',
  'lfs-pointer',
]);

/** The extension, or the whole name of files without one, such as `Dockerfile`. */
function kindOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.slice(name.lastIndexOf('.') + 1);
}

const STYLES: Readonly<Record<string, string>> = {
  '//':
    'js jsx mjs cjs ts tsx mts cts java kt kts swift go rs c h cc cpp cxx hpp cs m mm scala ' +
    'dart php groovy gradle proto zig scss less jsonc json5 sol glsl metal v fs',
  '#':
    'py pyi rb sh bash zsh fish yml yaml toml tf pl pm r ex exs cr nim ps1 mk cmake conf cfg env ' +
    'properties dockerfile makefile gnumakefile gemfile rakefile podfile fastfile ' +
    'brewfile justfile codeowners gitignore gitattributes gitmodules dockerignore npmrc ' +
    'editorconfig nix graphql bzl jl',
  '<!-- -->': 'html htm xhtml xml svg md markdown vue svelte plist storyboard xib csproj',
  '/* */': 'css',
  '--': 'sql lua hs elm ada adb ads vhd vhdl',
  ';': 'ini clj cljs edn el lisp scm asm',
  '%': 'tex sty bib erl',
  '"': 'vim',
  none: 'json lock webmanifest map ipynb geojson har csv tsv pem key crt cer pub asc',
};

const COMMENT_STYLES: ReadonlyMap<string, string> = new Map(
  Object.entries(STYLES).flatMap(([style, kinds]) =>
    kinds.split(' ').map((kind): [string, string] => [kind, style]),
  ),
);
