import { createServer, type Socket } from 'node:net';
import { ESLint } from 'eslint';

export interface EslintServer {
  /** A program for `node_modules/.bin/eslint` that asks this process. */
  readonly script: string;
  readonly runs: () => number;
  close(): Promise<void>;
}

/**
 * ESLint in this process, for a program that takes a few milliseconds to start instead of most of a
 * second: thousands of runs then end in minutes. What it says is ESLint's own report.
 */
export async function startEslintServer(): Promise<EslintServer> {
  let runs = 0;
  const server = createServer({ allowHalfOpen: true }, socket => {
    let asked = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', chunk => {
      asked += chunk;
      const [count = '', cwd = '', ...args] = asked.split('\n');
      if (args.length <= Number(count)) return;
      runs += 1;
      void answer(socket, cwd, args.slice(0, Number(count)));
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    script: SCRIPT.replace('PORT', String(port)),
    runs: () => runs,
    close: () => new Promise(done => server.close(() => done())),
  };
}

const SCRIPT = `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/PORT
printf '%s\\n' "$#" "$PWD" "$@" >&3
read -r code <&3
cat <&3
exit "$code"
`;

async function answer(socket: Socket, cwd: string, args: readonly string[]): Promise<void> {
  const format = args[args.indexOf('--format') + 1] ?? 'json';
  const paths = args.slice(args.indexOf('--format') + 2).filter(each => each !== '--fix');
  const fix = args.includes('--fix');
  try {
    const eslint = await openEslint(cwd, fix);
    const results = await eslint.lintFiles(paths);
    if (fix) await ESLint.outputFixes(results);
    const formatter = await eslint.loadFormatter(format);
    const text = await formatter.format(results);
    socket.end(`${results.some(({ errorCount }) => errorCount > 0) ? 1 : 0}\n${text}`);
  } catch (thrown) {
    socket.end(`2\n${String(thrown)}`);
  }
}

const opened = new Map<string, ESLint>();

/** The configuration is read once for each folder, as in an editor. */
async function openEslint(cwd: string, fix: boolean): Promise<ESLint> {
  const key = `${cwd} ${fix}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  const eslint = new ESLint({ cwd, fix, errorOnUnmatchedPattern: false });
  opened.set(key, eslint);
  return eslint;
}
