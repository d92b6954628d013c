import { spawn } from 'node:child_process';
import { usersPath } from './processes.js';

/** The program that opens a file as a double click would. */
const opener = (): string => (process.platform === 'darwin' ? 'open' : 'xdg-open');

/** Opens a file in the user's browser, which isn't waited for; otherwise what failed. */
export function openFile(path: string): Promise<string | undefined> {
  const program = opener();
  return new Promise(done => {
    const env = { ...process.env, PATH: usersPath(process.env['PATH'] ?? '') };
    const child = spawn(program, [path], { detached: true, stdio: 'ignore', env });
    child.on('error', () => done(`there is no ${program} here to open it with`));
    child.on('spawn', () => {
      child.unref();
      done(undefined);
    });
  });
}
