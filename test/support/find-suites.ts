import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = 'out/test';

/** Half a minute each, and each a more thorough version of a suite that runs every day. */
const LONG_SUITES =
  /\/(browser\/|publish\/(post-faults|push-faults|push-chain|push-declined|deleted)|respond\/chain|demo\/command|fix\/(corpus|linters|never-below|story|external-report)|torture\/fix-lint|hooks\/screen|stand-in\/github-(limits|line-rules|branches|description|refusals)|review\/(suggestions|window)|workflows\/(action|fix-lint|pool))/;
const wantsAll = process.env['APFEL_BOT_TEST'] === 'all';

/** What a suite imports to start programs, which is what takes its time. */
const STARTS_PROGRAMS =
  /child_process|support\/(cli|with-repo|packed|screen|reviewer)|with-github|with-actions|hooked-repo|-fixture\.js|scenario|lint-project|target\.js|-harness\.js/;
/** These take so long that they run alone. */
const SLOW = /\/(fix|package|torture|workflows)\/|hooks\/(managers|command)|runner\.test/;
const BATCH = 8;
const BATCH_OF_PROGRAMS = 3;

interface Found {
  readonly files: readonly string[];
  /** Too long for an everyday run. */
  readonly leftOut: readonly string[];
}

/** The architecture test goes first: it says most in the least time. */
export function findSuites(wanted: readonly string[]): Found {
  const parts = wanted.map(part => part.replace(/\.[jt]s$/, ''));
  const found = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.js'))
    .map(name => join(ROOT, name))
    .filter(file => parts.length === 0 || parts.some(part => file.includes(part)))
    .sort((one, other) => weight(one) - weight(other) || one.localeCompare(other));
  // Who asks for a suite by name gets it.
  const isLeftOut = (file: string): boolean =>
    !wantsAll && wanted.length === 0 && LONG_SUITES.test(file);
  return { files: found.filter(file => !isLeftOut(file)), leftOut: found.filter(isLeftOut) };
}

/** Suites that start programs begin early, so that nobody waits for the last one alone. */
function weight(file: string): number {
  if (file.includes('architecture')) return 0;
  return STARTS_PROGRAMS.test(readFileSync(file, 'utf8')) ? 1 : 2;
}

/** Suites share a process: to start one and load the code takes as long as many of them. */
export function inBatches(files: readonly string[]): string[][] {
  const weights = new Map(files.map(file => [file, weight(file)]));
  const alone = files.filter(file => SLOW.test(file) || weights.get(file) === 0);
  const others = files.filter(file => !alone.includes(file));
  return [
    ...slices(alone, 1),
    ...slices(
      others.filter(file => weights.get(file) === 1),
      BATCH_OF_PROGRAMS,
    ),
    ...slices(
      others.filter(file => weights.get(file) === 2),
      BATCH,
    ),
  ];
}

const slices = (files: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, at) =>
    files.slice(at * size, (at + 1) * size),
  );
