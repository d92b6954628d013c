import { spawn } from 'node:child_process';
import { usersPath } from './processes.js';

/** The program that opens a file like a double click. */
const opener = (): string => (process.platform === 'darwin' ? 'open' : 'xdg-open');

/** Opens a file in the user's browser, without waiting for it; returns what failed. */
export function openFile(path: string): Promise<string | undefined> {
  const program = opener();
  return new Promise(done => {
    const env = { ...process.env, PATH: usersPath(process.env['PATH'] ?? '') };
    const child = spawn(program, [path], { detached: true, stdio: 'ignore', env });
    child.on('error', () => done(`${program}, which opens files, isn't installed`));
    child.on('spawn', () => {
      child.unref();
      done(undefined);
    });
  });
}
