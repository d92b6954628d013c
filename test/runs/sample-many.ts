import type { AuditRun } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import type { AuditHunk, DiffHunk } from '../../src/runs/run-log.js';
import { EMPTY, finding } from '../report/sample-outcome.js';
import { ask, call, end, problem, reply, result } from './sample-lines.js';
import { reviewRun } from './sample-run.js';

const STARTED = Date.parse(EMPTY.startedAt);
const TURNS_OF_ONE = 5;

/** As much text as fills a window of 4096 tokens, different for each question. */
const opening = (number: number): string =>
  ['The change:', `File: src/part-${number}.ts`]
    .concat(
      Array.from(
        { length: 120 },
        (_, at) => `+${at}| const value${number * 1000 + at} = compute(${at}, 'some text here');`,
      ),
    )
    .join('\n');

/** A long review: conversations of five turns each, every request with all that was said before. */
export function manyTurns(turns: number): AuditRun {
  const conversations = Math.ceil(turns / TURNS_OF_ONE);
  const lines = Array.from({ length: conversations }, (_, conversation) =>
    conversationLines(conversation),
  ).flat();
  const run = reviewRun();
  const hunks = Array.from(
    { length: conversations },
    (_, at): AuditHunk => ({
      path: `src/part-${at}.ts`,
      hunk: 1,
      line: 1,
      added: 120,
      removed: 3,
      state: 'reviewed',
      reason: '',
      chunk: at + 1,
      tokens: 2800,
    }),
  );
  const findings = Array.from({ length: conversations }, (_, at) =>
    finding({
      path: `src/part-${at}.ts`,
      line: 7,
      source: 'model',
      message: `wrong in part ${at}`,
    }),
  );
  return {
    ...run,
    ...readConversations(lines),
    outcome: { ...run.outcome, findings },
    facts: { ...run.facts, hunks, texts: [] },
    hunks: findings.map(({ path }): DiffHunk => diffOf(path)),
  };
}

function conversationLines(conversation: number): unknown[] {
  const said = {
    system: 'Review a change to TypeScript code for bugs.',
    opening: opening(conversation),
  };
  const turns = Array.from({ length: TURNS_OF_ONE }, (_, at) => {
    const history = Array.from({ length: at }, (_, before) => `src/used-${before}.ts`);
    const atMs = STARTED + (conversation * TURNS_OF_ONE + at) * 1000;
    const input = { path: `src/used-${at}.ts` };
    return [
      ask(at + 1, { ...said, atMs, history }),
      reply(at + 1, problem(7, `part ${conversation}`), 900),
      call('read_file', input, at === 2 ? ['json-syntax'] : []),
      result('read_file', `text ${conversation}.${at}`, input, at === 3),
    ];
  });
  return [...turns.flat(), end('finished')];
}

const diffOf = (path: string): DiffHunk => ({
  path,
  hunk: 1,
  section: 'function part() {',
  lines: Array.from({ length: 40 }, (_, at) => ({
    kind: 'added',
    text: `const value${at} = compute(${at}, 'some text here');`,
    newLine: at + 1,
  })),
});
