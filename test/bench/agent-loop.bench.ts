import { writeFileSync } from 'node:fs';
import type { ProtocolName } from '../../src/model/calibration.js';
import { DOCUMENTED, flakyModel, type Rates, WEAK } from './questions/flaky.js';
import { type BenchTask, TASKS } from './questions/tasks.js';

const SEEDS = 300;
const RESULTS = 'test/bench/questions/RESULTS.md';

const SCENARIOS: ReadonlyArray<{ name: string; rates: Rates; sticky: number }> = [
  { name: 'documented', rates: DOCUMENTED, sticky: 0 },
  { name: 'documented, sticky', rates: DOCUMENTED, sticky: 0.8 },
  { name: 'weak', rates: WEAK, sticky: 0 },
  { name: 'weak, sticky', rates: WEAK, sticky: 0.8 },
];

interface Row {
  readonly cells: readonly string[];
  readonly falselyComplete: number;
}

async function measure(
  task: BenchTask,
  protocol: ProtocolName,
  { name, rates, sticky }: (typeof SCENARIOS)[number],
): Promise<Row> {
  let [right, falselyComplete, requests] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const model = flakyModel(request => task.right(request, seed), { rates, seed, sticky });
    const { isRight, saysComplete } = await task.run(model, protocol, seed);
    if (isRight) right += 1;
    else if (saysComplete) falselyComplete += 1;
    requests += model.asked;
  }
  const each = requests / SEEDS;
  const cells = [
    task.name,
    protocol,
    name,
    `${percent(right / SEEDS)} [${interval(right, SEEDS)}]`,
    String(falselyComplete),
    each.toFixed(2),
    (each / task.least).toFixed(2),
  ];
  return { cells, falselyComplete };
}

const percent = (share: number): string => (100 * share).toFixed(1);

/** Wilson's interval at 95 %. */
function interval(successes: number, count: number): string {
  const [z, share] = [1.96, successes / count];
  const middle = share + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const bound = (value: number): string => percent(value / (1 + z ** 2 / count));
  return `${bound(middle - spread)}-${bound(middle + spread)}`;
}

const HEAD = [
  'task',
  'protocol',
  'scenario',
  'right %',
  'says complete and is not',
  'requests',
  'x least',
];
const rows: Row[] = [];
for (const task of TASKS) {
  for (const protocol of ['guided', 'native', 'text'] as const) {
    for (const scenario of SCENARIOS) rows.push(await measure(task, protocol, scenario));
  }
}
const table = [HEAD, HEAD.map(() => '---'), ...rows.map(({ cells }) => cells)]
  .map(cells => `| ${cells.join(' | ')} |`)
  .join('\n');
console.log(table);
writeFileSync(
  RESULTS,
  `# Closed questions under a flaky model

Written by \`npm run bench -- agent-loop\`: ${SEEDS} tasks a row, with a scripted model that knows every
answer and suffers the faults of \`flaky.ts\` in every protocol. Whether a task is right is decided by the
truth: the bug is reported at its line, the file is what it should be, the answer has the value. "Says
complete and is not" counts tasks that are wrong and look done. Sticky: a question that failed fails again
in the same way with a probability of 0.8, however it is worded. The same question is the same kind of
fields about the same file and, in a review, the same changed lines: half of a chunk is another question.
A fix has the three conversations that fix-lint gives it. The rates of "weak" and "sticky" are
assumptions, and no real model was involved. Intervals are Wilson's at 95 %.

${table}
`,
);
process.exitCode = rows.some(({ falselyComplete }) => falselyComplete > 0) ? 1 : 0;
