import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, Socket } from 'node:net';
import type { Environment } from '../platform/processes.js';
import { oneLine } from '../platform/safe-text.js';
import { cleanEnvironment } from './apfel-program.js';
import type { Endpoint } from './attempt.js';
import type { ServerKeeper, Timing } from './client.js';
import { type Health, probe } from './probe.js';

export interface StartOptions {
  readonly executable: string;
  readonly environment: Environment;
  readonly pace: Timing;
  /** For a server that stays after the run: a file with its id and the time when it ends. */
  readonly until?: { readonly file: string; readonly id: string };
}

type Start =
  | { readonly started: true; readonly server: StartedServer }
  | { readonly started: false; readonly reason: string };

interface StartedServer {
  readonly endpoint: Endpoint;
  readonly health: Health;
  readonly process: ApfelProcess;
}

/** Upstream's own tests wait 10 to 20 s for a cold machine. */
const MAX_START_MS = 15_000;
const POLL_MS = 50;
const PROBE_MS = 500;

/**
 * Starts `apfel --serve` on a free loopback port and waits until it answers. Its token is new each
 * time, and passed in the environment because every user can see arguments.
 */
export async function startApfel(options: StartOptions, signal: AbortSignal): Promise<Start> {
  for (let tries = 0; tries < 2; tries += 1) {
    const start = await startOnce(options, signal);
    // Another process may have taken the port in the meantime.
    if (start !== 'port-taken') return start;
  }
  return { started: false, reason: 'apfel found no free port, twice: try again' };
}

