import type { AuditRun } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { CODE, HUNK, HUNKS } from './sample-hunks.js';
import { ask, call, end, problem, recovery, reply, result } from './sample-lines.js';

const STARTED = Date.parse(EMPTY.startedAt);

const KEPT = finding({
  path: HUNK.path,
  line: 11,
  column: 23,
  severity: 'error',
  rule: 'model/off-by-one',
  message: 'The loop runs once too often and reads past the end of the list.',
  source: 'model',
  confidence: 0.7,
  evidence: CODE[1] ?? '',
  suggestion: {
    startLine: 11,
    endLine: 11,
    text: '  for (let index = 0; index < list.length; index += 1) {',
  },
});

const CHECK = finding({
  path: 'src/list/debug.js',
  line: 4,
  rule: 'debugger',
  message: 'A breakpoint is left in the code.',
  evidence: '  debugger;',
});

const REFUTED = finding({
  path: HUNK.path,
  line: 12,
  rule: 'model/missing-value',
  message: 'visit may be called with undefined.',
  source: 'model',
  confidence: 0,
  evidence: CODE[2] ?? '',
});

const OPENING = [
  'The change:',
  '~~~',
  `File: ${HUNK.path}`,
  `In: ${HUNK.section}`,
  ...CODE.map((text, at) => `+${10 + at}| ${text}`),
  '~~~',
].join('\n');

const SYSTEM = `Review a change to JavaScript code for bugs.\n${'Look for conditions that are wrong or inverted, limits off by one, values that can be missing. '.repeat(3)}`;

const said = { atMs: STARTED + 300, system: SYSTEM, opening: OPENING };

const RULING = { b_ruling: { enum: ['real_bug', 'not_a_bug'] } };

const LINES: readonly unknown[] = [
  { type: 'work', run: EMPTY.run, work: 'review' },
  ask(1, said),
  reply(1, { a_reason: 'visit is called', b_action: 'read_file', c_path: 'src/visit.js' }, 1400),
  call('read_file', { path: 'src/visit.js' }, ['json-syntax', 'renamed-key']),
  result('read_file', 'error: there is no src/visit.js', { path: 'src/visit.js' }, true),
  ask(2, { ...said, atMs: STARTED + 1800, history: ['src/visit.js'] }),
  reply(2, problem(11, KEPT.message), 1250),
  ask(3, {
    ...said,
    atMs: STARTED + 3100,
    history: ['src/visit.js', 'a.js'],
    compaction: 'shrunk',
  }),
  reply(3, { a_reason: 'the rest visits each element', b_verdict: 'nothing' }, 700),
  end('finished'),
  ask(1, {
    atMs: STARTED + 3900,
    system: 'A reviewer reports a bug in a change.',
    fields: RULING,
    opening: `${OPENING}\nThe report about line 12: visit may be called with undefined.`,
  }),
  {
    type: 'reply',
    number: 1,
    durationMs: 420,
    reply: { kind: 'refused', message: 'I cannot help.' },
  },
  recovery('refused', 'reword', 'I cannot help.'),
  ask(2, { ...said, atMs: STARTED + 4400, fields: RULING }),
  reply(2, { a_reason: 'it calls visit', b_ruling: 'not_a_bug' }, 800),
  end('finished'),
];

/** A review as it often goes: something found, something refuted, something left out. */
export function reviewRun(): AuditRun {
  const { conversations, isCut } = readConversations(LINES);
  return {
    outcome: {
      ...EMPTY,
      durationMs: 5210,
      change: { ...EMPTY.change, files: 5, hunks: 8, added: 981, removed: 329 },
      findings: [CHECK, KEPT],
      rejected: [{ reason: 'refuted', finding: REFUTED }],
      ledger: ledger({
        total: 8,
        reviewed: 2,
        cached: 1,
        checked: 1,
        skipped: 1,
        outOfTime: 1,
        refused: 1,
        failed: 1,
      }),
      model: {
        available: true,
        name: 'apple-foundationmodel',
        baseUrl: 'http://127.0.0.1:11434/v1',
        contextWindow: 4096,
        protocol: 'guided',
        requests: 5,
        promptTokens: 5200,
        completionTokens: 310,
        repairs: 2,
        retries: 1,
        refusals: 1,
      },
      limits: [{ limit: 'deadline', value: '8s', hit: true }],
      notices: [
        'this change edits .apfel-bot.json; the version at the base commit was used for it',
      ],
      complete: false,
    },
    origin: 'run',
    facts: {
      asked: 'apfel-bot review --staged --deadline 8s',
      stages: [
        { title: 'Asking git for the change', atMs: STARTED, durationMs: 12 },
        { title: 'Looking for the model', atMs: STARTED + 12, durationMs: 90 },
        { title: 'Checking the change', atMs: STARTED + 102, durationMs: 140 },
        { title: 'Asking the model', atMs: STARTED + 250, durationMs: 4950 },
      ],
      hunks: HUNKS,
      hosts: [{ host: '127.0.0.1:11434', times: 9 }],
      texts: [HUNK],
    },
    conversations,
    isCut,
    hunks: [HUNK],
    edits: [],
  };
}
