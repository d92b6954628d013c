import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Command {
  readonly name: string;
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What must be so before each run; not measured. */
  readonly before?: () => void;
}

export interface Measured {
  readonly name: string;
  readonly milliseconds: number;
  /** Peak resident memory where the system tells it (Linux), else undefined. */
  readonly megabytes: number | undefined;
}

/** Runs the commands in turn, round after round, and gives the median of each. */
export async function measure(commands: readonly Command[], rounds: number): Promise<Measured[]> {
  const times = new Map(commands.map(command => [command, [] as Measured[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const command of commands) {
      command.before?.();
      times.get(command)?.push(await once(command));
    }
  }
  return commands.map(command => {
    const runs = times.get(command) ?? [];
    const memory = runs.map(run => run.megabytes ?? 0);
    return {
      name: command.name,
      milliseconds: median(runs.map(run => run.milliseconds)),
      megabytes: Math.max(...memory) || undefined,
    };
  });
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;

/** Extra certificates make every start of Node slower and so flatter our ratio. */
const plainEnvironment = (): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  return env;
};

function once({ name, argv: [program, ...args], cwd, env }: Command): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(program, args, {
      cwd,
      env: { ...plainEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid));
    }, 20);
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(watch);
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
      resolve({ name, milliseconds, megabytes: peak === 0 ? undefined : peak });
    });
  });
}

function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    // Gone already, or a system that does not tell.
    return 0;
  }
}
