import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from './processes.js';

/** The width if the terminal reports none, or 0. */
const PLAIN_COLUMNS = 80;
/** Wider than this, lines are hard to read. */
const MAX_COLUMNS = 120;

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * A terminal that somebody is watching: the pre-commit framework gives its hooks one without a
 * size.
 */
export const isScreen = (stream: Screen): boolean => stream.isTTY === true && stream.columns !== 0;

/** `NO_COLOR` takes precedence over `FORCE_COLOR`, and that over the kind of stream. */
export function wantsColor(env: Environment, screen: Screen): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return screen.isTTY === true && env['TERM'] !== 'dumb';
}

export const screenColumns = (screen: Screen): number =>
  Math.min(screen.columns || PLAIN_COLUMNS, MAX_COLUMNS);

/** A command in a message: up to the end of its clause. */
const COMMAND =
  /(?<=(?<!^apfel-bot): {1,2}|\b[Rr]un )(?:apfel-bot|bunx|git|npm|npx|pnpm|yarn) [^;()]+/g;

/** Breaks lines between words, but not inside a command or a path: a long one gets a line of its own. */
export const wrapLines = (text: string, columns: number): string =>
  text
    .split('\n')
    .map(line => wrapLine(line, columns))
    .join('\n');

/** Colours take no room. */
const shownLength = (text: string): number => text.replace(/\x1b\[\d*m/g, '').length;

function wrapLine(line: string, columns: number): string {
  if (shownLength(line) <= columns) return line;
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  // Spaces that must stay are NUL until the end.
  const words = line
    .trimStart()
    .replace(COMMAND, part => part.replaceAll(' ', '\0'))
    .split(' ');
  let row = indent.slice(2) + (words.shift() ?? '');
  const rows: string[] = [];
  for (const word of words) {
    if (shownLength(row) + 1 + shownLength(word) <= columns) row += ` ${word}`;
    else if (word !== '') {
      rows.push(row.trimEnd());
      row = indent + word;
    }
  }
  return [...rows, row].join('\n').replaceAll('\0', ' ');
}

let erase = (): void => undefined;

/** Set by the progress, which most hooks never load, to remove its rows from the screen. */
export const whenErasing = (act: () => void): void => {
  erase = act;
};

/** Removes them at once, for a process that is about to exit. */
export const eraseRows = (): void => erase();

/** A folder of the installed package. */
export const packageFolder = (name: string): string =>
  // Package managers link to it.
  join(dirname(dirname(realpathSync(process.argv[1] ?? '.'))), name);

/** Defined by scripts/build.mjs. */
declare const APFEL_BOT_VERSION: string | undefined;

export const packageVersion = (): string =>
  typeof APFEL_BOT_VERSION === 'string' ? APFEL_BOT_VERSION : '0.0.0-unbuilt';

declare const APFEL_BOT_HOMEPAGE: string | undefined;

/** Where the repository of this build is, if package.json names it. */
export const homepage = (): string | undefined =>
  typeof APFEL_BOT_HOMEPAGE === 'string' ? APFEL_BOT_HOMEPAGE : undefined;
