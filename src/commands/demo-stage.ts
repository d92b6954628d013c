import type { DemoFolder } from '../adapters/demo/demo-folder.js';
import type { DemoScreen } from '../adapters/demo/demo-screen.js';
import type { Ran, Shell } from '../adapters/demo/demo-shell.js';
import { BotError } from '../core/failure.js';
import type { Brushes } from '../demo/chapter.js';
import type { Cast } from '../demo/story.js';

/** Where the scenes of the demo are played. */
export interface DemoStage {
  readonly cast: Cast;
  readonly folder: DemoFolder;
  readonly brushes: Brushes;
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
  readonly brushes: Brushes;
  readonly columns: number;
}

export function openStage({ shell, screen, ...props }: Props): DemoStage {
  const { bold } = props.brushes;
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
