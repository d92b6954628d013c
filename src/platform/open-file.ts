import { spawn } from 'node:child_process';

/** The program that opens a file as a double click would. */
const opener = (): string => (process.platform === 'darwin' ? 'open' : 'xdg-open');

/** Opens a file in the user's browser, which isn't waited for; otherwise what failed. */
export function openFile(path: string): Promise<string | undefined> {
  const program = opener();
  return new Promise(done => {
    const child = spawn(program, [path], { detached: true, stdio: 'ignore' });
    child.on('error', () => done(`there is no ${program} here to open it with`));
    child.on('spawn', () => {
      child.unref();
      done(undefined);
    });
  });
}
