import { setTimeout as sleep } from 'node:timers/promises';
import { BotError } from '../core/bot-error.js';
import type { DemoFolder } from './project.js';
import type { Ran, Shell } from './shell.js';
import type { Cast, Colors } from './story.js';

/** Where the scenes of the demo are played. */
export interface DemoStage {
  readonly cast: Cast;
  readonly folder: DemoFolder;
  readonly colors: Colors;
  readonly columns: number;
  readonly print: (text: string) => void;
  tell(lines: readonly string[]): void;
  /** Shows a command, runs it, and shows what it says. */
  type(typed: string, argv?: readonly string[]): Promise<Ran>;
  /** Git behind the scenes; it must work. */
  git(...args: string[]): Promise<string>;
}

export interface Props {
  readonly cast: Cast;
  readonly folder: DemoFolder;
  readonly shell: Shell;
  readonly screen: DemoScreen;
  readonly colors: Colors;
  readonly columns: number;
}

export function openStage({ shell, screen, ...props }: Props): DemoStage {
  const { bold } = props.colors;
  const { print } = screen;
  return {
    ...props,
    print,
    tell: lines => print(`${lines.join('\n')}\n`),
    type: async (typed, argv = typed.replace(/^npx /, '').split(' ')) => {
      print(`\n${bold(`$ ${typed}`)}\n`);
      const ran = await shell.run(argv);
      print(ran.shown);
      return ran;
    },
    git: async (...args) => {
      const { code, stdout, shown } = await shell.run(['git', ...args]);
      if (code === 0) return stdout.trimEnd();
      throw new BotError('git', `git ${args[0]} ends with exit code ${code}: ${shown.trim()}`);
    },
  };
}

/** The story is only told as long as it is true. */
export function mustHold(isSo: boolean, claim: string): void {
  if (!isSo) throw new BotError('bug', `it was to be shown that ${claim}, and that is not so`);
}

export interface DemoScreen {
  print(text: string): void;
  /** Time to read, where somebody reads. */
  rest(): Promise<void>;
}

/** A screen of text takes longer to read; this is enough to see that a step is over. */
const REST_MS = 1500;

/** Standard output as the story goes on, instead of all of it at the end. */
export function openDemoScreen(options: {
  readonly isHurried: boolean;
  readonly signal: AbortSignal;
}): DemoScreen {
  const { stdout } = process;
  return {
    print: text => void stdout.write(text),
    rest: async () => {
      if (options.isHurried || stdout.isTTY !== true) return;
      await sleep(REST_MS, undefined, { signal: options.signal }).catch(() => undefined);
    },
  };
}
