import * as assert from 'uvu/assert';
import { EXPERIMENTS } from '../../fixtures/apfel/experiments.js';
import { type Policy, type StandIn, startStandIn } from '../../fixtures/apfel/stand-in.js';
import type { ProtocolName } from '../../src/model/calibration.js';
import type { Model } from '../../src/model/model.js';
import { suite } from '../support/suite.js';
import { type RecordedTool, recordedTool, runConversation } from './conversation-support.js';
import { modelAt } from './simulation/simulate.js';

const test = suite('agent/experiments');

type Version = '0.5.0' | '1.8.4';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly opening: string;
  readonly tool: () => RecordedTool;
  /** What the tool must have been run with, and what a model sends once it is put right. */
  readonly inputs: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly answer: string;
  readonly protocol?: ProtocolName;
  readonly runs?: number;
}

const weather = () =>
  recordedTool('get_weather', ['city', 'unit'], {
    required: ['city'],
    result: '{"temperature": 18, "condition": "partly cloudy"}',
  });

const inCity = (id: string, title: string, city: string, runs = 1): Case => ({
  id,
  title,
  opening: `What is the weather in ${city}?`,
  tool: weather,
  inputs: [{ city }],
  answer: `It is 18 degrees in ${city}.`,
  runs,
});

const lunch = {
  title: 'Lunch with Bob',
  date: '2026-11-17',
  time: '12:00',
  location: 'Cafe Central',
};

const CASES: readonly Case[] = [
  inCity('guide-01', 'a country nobody asked for is dropped', 'Vienna'),
  {
    id: 'guide-02',
    title: 'the right one of two tools',
    opening: 'Send an email to john@example.com saying hello',
    tool: () => recordedTool('send_email', ['to', 'subject', 'body'], { result: 'sent as 42' }),
    inputs: [{ to: 'john@example.com', subject: 'Hello', body: 'Hello' }],
    answer: 'Sent as 42.',
  },
  { ...inCity('guide-03', 'a whole round trip', 'Vienna'), inputs: [{ city: 'Vienna' }] },
  {
    id: 'guide-04',
    title: 'an invented tool in JSON that does not parse',
    opening: 'What is 2+2? Use the calculator.',
    tool: () => recordedTool('calculator', ['expression'], { result: '4' }),
    inputs: [{ expression: '2+2' }],
    answer: 'It is 4.',
  },
  {
    id: 'guide-05',
    title: 'start and end instead of date and time are asked for again',
    opening: 'Make a calendar event: lunch with Bob, tomorrow noon, Cafe Central',
    tool: () =>
      recordedTool('create_event', ['title', 'date', 'time', 'location'], { result: 'event 77' }),
    inputs: [lunch],
    answer: 'It is event 77.',
  },
  {
    id: 'guide-06',
    title: 'another tool and another argument in a list that is not closed',
    opening: 'Use the search tool to find something about cats.',
    tool: () => recordedTool('search', ['query'], { result: '9 lives' }),
    inputs: [{ query: 'cats' }],
    answer: 'Cats have 9 lives.',
  },
  inCity('guide-07', 'a system message that insists', 'Berlin'),
  {
    ...inCity('guide-08', 'two cities one after the other, after an apology', 'Vienna and Berlin'),
    inputs: [{ city: 'Vienna' }, { city: 'Berlin' }],
  },
  {
    id: 'guide-09',
    title: 'city and country instead of topic',
    opening: 'Tell me about Vienna.',
    tool: () => recordedTool('get_info', ['topic'], { result: 'founded in 881' }),
    inputs: [{ topic: 'Vienna' }],
    answer: 'It was founded in 881.',
  },
  {
    id: 'guide-10',
    title: 'topic instead of query, the number kept',
    opening: 'Recent news about AI, five of them',
    tool: () =>
      recordedTool('news_search', ['query', 'limit'], {
        required: ['query'],
        integers: ['limit'],
        result: '5 items',
      }),
    inputs: [{ query: 'AI', limit: 5 }],
    answer: 'There are 5 items.',
  },
  {
    id: 'guide-11',
    title: 'the fields of an answer as arguments are dropped',
    opening: 'What time is it?',
    tool: () => recordedTool('get_time', [], { result: '2026-11-16T21:12:00Z' }),
    inputs: [{}],
    answer: 'It is 2026-11-16T21:12:00Z.',
  },
  inCity('guide-12', 'a call in a fence', 'Tokyo'),
  inCity('guide-13', 'the same question five times', 'Paris', 5),
  {
    id: 'guide-14',
    title: 'term instead of q, and two arguments more',
    opening: 'Search for cats',
    tool: () => recordedTool('search', ['q'], { result: '9 lives' }),
    inputs: [{ q: 'cats' }],
    answer: 'Cats have 9 lives.',
  },
  inCity('guide-15', 'the same arguments five times', 'London', 5),
  inCity('guide-16', 'through an OpenAI client, a country more each time', 'Munich', 3),
  {
    ...inCity('guide-17', 'the format in the system message, no tools', 'London'),
    protocol: 'text',
  },
  {
    id: 'guide-18',
    title: 'a harmless word that is blocked',
    opening: 'Look up the stock price of AAPL with the tool.',
    tool: () => recordedTool('get_stock_price', ['ticker'], { result: '189.50' }),
    inputs: [{ ticker: 'AAPL' }],
    answer: 'It is 189.50.',
  },
];

