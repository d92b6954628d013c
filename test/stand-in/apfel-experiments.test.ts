import * as assert from 'uvu/assert';
import {
  EXPERIMENTS,
  type ExpectedReply,
  type Experiment,
} from '../../fixtures/apfel/experiments.js';
import { suite } from '../support/suite.js';
import { eventsOf, MODEL, type Reply, type Target, withStandIn } from './apfel-target.js';

const test = suite('stand-in/apfel-experiments');

for (const experiment of EXPERIMENTS) {
  test(`${experiment.id}: ${experiment.title}`, () =>
    withStandIn(experiment.options, target => run(experiment, experiment.expected, target)));
  const { now } = experiment;
  if (now !== undefined)
    test(`${experiment.id}: with apfel 1.8.4`, () =>
      withStandIn({ ...experiment.options, version: '1.8.4' }, target =>
        run(experiment, now, target),
      ));
}

async function run(experiment: Experiment, expected: ExpectedReply, target: Target): Promise<void> {
  const ask = (): Promise<Reply> => target.post({ model: MODEL, ...experiment.request });
  if (expected.kind === 'rate') return checkRate(ask, expected);
  for (let count = 0; count < (experiment.runs ?? 1); count += 1) check(await ask(), expected);
}

function check(reply: Reply, expected: Exclude<ExpectedReply, { kind: 'rate' }>): void {
  if (expected.kind === 'error') {
    assert.is(reply.status, expected.status, reply.text);
    assert.is(reply.json.error.type, expected.type);
    return;
  }
  assert.is(reply.status, 200, reply.text);
  if (expected.kind === 'streamed-call') {
    checkStream(reply, expected);
    return;
  }
  const [{ finish_reason, message }] = reply.json.choices;
  if (expected.kind === 'text') {
    assert.is(finish_reason, 'stop');
    assert.match(message.content, expected.matches);
    return;
  }
  assert.is(finish_reason, 'tool_calls', reply.text);
  const [call] = message.tool_calls;
  assert.is(call.function.name, expected.name);
  assert.equal(keysOf(call.function.arguments), expected.argumentKeys);
}

function keysOf(json: string): readonly string[] | 'broken' {
  try {
    return Object.keys(JSON.parse(json)).sort();
  } catch {
    // Some observations are about arguments that are no JSON.
    return 'broken';
  }
}

function checkStream(reply: Reply, expected: { name: string; leaksText: boolean }): void {
  const choices = eventsOf(reply).flatMap(event => event.choices ?? []);
  const text = choices.map(choice => choice.delta.content ?? '').join('');
  assert.is(text.includes('tool_calls'), expected.leaksText);
  const withCall = choices.find(choice => choice.delta.tool_calls !== undefined);
  assert.is(withCall.delta.tool_calls[0].function.name, expected.name);
  // Text and call in one, reason and call in one: the two went together until 1.7.0.
  assert.is(withCall.finish_reason === 'tool_calls', expected.leaksText);
}

const RUNS = 100;

async function checkRate(
  ask: () => Promise<Reply>,
  { calls, of }: { calls: number; of: number },
): Promise<void> {
  let made = 0;
  for (let count = 0; count < RUNS; count += 1) {
    const { json } = await ask();
    if (json.choices[0].finish_reason === 'tool_calls') made += 1;
  }
  const rate = calls / of;
  const deviation = Math.sqrt((rate * (1 - rate)) / RUNS);
  assert.ok(Math.abs(made / RUNS - rate) < 3 * deviation, `${made} of ${RUNS}, not ${calls}/${of}`);
}

test.run();
