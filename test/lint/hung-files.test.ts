import * as assert from 'uvu/assert';
import { runAroundHung } from '../../src/lint/hung-files.js';
import { suite } from '../support/suite.js';

const test = suite('lint/hung-files');

const NO_OUTPUT = { stdout: '', stderr: '', isCut: false };
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `src/${at}.js`);

interface Fake {
  readonly hung: readonly string[];
  /** What a run takes that does not hang, and what each of its files adds. */
  readonly ms?: number;
  readonly msPerFile?: number;
  readonly deadlineMs?: number;
  readonly canSplit?: boolean;
  /** It says which file it is busy with. */
  readonly isNamed?: boolean;
}

/** A linter whose time is only counted. */
async function lint(files: readonly string[], fake: Fake) {
  const { hung, ms = 500, msPerFile = 0 } = fake;
  const { deadlineMs = 600_000, canSplit = true, isNamed = false } = fake;
  let at = 0;
  let runs = 0;
  const timing = { now: () => at, deadlineAt: deadlineMs, limitMs: 180_000, canSplit };
  const done = await runAroundHung(files, timing, async (part, timeoutMs) => {
    runs += 1;
    assert.ok(timeoutMs <= Math.max(1, (deadlineMs - at) / 2), `${timeoutMs} ms at ${at} ms`);
    const busy = part.find(path => hung.includes(path));
    const neededMs = ms + msPerFile * part.length;
    const isLate = busy !== undefined || neededMs > timeoutMs;
    at += isLate ? timeoutMs : neededMs;
    const file = isNamed && busy !== undefined ? { file: `/tmp/x/${busy}` } : {};
    const late = { kind: 'time-up', afterMs: timeoutMs, ...file } as const;
    const finished = { end: { kind: 'exit', code: 0 }, ...NO_OUTPUT } as const;
    return [finished, isLate ? { end: late, ...NO_OUTPUT } : finished];
  });
  const isLost = ({ runs: [, run] }: (typeof done)[number]) => run?.end.kind === 'time-up';
  const lost = done.filter(isLost).flatMap(each => each.files);
  assert.equal(done.flatMap(each => each.files).sort(), [...files].sort(), 'each file once');
  const limits = done.flatMap(({ runs: [, run] }) =>
    run?.end.kind === 'time-up' ? run.end.afterMs / 1000 : [],
  );
  return { lost, runs, at, limits: [...new Set(limits)] };
}

test('only the files on which a linter hangs are left out, wherever they are', async () => {
  const files = names(100);
  for (const hung of [['src/0.js'], ['src/57.js'], ['src/99.js'], ['src/3.js', 'src/80.js']]) {
    const { lost, at, limits } = await lint(files, { hung });
    assert.equal([lost, limits], [hung, [180]], 'and the time is what the first run had');
    assert.ok(at < 400_000, `${at} ms of 600 s, so that the rest can be fixed and verified`);
  }
});

test('a file that a hanging linter names is left out at once, and the rest is linted in one run', async () => {
  const { lost, runs } = await lint(names(100), { hung: ['src/57.js'], isNamed: true });
  assert.equal([lost, runs], [['src/57.js'], 2]);
});

test('a linter that hangs on everything, or that cannot be given files, is not run for long', async () => {
  const files = names(100);
  const every = await lint(files, { hung: files });
  assert.equal([every.lost.length, every.runs], [100, 5]);
  const whole = await lint(files, { hung: ['src/1.js'], canSplit: false });
  assert.equal([whole.lost.length, whole.runs], [100, 1]);
});

test('a linter that is only slow has its whole time once, and is then soon given up', async () => {
  const { lost, runs, at, limits } = await lint(names(100), { hung: [], msPerFile: 2500 });
  assert.equal([lost.length, runs, limits], [100, 5, [180]]);
  assert.ok(at < 240_000, `${at} ms of 600 s, so that other linters have time`);
});

test('a run takes half of the time that is left, at most its limit, and at least a moment', async () => {
  for (const [deadlineMs, expected] of [
    [600_000, 180_000],
    [10_000, 5000],
    [0, 1],
  ] as const) {
    const { at } = await lint(names(1), { hung: ['src/0.js'], deadlineMs });
    assert.is(at, expected);
  }
});

test('files that there is no time to lint are left out before the deadline', async () => {
  const hung = ['src/0.js'];
  const { lost, at, runs } = await lint(names(8), { hung, deadlineMs: 5000, ms: 1500 });
  assert.ok(lost.includes('src/0.js'));
  assert.is(runs, 2);
  assert.ok(at < 5000, `${at} ms`);
});

test.run();