for (const version of ['0.5.0', '1.8.4'] as const) {
  for (const row of CASES) test(`${version} ${row.id}: ${row.title}`, () => run(row, version));
}

test('all eighteen published experiments are run', () => {
  assert.is(CASES.length, 18);
});

/** The first reply is the published one, the others those of a model that makes no mistake. */
async function run(row: Case, version: Version): Promise<void> {
  const published = EXPERIMENTS.find(experiment => experiment.id === row.id);
  assert.ok(published, row.id);
  const quirky = await startStandIn({ ...published.options, version });
  const right = await startStandIn({ version, policy: rightPolicy(row) });
  try {
    for (let count = 0; count < (row.runs ?? 1); count += 1)
      await runOnce(row, version, [quirky, right]);
  } finally {
    await quirky.close();
    await right.close();
  }
}

async function runOnce(
  row: Case,
  version: Version,
  [quirky, right]: readonly [StandIn, StandIn],
): Promise<void> {
  const tool = row.tool();
  // Experiment 3 begins with its second step; its first is a plain call.
  const first = modelAt((row.id === 'guide-03' ? right : quirky).baseUrl, { version });
  const rest = modelAt(right.baseUrl, { version });
  let asked = 0;
  const model: Model = {
    ...rest,
    facts: rest.facts,
    ask: (request, signal) => {
      asked += 1;
      return (asked === 1 ? first : rest).ask(request, signal);
    },
  };
  const { end, answer } = await runConversation(model, [tool], {
    protocol: row.protocol ?? 'native',
    opening: row.opening,
    judge: () =>
      tool.inputs.length < row.inputs.length
        ? { problem: 'the tool was not called yet', message: 'no call' }
        : undefined,
  });
  assert.equal([end.reason, answer], ['finished', row.answer]);
  assert.equal(tool.inputs, row.inputs);
}

function rightPolicy(row: Case): Policy {
  return ({ messages, tools }) => {
    const results = messages.filter(
      ({ role, text }) =>
        (role === 'tool' || text.includes('(result of')) && !text.startsWith('error: '),
    );
    const input = row.inputs[results.length];
    if (input === undefined) return { kind: 'text', text: row.answer };
    const name = row.tool().name;
    if (tools.length > 0) return { kind: 'call', name, arguments: { ...input } };
    return { kind: 'text', text: JSON.stringify({ action: name, ...input }) };
  };
}

test.run();
