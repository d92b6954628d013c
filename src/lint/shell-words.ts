import { field, stringOf } from '../core/json-fields.js';

/** One command of a script: `VAR=x` before it, then its words. */
export interface ShellCommand {
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Where it runs, after every `cd`. */
  readonly folder: string;
}

interface ReadShell {
  readonly commands: readonly ShellCommand[];
  /** What it contains that isn't supported, as the end of a sentence. */
  readonly problem?: string;
  /** The words from the first command that isn't read, if those before it are. */
  readonly rest?: string;
}

/** Expands an unquoted glob of the script, as a shell would. */
export type ExpandGlob = (pattern: string, folder: string) => readonly string[];

/**
 * Commands made of words, `VAR=x` and `&&`, up to the first one that is more than that: `a` of `a && b | c`.
 * Anything else a shell can do is rejected, not guessed.
 */
export async function readShell(
  text: string,
  start: string,
  expand: ExpandGlob,
): Promise<ReadShell> {
  const { parse } = await import('shell-quote');
  if (/[`\n]/.test(text.trim())) return { commands: [], problem: 'it has a backtick or two lines' };
  const commands: Array<{ env: Record<string, string>; words: string[]; folder: string }> = [];
  let folder = start;
  let current: (typeof commands)[number] = { env: {}, words: [], folder };
  const parts = parse(text, name => (name === '' ? '$' : { op: `$${name}` }));
  for (const [at, part] of [...parts, { op: '&&' }].entries()) {
    if (typeof part === 'object' && 'comment' in part) continue;
    if (typeof part === 'object' && part.op === '&&') {
      const [program, target = ''] = current.words;
      if (program === 'cd') folder = joinPath(folder, target) ?? folder;
      else commands.push(current);
      current = { env: {}, words: [], folder };
      continue;
    }
    if (typeof part === 'object' && part.op !== 'glob') {
      const problem = `it uses ${shellPart(part.op)}`;
      if (parts.some(isJoin)) return { commands: [], problem };
      const rest = [...current.words, ...parts.slice(at).map(wordOf)].join(' ');
      return { commands, problem, rest };
    }
    const [word = '', ...more] =
      typeof part === 'string' ? [part] : expand('pattern' in part ? part.pattern : '', folder);
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && current.words.length === 0) current.env[name] = value;
    else current.words.push(word, ...more);
  }
  return { commands };
}

/** What decides whether the commands before it run, or hides that they fail. */
const isJoin = (part: unknown): boolean =>
  /^(?:;;?|&|\|\||[()])$/.test(stringOf(field(part, 'op')) ?? '');

const wordOf = (part: unknown): string =>
  stringOf(part) ?? stringOf(field(part, 'pattern')) ?? stringOf(field(part, 'op')) ?? '';

const shellPart = (op: string): string =>
  op.startsWith('$') ? `the variable ${op}` : `the shell operator '${op}'`;

/** The folder of a path; empty for the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A path relative to a folder, both from the top; undefined if it leads outside. */
export function joinPath(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/**
 * What a shell makes of an unquoted glob: files and folders, sorted, or the pattern itself if
 * nothing matches. In `sh`, which runs scripts, `**` is the same as `*`.
 */
export const expandGlob =
  (paths: readonly string[]): ExpandGlob =>
  (pattern, folder) => {
    const isMatch = globPattern(pattern.replace(/^(?:\.\/)+/, ''), false);
    const names = new Set<string>();
    for (const path of paths) {
      if (folder !== '' && !path.startsWith(`${folder}/`)) continue;
      const parts = path.slice(folder === '' ? 0 : folder.length + 1).split('/');
      const depth = pattern.replace(/^(?:\.\/)+/, '').split('/').length;
      if (parts.length < depth) continue;
      const name = parts.slice(0, depth).join('/');
      if (isMatch.test(name)) names.add(name);
    }
    return names.size === 0 ? [pattern] : [...names].sort();
  };

/** A glob as a regular expression: `*`, `?`, `[…]`, and `**` for any folders if requested. */
export function globPattern(glob: string, withGlobstar: boolean): RegExp {
  const source = glob.replace(/\*\*\/|\*+|\?|\[[^\]/]+\]|[\\^$.+(){}|[\]]/g, (mark, at: number) => {
    const atStart = at === 0 || glob[at - 1] === '/';
    if (mark === '**/') return withGlobstar ? '(?:.*/)?' : '(?!\\.)[^/]*/';
    if (mark.startsWith('*')) {
      if (withGlobstar && mark.length > 1) return '.*';
      return atStart ? '(?!\\.)[^/]*' : '[^/]*';
    }
    if (mark === '?') return '[^/]';
    return mark.length > 1 ? mark.replace(/^\[!/, '[^') : `\\${mark}`;
  });
  return new RegExp(`^${source}$`);
}