async function startOnce(
  options: StartOptions,
  signal: AbortSignal,
): Promise<Start | 'port-taken'> {
  const token = randomBytes(24).toString('hex');
  const port = await freePort();
  const process = spawnApfel({
    executable: options.executable,
    args: ['--serve', '--host', '127.0.0.1', '--port', String(port)],
    env: { ...cleanEnvironment(options.environment), APFEL_TOKEN: token },
    until: options.until,
  });
  const endpoint = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: token };
  try {
    const health = await waitUntilReady({ process, endpoint, pace: options.pace, signal });
    if (health !== undefined) return { started: true, server: { endpoint, health, process } };
    const wasRunning = process.isRunning();
    // Not awaited: the time is up, and the watcher stops it.
    void process.stop();
    if (process.errorOutput().includes('already in use')) return 'port-taken';
    return { started: false, reason: await whyNot(process, wasRunning) };
  } catch (thrown) {
    void process.stop();
    throw thrown;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** The banner says "ready" before the socket is bound, so `/health` is polled instead. */
async function waitUntilReady(wait: {
  readonly process: ApfelProcess;
  readonly endpoint: Endpoint;
  readonly pace: Timing;
  readonly signal: AbortSignal;
}): Promise<Health | undefined> {
  const { process, endpoint, pace, signal } = wait;
  const lateAt = pace.remainingMs() - MAX_START_MS;
  while (process.isRunning() && pace.remainingMs() > Math.max(0, lateAt)) {
    const timeoutMs = Math.min(PROBE_MS, pace.remainingMs());
    const answer = await probe(endpoint.baseUrl, { timeoutMs, signal, allowRemote: false });
    if (answer.kind === 'apfel' && process.isRunning()) return answer.health;
    await Promise.race([pace.sleep(POLL_MS, signal), process.ended]);
  }
  return undefined;
}

async function whyNot(process: ApfelProcess, wasRunning: boolean): Promise<string> {
  if (wasRunning) return 'apfel was started but did not answer in time: run apfel --serve by hand';
  // The system's loader, on a Mac without the framework that apfel is built on.
  if (/^dyld\b/m.test(process.errorOutput())) {
    return 'this macOS is too old for apfel, which needs macOS 26: update macOS, or review without a model (--no-model)';
  }
  const lastLine = oneLine(process.errorOutput().trim().split('\n').at(-1) ?? '');
  const code = await process.ended;
  const detail = lastLine === '' ? '' : ` (${lastLine})`;
  return `apfel --serve ended with ${code}${detail}: run it by hand`;
}

/** Restarts the server once if it dies, and stops it at the end. */
export function keepServer(started: StartedServer, options: StartOptions): ServerKeeper {
  let server = started;
  let canRestart = true;
  const isAnswering = async (signal: AbortSignal): Promise<boolean> => {
    if (!server.process.isRunning()) return false;
    const timeoutMs = Math.min(PROBE_MS, options.pace.remainingMs());
    const probeOptions = { timeoutMs, signal, allowRemote: false };
    return (await probe(server.endpoint.baseUrl, probeOptions)).kind === 'apfel';
  };
  return {
    restart: async signal => {
      // The connection broke, but the server is still running.
      if (await isAnswering(signal)) return server.endpoint;
      if (!canRestart) return undefined;
      canRestart = false;
      await server.process.stop();
      const again = await startApfel(options, signal);
      if (!again.started) return undefined;
      server = again.server;
      return server.endpoint;
    },
    stop: () => server.process.stop(),
  };
}

/** A server that we started. It stops when this process ends, however that happens. */
interface ApfelProcess {
  /** The exit code once it has ended; a signal counts as 128 and more. */
  readonly ended: Promise<number>;
  isRunning(): boolean;
  /** The last of its stderr. */
  errorOutput(): string;
  stop(): Promise<void>;
}

/**
 * The shell runs apfel and a watcher that reads from a pipe to this process. When the pipe closes,
 * because we closed it or because we died, the watcher kills apfel. The command is passed as
 * arguments; nothing is interpolated into the script.
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

/**
 * Runs apfel until the time in the file, or until the file is deleted or names another server; needs
 * no other process.
 */
const WATCH_TIME = `
file=$1 id=$2
shift 2
echo $$ >"$file.$id"
"$@" &
child=$!
while kill -0 "$child" && read -r until named <"$file" && [ "$named" = "$id" ] &&
  [ "$(date +%s)" -lt "$until" ]; do sleep 1; done
kill -TERM "$child"
sleep 0.5
kill -KILL "$child"
rm -f "$file.$id"
`;

/** The watcher sends SIGTERM at once and SIGKILL after 0.5 s. */
const MAX_STOP_MS = 1500;
const MAX_ERROR_OUTPUT = 4096;

function spawnApfel(command: {
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly until: StartOptions['until'];
}): ApfelProcess {
  const { until } = command;
  const isKept = until !== undefined;
  const script = isKept ? [WATCH_TIME, 'apfel-bot', until.file, until.id] : [WATCH, 'apfel-bot'];
  const args = ['-c', ...script, command.executable, ...command.args];
  // Detached: in its own process group, so that Ctrl-C in the terminal doesn't reach it.
  const shell = spawn('/bin/sh', args, {
    env: command.env,
    // A server that stays must not write to a pipe that nobody reads.
    stdio: isKept ? 'ignore' : ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  const errorOutput = collect(shell);
  let isRunning = true;
  const ended = endOf(shell).finally(() => {
    isRunning = false;
  });
  unrefAll(shell);
  return {
    ended,
    isRunning: () => isRunning,
    errorOutput,
    stop: async () => {
      if (!isRunning) return;
      if (isKept) return killGroup(shell);
      shell.stdin?.destroy();
      if (!(await endsWithin(ended, MAX_STOP_MS))) killGroup(shell);
    },
  };
}

function collect(shell: ChildProcess): () => string {
  let text = '';
  shell.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-MAX_ERROR_OUTPUT);
  });
  return () => text;
}

function endOf(shell: ChildProcess): Promise<number> {
  return new Promise(resolve => {
    shell.on('error', () => resolve(127));
    // `close` comes after the last of stderr, but never while another process holds it open.
    shell.on('exit', code => setTimeout(() => resolve(code ?? 128), 100));
    shell.on('close', code => resolve(code ?? 128));
    shell.stdin?.on('error', () => undefined);
  });
}

/** A server that was not closed must not keep this process alive; its end stops the server. */
function unrefAll(shell: ChildProcess): void {
  shell.unref();
  for (const pipe of [shell.stdin, shell.stderr]) if (pipe instanceof Socket) pipe.unref();
}

async function endsWithin(ended: Promise<number>, withinMs: number): Promise<boolean> {
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
    // It has ended in the meantime.
  }
}
