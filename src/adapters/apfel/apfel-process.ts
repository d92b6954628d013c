import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** A server process of ours. It does not outlive us, however we end. */
export interface ApfelProcess {
  /** The exit code once it has ended; a signal counts as 128 and more. */
  readonly ended: Promise<number>;
  isRunning(): boolean;
  /** The last it wrote to stderr. */
  complaint(): string;
  stop(): Promise<void>;
}

/**
 * The shell stands between apfel and us. Its watcher reads from a pipe whose other end we hold:
 * when that end closes, because we say so or because we are dead, the watcher ends apfel. The
 * command comes in as arguments; no text of anybody's is put into the script.
 */
const WATCH = `
exec 3<&0 </dev/null
"$@" 3<&- &
child=$!
( read -r _ <&3; kill -TERM "$child"; sleep 0.5; kill -KILL "$child" ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"
`;

/** SIGTERM at once, SIGKILL after 0.5 s, both by the watcher; then we look no further. */
const LONGEST_STOP_MS = 1500;
const MOST_COMPLAINT = 4096;

export function spawnApfel(command: {
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}): ApfelProcess {
  const args = ['-c', WATCH, 'apfel-bot', command.executable, ...command.args];
  // Detached: a group of its own, which Ctrl-C in the terminal does not reach before we do.
  const shell = spawn('/bin/sh', args, {
    env: command.env,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  const complaint = collect(shell);
  let isRunning = true;
  const ended = endOf(shell).finally(() => {
    isRunning = false;
  });
  letGo(shell);
  return {
    ended,
    isRunning: () => isRunning,
    complaint,
    stop: async () => {
      if (!isRunning) return;
      shell.stdin?.destroy();
      if (!(await isOver(ended, LONGEST_STOP_MS))) killGroup(shell);
    },
  };
}

function collect(shell: ChildProcess): () => string {
  let text = '';
  shell.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-MOST_COMPLAINT);
  });
  return () => text;
}

function endOf(shell: ChildProcess): Promise<number> {
  return new Promise(resolve => {
    shell.on('error', () => resolve(127));
    // `close` comes after the last of stderr, but not at all while somebody else holds it open.
    shell.on('exit', code => setTimeout(() => resolve(code ?? 128), 100));
    shell.on('close', code => resolve(code ?? 128));
    shell.stdin?.on('error', () => undefined);
  });
}

/** A server nobody closed must not keep the program from ending; ending is what stops it. */
function letGo(shell: ChildProcess): void {
  shell.unref();
  for (const pipe of [shell.stdin, shell.stderr]) if (pipe instanceof Socket) pipe.unref();
}

async function isOver(ended: Promise<number>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const inTime = ended.then(() => true as const);
  try {
    return await Promise.race([inTime, late]);
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(shell: ChildProcess): void {
  if (shell.pid === undefined) return;
  try {
    process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // Gone in the meantime, which is what was wanted.
  }
}
