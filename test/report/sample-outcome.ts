import { type Finding, type FindingWithoutId, nameFindings } from '../../src/core/finding.js';
import type { Ledger } from '../../src/core/ledger.js';
import type { Outcome } from '../../src/core/outcome.js';

/** A claim at line 1 of a file, to be bent into shape by the case at hand. */
export const claim = (parts: Partial<FindingWithoutId>): FindingWithoutId => ({
  path: 'src/a.ts',
  line: 1,
  endLine: parts.line ?? 1,
  side: 'new',
  severity: 'warning',
  rule: 'debugger',
  message: 'A breakpoint is left in the code.',
  source: 'check',
  confidence: 1,
  ...parts,
});

export function finding(parts: Partial<FindingWithoutId>): Finding {
  const [named] = nameFindings([claim(parts)]);
  if (named === undefined) throw new Error('one claim must give one finding');
  return named;
}

const NOTHING: Ledger = {
  total: 0,
  reviewed: 0,
  cached: 0,
  checked: 0,
  skipped: 0,
  outOfTime: 0,
  refused: 0,
  failed: 0,
  items: [],
};

export const ledger = (parts: Partial<Ledger>): Ledger => ({ ...NOTHING, ...parts });

const NO_MODEL = {
  available: false,
  reason: 'nothing answers at http://127.0.0.1:11434/v1',
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  repairs: 0,
  retries: 0,
  refusals: 0,
};

/** A change of nothing at all. */
export const EMPTY: Outcome = {
  version: 1,
  run: '01JZ8Q4W6T7Y9ABCDEFGHJKMNP',
  task: 'review',
  startedAt: '2026-02-03T04:05:06.789Z',
  durationMs: 41,
  change: {
    base: 'a'.repeat(40),
    head: 'index',
    repository: null,
    pull: null,
    files: 0,
    hunks: 0,
    added: 0,
    removed: 0,
  },
  findings: [],
  rejected: [],
  ledger: NOTHING,
  model: NO_MODEL,
  limits: [],
  notices: [],
  complete: true,
};

/** Checks only, as asked for, and nothing found. */
export const CLEAN: Outcome = {
  ...EMPTY,
  durationMs: 312,
  change: { ...EMPTY.change, files: 3, hunks: 9, added: 120, removed: 33 },
  ledger: ledger({
    total: 9,
    checked: 7,
    skipped: 2,
    items: [
      { path: 'package-lock.json', hunk: 1, state: 'skipped', reason: 'lockfile' },
      { path: 'package-lock.json', hunk: 2, state: 'skipped', reason: 'lockfile' },
    ],
  }),
};

/** A model was there, but time ran out and it refused something. */
export const INCOMPLETE: Outcome = {
  ...CLEAN,
  durationMs: 8012,
  ledger: ledger({
    total: 9,
    reviewed: 4,
    cached: 2,
    skipped: 1,
    outOfTime: 1,
    refused: 1,
    items: [
      { path: 'logo.png', hunk: 1, state: 'skipped', reason: 'binary' },
      { path: 'src/late.ts', hunk: 3, state: 'outOfTime', reason: 'deadline' },
      { path: 'src/rude.ts', hunk: 1, state: 'refused', reason: 'guardrail' },
    ],
  }),
  model: { ...NO_MODEL, available: true, name: 'apple-foundationmodel', requests: 7 },
  limits: [
    { limit: 'deadline', value: '8s', hit: true },
    { limit: 'turns', value: '8', hit: false },
  ],
  complete: false,
};

export const HOSTILE_PATHS = {
  command: '::set-output name=x::y',
  newline: 'docs/two\n::error::lines.md',
  escape: 'src/\x1b]0;owned\x07\x1b[31m.sh',
  bidi: 'src/\u202egpj.ts',
  bytes: 'src/caf\udce9.py',
  table: 'a|b`c @you #1.html',
} as const;

export const HOSTILE_MESSAGE =
  '@everyone fixes #1 ![x](http://evil) <script>alert(1)</script>\n/apfel ask {{ secrets }}\u202e';

const CLAIMS: readonly FindingWithoutId[] = [
  claim({
    path: 'src/config.ts',
    line: 12,
    column: 14,
    endColumn: 34,
    severity: 'error',
    rule: 'secret/aws-access-key',
    message: 'This looks like an AWS access key id. Revoke it, then read it from the environment.',
    evidence: "const key = 'AKIA************MPLE';",
  }),
  claim({
    path: 'src/config.ts',
    line: 3,
    column: 3,
    endColumn: 11,
    evidence: '\t\tdebugger; // 日本語',
    suggestion: { startLine: 3, endLine: 3, text: '' },
  }),
  claim({
    path: 'src/表.ts',
    line: 108,
    column: 19,
    endColumn: 21,
    severity: 'info',
    rule: 'model/naming',
    source: 'model',
    confidence: 0.6,
    message: 'Two names for one thing.',
    evidence: "const 名前 = '絵😀'; 名前 + '!'",
    suggestion: { startLine: 108, endLine: 108, text: "const name = '絵😀'; name + '!'" },
  }),
  claim({ path: HOSTILE_PATHS.command, severity: 'error', rule: 'conflict-marker', line: 7 }),
  claim({ path: HOSTILE_PATHS.newline, message: HOSTILE_MESSAGE, rule: 'model/claim' }),
  claim({ path: HOSTILE_PATHS.escape, message: 'Colour: \x1b[31mred\x9b0m' }),
  claim({ path: HOSTILE_PATHS.bidi, evidence: 'let a = 1; // \u202e ##[error]x', column: 15 }),
  claim({ path: HOSTILE_PATHS.bytes, evidence: '```\n::warning::x\n````', endLine: 3 }),
  claim({ path: HOSTILE_PATHS.table, rule: 'a|b', message: 'one | two' }),
  claim({ path: 'data.json', rule: 'large-file', severity: 'info', message: 'Very large.' }),
];

/** A bit of everything, most of it unkind. */
export const SAMPLE: Outcome = {
  ...INCOMPLETE,
  findings: nameFindings(CLAIMS),
  rejected: [
    { reason: 'duplicate', finding: finding({ line: 4 }) },
    { reason: 'duplicate', finding: finding({ line: 5 }) },
    { reason: 'ignored-inline', finding: finding({ line: 6, rule: 'debug-output' }) },
  ],
  notices: ['the change edits .apfel-bot.json; the rules of the base were used', '::stop::\x1b[2J'],
};
