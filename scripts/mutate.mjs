// `npm run mutate -- src/notes test/notes [COUNT] [SECONDS]`: changes one operator of the compiled
// code at a time and runs the suites of a folder, to see which changes no test notices. A survivor
// is a missing case, or code that isn't needed. Suites that take longer than SECONDS are left out.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

const [source = '', tests = '', most = '40', slowest = '120'] = process.argv.slice(2);
if (!source.startsWith('src/') || !tests.startsWith('test/')) {
  console.error(
    'usage: npm run mutate -- src/FOLDER test/FOLDER [COUNT] [SECONDS]; run npm test first, it compiles to out/',
  );
  process.exit(2);
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
  const add = (start, end, to) =>
    found.push({ file, text, start, end, from: text.slice(start, end), to });
  const swap = ({ left, operator, right }) => {
    const start = left.end + text.slice(left.end, right.start).indexOf(operator);
    if (operator in SWAPS) add(start, start + operator.length, SWAPS[operator]);
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

const files = folder =>
  readdirSync(join('out', folder), { recursive: true })
    .filter(name => name.endsWith('.js'))
    .map(name => join('out', folder, name));

const passes = suite =>
  spawnSync(process.execPath, [suite], { stdio: 'ignore', timeout: 120_000 }).status === 0;
const timed = files(tests)
  .filter(name => name.endsWith('.test.js'))
  .map(suite => {
    const startedAt = performance.now();
    if (!passes(suite)) {
      console.error(`${suite} doesn't pass without a change`);
      process.exit(1);
    }
    return { suite, took: performance.now() - startedAt };
  });
// The quickest first: most changes are noticed by one of them.
const suites = timed
  .filter(({ took }) => took <= Number(slowest) * 1000)
  .sort((one, other) => one.took - other.took)
  .map(({ suite }) => suite);
if (suites.length === 0) {
  console.error(`every suite in ${tests} takes longer than ${slowest} s`);
  process.exit(1);
}

const all = files(source).flatMap(mutantsOf);
// Every n-th, so that the sample covers the whole folder and is the same next time.
const step = Math.max(1, Math.floor(all.length / Number(most)));
const sample = all.filter((_, at) => at % step === 0).slice(0, Number(most));
let noticed = 0;
for (const { file, text, start, end, from, to } of sample) {
  try {
    writeFileSync(file, text.slice(0, start) + to + text.slice(end));
    if (!suites.every(passes)) noticed += 1;
    else {
      const line = text.slice(0, start).split('\n').length;
      console.log(
        `survived ${file}:${line} ${from} -> ${to}: ${text.split('\n')[line - 1].trim()}`,
      );
    }
  } finally {
    writeFileSync(file, text);
  }
}
const share = ((100 * noticed) / sample.length).toFixed(0);
console.log(
  `${noticed} of ${sample.length} changes noticed by ${tests} (${share} %), of ${all.length} possible`,
);
