import type { AuditRun } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import { EMPTY, finding, ledger } from '../report/sample-outcome.js';
import { CODE, HUNK, HUNKS } from './sample-hunks.js';
import { ask, call, end, reply, result, rung } from './sample-lines.js';

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
  `file ${HUNK.path}, in: ${HUNK.section}`,
  ...CODE.map((text, at) => `+${10 + at}#k${at}| ${text}`),
  '~~~',
].join('\n');

const SYSTEM = `You review a change in a change to a software project.\n${'Look for conditions that are wrong or inverted, limits off by one, values that can be missing. '.repeat(3)}`;

const report = (line: string, message: string): object => ({
  line,
  quote: 'index <= list.length',
  severity: 'error',
  message,
  path: HUNK.path,
});

const said = { atMs: STARTED + 300, system: SYSTEM, opening: OPENING };

const LINES: readonly unknown[] = [
  { type: 'work', run: EMPTY.run, work: 'review' },
  ask(1, said),
  reply(1, { report_finding: report('99#zz', 'wrong place') }, 1400),
  call('report_finding', report('99#zz', 'wrong place'), ['json-syntax', 'renamed-key']),
  result('report_finding', 'error: line 99 is not one of the changed lines shown', {}, true),
  ask(2, { ...said, atMs: STARTED + 1800, history: ['99#zz'] }),
  reply(2, { report_finding: report('11#k1', KEPT.message) }, 1250),
  call('report_finding', report('11#k1', KEPT.message)),
  result('report_finding', `noted at ${HUNK.path}:11`, { path: HUNK.path, line: 11 }),
  ask(3, { ...said, atMs: STARTED + 3100, history: ['99#zz', '11#k1'], compaction: 'shrunk' }),
  reply(3, { finish: { answer: 'nothing more' } }, 700),
  call('finish', { answer: 'nothing more' }),
  end('finished'),
  ask(1, {
    atMs: STARTED + 3900,
    system: 'A reviewer reports a bug that a line of a change is wrong.',
    opening: `${OPENING}\nIs the claim wrong, or does it hold?`,
  }),
  {
    type: 'reply',
    number: 1,
    durationMs: 420,
    reply: { kind: 'refused', message: 'I cannot help.' },
  },
  rung('refused', 'reword', 'I cannot help.'),
  ask(2, { ...said, atMs: STARTED + 4400 }),
  reply(2, { finish: { answer: 'holds' } }, 800),
  call('finish', { answer: 'holds' }),
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
