import type { AuditRun } from '../../src/runs/audit-run.js';
import { readConversations } from '../../src/runs/read-conversations.js';
import { EMPTY, finding } from '../report/sample-outcome.js';
import { ask, end, recovery, reply } from './sample-lines.js';
import { reviewRun } from './sample-run.js';

const STARTED = Date.parse(EMPTY.startedAt);
const PATH = 'src/sum.js';
const asked = {
  fields: { b_newText: { type: 'string' } },
  atMs: STARTED + 900,
  system: 'You fix one problem in a file with the smallest edit.',
  opening: `File: ${PATH}\n1| let total = 0;\n\nline 1, eslint prefer-const: use const`,
};
const edit = (newText: string): object => ({
  a_reason: 'the smallest edit',
  b_from: '1',
  c_to: '1',
  d_newText: newText,
});

const LINES: readonly unknown[] = [
  { type: 'work', run: EMPTY.run, work: 'fix-lint' },
  ask(1, asked),
  reply(1, edit('// eslint-disable-line\nlet total = 0;'), 900),
  recovery('not-kept', 'reword', 'it silences the linter'),
  ask(2, { ...asked, atMs: STARTED + 2000 }),
  reply(2, edit('const total = 0;'), 800),
  end('finished'),
];

/** A run that fixes lint: an edit of the linter's, one of the model's, one that was turned down. */
export function fixRun(): AuditRun {
  const run = reviewRun();
  const { conversations, isCut } = readConversations(LINES);
  const diagnostic = { rule: 'prefer-const', line: 1 };
  const left = { path: PATH, line: 7, rule: 'no-shadow', source: 'linter' } as const;
  return {
    ...run,
    outcome: {
      ...run.outcome,
      task: 'fix-lint',
      findings: [
        finding({ ...left, message: 'total is already declared.', evidence: '  let total;' }),
      ],
      rejected: [],
      ledger: EMPTY.ledger,
      edits: [
        { path: PATH, diagnostic: { rule: 'semi', line: 3 }, status: 'kept', by: 'linter' },
        {
          path: PATH,
          diagnostic,
          status: 'rejected',
          by: 'model',
          reason: 'after 1 tries: it silences the linter',
        },
        { path: PATH, diagnostic, status: 'kept', by: 'model' },
      ],
      branch: {
        name: 'apfel-bot/fix-lint-aaaaaaaaaaaa',
        commit: 'b'.repeat(40),
        base: 'a'.repeat(40),
        bundle: null,
      },
      diagnostics: { before: 3, after: 1, fixed: 2, introduced: 0 },
      complete: true,
    },
    facts: { ...run.facts, asked: 'apfel-bot fix-lint --all', hunks: [], texts: [] },
    conversations,
    isCut,
    hunks: [],
    edits: [
      {
        path: PATH,
        hunk: 1,
        section: '',
        lines: [
          { kind: 'removed', text: 'let total = 0;', oldLine: 1 },
          { kind: 'added', text: 'const total = 0;', newLine: 1 },
          { kind: 'context', text: 'for (const each of list) add(each);', oldLine: 2, newLine: 2 },
        ],
      },
    ],
  };
}
