import { BARE_NAMES, groundingOf, isRefusal } from '../agent/grounding.js';

/** Longer titles are cut by the tools that show them. */
const MAX_TITLE = 72;

/** One line, at most 72 characters, no full stop; empty if nothing is left. */
export function tidyTitle(text: string): string {
  const line = text
    .slice(0, 1000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/^(?:title|subject) ?: ?/i, '')
    .replace(/^["'`*#]+ ?/, '');
  const short = line.length <= MAX_TITLE ? line : cutAtWord(line);
  // Punctuation alone says nothing.
  return /\p{L}{2}/u.test(short) ? withoutEnd(short, END_SIGNS) : '';
}

function cutAtWord(line: string): string {
  const space = line.lastIndexOf(' ', MAX_TITLE);
  const words = line.slice(0, space > 0 ? space : MAX_TITLE).split(' ');
  // A title that ends with a small word reads like a mistake.
  while (words.length > 1 && SMALL_WORDS.has((words.at(-1) ?? '').toLowerCase())) words.pop();
  return words.join(' ');
}

const SMALL_WORDS = new Set(
  'a an the of in on at to for from by with and or but so that which when while because as is are be its into than then if via'.split(
    ' ',
  ),
);

const END_SIGNS = '.,;:!"\'`* ';

function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A title from facts alone. */
export function plainTitle(files: readonly ChangedFile[]): string {
  const [only, second] = files;
  if (only === undefined) return 'Change nothing';
  if (second === undefined) return tidyTitle(`Change ${shortPath(only.path)}`);
  const folder = sharedFolder(files.map(file => file.path));
  const where = folder === '' ? '' : ` in ${shortPath(folder)}`;
  return tidyTitle(`Change ${files.length} files${where}`);
}

const shortPath = (path: string): string =>
  path.length <= 50 ? path : path.slice(path.lastIndexOf('/') + 1);

function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map(path => path.split('/').slice(0, -1));
  const shared = first.findIndex((segment, at) => others.some(other => other[at] !== segment));
  return first.slice(0, shared === -1 ? undefined : shared).join('/');
}

/** A sentence from facts alone, for a part that the model didn't describe. */
export function plainSummary(files: readonly ChangedFile[]): string {
  const rows = files
    .slice(0, MAX_NAMED)
    .map(({ path, added, removed }) => `${path} (+${added} -${removed})`);
  const rest = files.length - rows.length;
  return `Changes ${rows.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

const MAX_NAMED = 5;

/**
 * Drops every sentence that names a file that didn't change, or code and numbers that aren't in
 * what the model was shown. The result may be empty.
 */
export function keepTrueMentions(
  text: string,
  changed: readonly string[],
  shown: string,
): { readonly text: string; readonly dropped: number } {
  const known = knownNames(changed);
  const sentences = text
    .slice(0, MAX_CHARACTERS)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .split(/(?<=[.!?]) /)
    .filter(sentence => sentence !== '' && !isRefusal(sentence));
  const isTrue = (sentence: string): boolean =>
    strangersIn(sentence, known).length === 0 &&
    groundingOf(sentence, [shown, ...changed]).unproven.length === 0;
  const kept = sentences.filter(isTrue);
  return { text: kept.join(' '), dropped: sentences.length - kept.length };
}

/** No summary is longer; a model that doesn't stop is cut off. */
const MAX_CHARACTERS = 4000;

interface KnownNames {
  /** Whole paths, their ends and their folders. */
  readonly parts: ReadonlySet<string>;
  /** Paths that don't look like one word. */
  readonly odd: readonly string[];
}

function knownNames(changed: readonly string[]): KnownNames {
  const parts = new Set<string>();
  for (const path of changed) {
    const segments = path.split('/');
    for (const at of segments.keys()) {
      parts.add(segments.slice(at).join('/'));
      parts.add(segments.slice(0, at + 1).join('/'));
    }
    const [stem = ''] = (segments.at(-1) ?? '').split('.');
    if (BARE_NAMES.includes(stem)) parts.add(stem);
  }
  return { parts, odd: changed.filter(path => !/^[\p{L}\p{N}_.@~+/-]+$/u.test(path)) };
}

/** Words that look like a file or a folder but aren't among the changed ones. */
function strangersIn(sentence: string, { parts, odd }: KnownNames): string[] {
  const rest = odd.reduce((text, path) => text.replaceAll(path, ' '), sentence);
  const words = rest.match(/[\p{L}\p{N}_.@~+/\\-]+/gu) ?? [];
  return words
    .map(word => withoutEnd(word.replaceAll('\\', '/').replace(/^\.\//, ''), '.-'))
    .filter(word => readsLikePath(word) && !parts.has(word.replace(/\/$/, '')));
}

function readsLikePath(word: string): boolean {
  if (word.includes('/')) return !EVERYDAY_PAIRS.has(word.toLowerCase());
  if (BARE_NAMES.includes(word)) return true;
  const dot = word.lastIndexOf('.');
  if (dot === -1 || PRODUCTS.has(word.toLowerCase())) return false;
  // `.gitignore`, `.env`: nothing but an extension.
  if (dot === 0) return /^\.[a-z]/.test(word);
  return ENDINGS.has(word.slice(dot + 1).toLowerCase());
}

/** Products that look like a file name. */
const PRODUCTS = new Set(
  'node.js vue.js next.js nuxt.js express.js d3.js three.js ember.js backbone.js react.js angular.js asp.net vb.net'.split(
    ' ',
  ),
);

const EVERYDAY_PAIRS = new Set(
  'and/or either/or read/write input/output i/o client/server request/response true/false yes/no on/off start/stop enable/disable enabled/disabled add/remove get/set tcp/ip try/catch if/else async/await left/right min/max key/value n/a w/o ci/cd pass/fail open/close import/export push/pull before/after success/failure http/https null/undefined'.split(
    ' ',
  ),
);

const ENDINGS = new Set(
  'ts tsx mts cts js jsx mjs cjs json jsonc json5 md mdx txt rst yml yaml toml ini cfg conf env lock py pyi rb go rs swift java kt kts scala c h cc cpp cxx hpp hh m mm cs fs vb php pl pm lua r jl sh bash zsh fish ps1 bat cmd sql graphql gql proto xml html htm css scss sass less svg png jpg jpeg gif webp ico pdf csv tsv ipynb vue svelte astro dart ex exs erl hs ml clj elm nim zig tf hcl gradle cmake mk dockerfile patch diff snap map wasm plist xcconfig storyboard'.split(
    ' ',
  ),
);
