import { spawnSync } from 'node:child_process';
import { median } from '../measure.js';
import { FOLDER } from './contender.js';

const ROUNDS = 7;

/**
 * How long each list of modules takes to load in a process that has loaded nothing. In turn, round
 * after round, so that other work on the machine falls on all of them.
 */
export function importTimes(lists: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, modules] of lists) {
      if (modules.length > 0) times.set(name, [...(times.get(name) ?? []), once(modules)]);
    }
  }
  return new Map([...times].map(([name, measured]) => [name, median(measured)]));
}

function once(modules: readonly string[]): number {
  const script = [
    'const started = performance.now();',
    ...modules.map(module => `await import(${JSON.stringify(module)});`),
    'console.log(performance.now() - started);',
    'process.exit(0);',
  ].join('\n');
  // Extra certificates are read by some of the packages when they load, and not by others.
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script],
    { cwd: FOLDER, env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? 'import failed');
  return Number(stdout.trim().split('\n').at(-1));
}
