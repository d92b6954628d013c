// `npm run mutate -- src/notes test/notes [COUNT] [SECONDS]`: changes one operator or number of the
// compiled code at a time and runs the suites that execute it, to see which changes no test notices. A
// survivor is a missing case, or code that isn't needed. `src/notes` is the start of a path, `test/notes`
// a part of one; name several suites for code that has few of its own. Suites that take longer than
// SECONDS are left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

const args = process.argv.slice(2);
const [source = '', ...suiteParts] = args.filter(arg => !/^\d+$/.test(arg));
const [most = '40', slowest = '120'] = args.filter(arg => /^\d+$/.test(arg));
if (!source.startsWith('src/') || suiteParts.length === 0) {
  console.error('usage: npm run mutate -- src/PATH SUITE... [COUNT] [SECONDS]');
  process.exit(2);
}
if (spawnSync(process.execPath, ['scripts/compile-tests.mjs'], { stdio: 'inherit' }).status !== 0) {
  process.exit(1);
}

const SWAPS = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
};
const CALLS = { some: 'every', every: 'some' };

/** Every place in a file that can be changed, with the text to put there. */
function mutantsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  // `place` is executed if the change can have an effect; V8 counts an operator to what is right of it.
  const add = (start, end, to, place = start) =>
    found.push({ file, text, start, end, place, from: text.slice(start, end), to });
  const swap = ({ left, operator, right }) => {
    const start = left.end + text.slice(left.end, right.start).indexOf(operator);
    if (operator in SWAPS) add(start, start + operator.length, SWAPS[operator], left.end - 1);
  };
  new Visitor({
    BinaryExpression: swap,
    LogicalExpression: swap,
    MemberExpression: ({ property: { name, start, end } }) => {
      if (Object.hasOwn(CALLS, name ?? '')) add(start, end, CALLS[name]);
    },
    Literal: ({ raw, value, start, end }) => {
      if (/^[0-2]$/.test(raw)) add(start, end, String(value + 1));
    },
  }).visit(parseSync(file, text).program);
  return found;
}

const files = readdirSync('out', { recursive: true })
  .filter(name => name.endsWith('.js'))
  .map(name => join('out', name))
  .sort();

const temporary = mkdtempSync(join(tmpdir(), 'apfel-bot-mutate-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

const passes = (suite, timeout, env = {}) =>
  spawnSync(process.execPath, [suite], {
    stdio: 'ignore',
    timeout,
    env: { ...process.env, TMPDIR: temporary, ...env },
  }).status === 0;

/** For each file of the code, what V8 counted in the processes of a suite: one list of ranges for each. */
function coverageIn(folder) {
  const covered = new Map();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result) {
      if (!url.includes('/out/src/')) continue;
      const ranges = functions.flatMap(each => each.ranges);
      covered.set(url, [...(covered.get(url) ?? []), ranges]);
    }
  }
  return covered;
}

const length = ({ startOffset, endOffset }) => endOffset - startOffset;

/** Whether a suite executes a place: the innermost range around it counts. */
function executes({ covered }, { file, place }) {
  const processes = covered.get(pathToFileURL(resolve(file)).href) ?? [];
  return processes.some(ranges => {
    const around = ranges.filter(range => range.startOffset <= place && place < range.endOffset);
    return around.sort((one, other) => length(one) - length(other))[0]?.count > 0;
  });
}

// The quickest first: most changes are noticed by one of them.
const suites = files
  .filter(name => name.endsWith('.test.js'))
  .filter(name => suiteParts.some(part => name.includes(part.replace(/\.[jt]s$/, ''))))
  .map((suite, at) => {
    const coverage = join(temporary, `coverage-${at}`);
    const startedAt = performance.now();
    if (!passes(suite, 600_000, { NODE_V8_COVERAGE: coverage })) {
      console.error(`${suite} doesn't pass without a change`);
      process.exit(1);
    }
    return { suite, took: performance.now() - startedAt, covered: coverageIn(coverage) };
  })
  .filter(({ took }) => took <= Number(slowest) * 1000)
  .sort((one, other) => one.took - other.took);
if (suites.length === 0) {
  console.error(`no suite matches ${suiteParts.join(' ')}, or all take longer than ${slowest} s`);
  process.exit(1);
}

const all = files.filter(name => name.startsWith(join('out', source))).flatMap(mutantsOf);
// Every n-th, so that the sample covers the whole folder and is the same next time.
const step = Math.max(1, Math.floor(all.length / Number(most)));
const sample = all.filter((_, at) => at % step === 0).slice(0, Number(most));
let noticed = 0;
for (const mutant of sample) {
  const { file, text, start, end, from, to } = mutant;
  const chosen = suites.filter(suite => executes(suite, mutant));
  try {
    writeFileSync(file, text.slice(0, start) + to + text.slice(end));
    // Ten times as long as without the change is a loop.
    if (!chosen.every(({ suite, took }) => passes(suite, 10_000 + Math.round(10 * took))))
      noticed += 1;
    else {
      const line = text.slice(0, start).split('\n').length;
      const words = chosen.length === 0 ? 'never executed' : 'survived';
      console.log(
        `${words} ${file}:${line} ${from} -> ${to}: ${text.split('\n')[line - 1].trim()}`,
      );
    }
  } finally {
    writeFileSync(file, text);
  }
}
const share = ((100 * noticed) / sample.length).toFixed(0);
console.log(
  `${noticed} of ${sample.length} changes noticed by ${suiteParts.join(' ')} (${share} %), of ${all.length} possible`,
);
