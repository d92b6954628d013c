import { spawnSync } from 'node:child_process';

/** Kills a process that leads a group, with its group and all that it has started elsewhere. */
export function killTree(leader: number): void {
  for (const pid of [...descendantsOf(leader), -leader, leader]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** Where there is no `ps`, only the group is known. */
function descendantsOf(leader: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map(row => row.trim().split(/\s+/).map(Number));
  const found = [leader];
  for (const parent of found) {
    for (const [pid, ppid] of rows) if (ppid === parent && pid !== undefined) found.push(pid);
  }
  return found.slice(1);
}
