import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';

const exec = promisify(execFile);

/** Why there is no terminal to look at; undefined where there is one. */
export const noScreen: string | undefined =
  spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed';

export interface Screen {
  /** Types a line and waits until the prompt is back. */
  type(line: string): Promise<void>;
  /** Presses keys and waits for nothing. */
  press(...keys: string[]): Promise<void>;
  /** What stands on it now, without the empty rest. */
  shown(): Promise<string>;
  /** The same with the lines that the terminal has broken joined again. */
  joined(): Promise<string>;
  waitFor(what: RegExp, mostMs?: number): Promise<void>;
  clear(): Promise<void>;
}

/** A real terminal in a folder, 80 × 40 unless said otherwise, with a plain shell. */
export async function withScreen(
  {
    cwd,
    env,
    columns = 80,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly columns?: number;
  },
  body: (screen: Screen) => Promise<void>,
): Promise<void> {
  const socket = join(cwd, '.git', 'screen');
  const tmux = async (...args: string[]): Promise<string> =>
    (
      await exec('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
        cwd,
        // It starts programs with the user's shell, which may be none.
        env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' },
      })
    ).stdout;
  const shown = async (): Promise<string> =>
    (await tmux('capture-pane', '-p')).trimEnd().replace(/^\n+/, '');
  const waitFor = async (what: RegExp, mostMs = 120_000): Promise<void> => {
    for (const end = Date.now() + mostMs; !what.test(await shown()); await wait(50)) {
      if (Date.now() > end) throw new Error(`${what} never showed:\n${await shown()}`);
    }
  };
  await tmux('new-session', '-d', '-x', `${columns}`, '-y', '40', 'env PS1="$ " sh');
  try {
    await waitFor(/^\$$/m);
    await body({
      shown,
      joined: async () => (await tmux('capture-pane', '-p', '-J')).replace(/ +$/gm, '').trim(),
      waitFor,
      press: async (...keys) => void (await tmux('send-keys', ...keys)),
      type: async line => {
        await tmux('send-keys', '-l', '--', line);
        await tmux('send-keys', 'Enter');
        await waitFor(/\$ .*\n(?:[\s\S]*\n)?\$$/);
      },
      clear: async () => {
        await tmux('send-keys', '-R');
        await tmux('clear-history');
        await tmux('send-keys', 'Enter');
        await waitFor(/^\$$/);
      },
    });
  } finally {
    await tmux('kill-server').catch(() => undefined);
  }
}

/**
 * Holds a screen to the one that a person has looked at. To look anew and keep what is there:
 * APFEL_BOT_KEEP_SCREENS=1.
 */
export async function looksLike(
  name: string,
  shown: string,
  names: ReadonlyArray<[string, string]>,
) {
  const file = resolve('fixtures', 'screens', `${name}.txt`);
  const text = `${names
    .reduce((seen, [found, told]) => seen.replaceAll(found, told), shown)
    .replace(/\b[0-9a-f]{7,40}\b/g, 'SHA')
    .replace(/\b\d+\.\d+ s\b/g, 'N s')
    .replace(/\b\d{4}-\d\d-\d\d [\d:]+ UTC/g, 'TIME')
    .replace(/\brun [0-9A-Z]{26}\b/g, 'run RUN')
    // On a busy machine a clean commit takes long enough to be worth a word.
    .replace(/^apfel-bot: clean · .*\n/gm, '')}\n`;
  if (process.env['APFEL_BOT_KEEP_SCREENS'] === '1') {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  assert.snapshot(text, await readFile(file, 'utf8'));
}
