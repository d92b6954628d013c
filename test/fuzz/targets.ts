import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { marked } from 'marked';
import { repairJson } from '../../src/agent/repair-json.js';
import { CONFIG_FILE, configFrom } from '../../src/config/find.js';
import { frontMatter, parseRule } from '../../src/config/rules.js';
import { isBotError } from '../../src/core/bot-error.js';
import { parseBounded } from '../../src/core/json-fields.js';
import { pathFromBytes, pathToBytes } from '../../src/core/path-bytes.js';
import { schemaProblems } from '../../src/core/schema-problem.js';
import { fromEvent } from '../../src/diff/event.js';
import { DiffParser } from '../../src/diff/parse.js';
import { validateOutcome } from '../../src/generated/validate-outcome.js';
import { validateRequest } from '../../src/generated/validate-request.js';
import { readBundleHeader } from '../../src/git/bundle.js';
import { messageLine, whyNotOurMessage } from '../../src/git/commit.js';
import { parseReport } from '../../src/lint/parse-report.js';
import { readRecord } from '../../src/notes/record.js';
import { parseNote } from '../../src/notes/store.js';
import {
  codeFence,
  codeSpan,
  forMarkdown,
  forMarkdownLines,
} from '../../src/platform/safe-markdown.js';
import { forJson, forTerminal, forTerminalLines } from '../../src/platform/safe-text.js';
import { syntaxError } from '../../src/platform/syntax.js';
import type { SyntaxKind } from '../../src/platform/syntax-yaml.js';
import { readSticky, writeSticky } from '../../src/publish/own-comments.js';
import { parseCommand, runnable } from '../../src/respond/parse-command.js';
import { EMPTY } from '../report/sample-outcome.js';

/** A parser or writer, what is thrown at it, and what has to hold whatever that is. */
export interface Target {
  readonly name: string;
  readonly input: Arbitrary<string>;
  /** Throws when a property doesn't hold. Only `BotError` may come out of the code itself. */
  check(text: string): unknown;
  /** What has to take linear time, where `check` itself uses something slower. */
  timed?(text: string): unknown;
}

/** Text of these pieces and of anything else, so that much of it gets past the first test. */
const textOf = (...pieces: readonly string[]): Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...pieces, '\n', ' ') },
        { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
        { weight: 1, arbitrary: fc.nat(99).map(String) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
      ),
      { maxLength: 40 },
    )
    .map(parts => parts.join(''));

const HOSTILE = [
  ...['\u001b[31m', '\u009b', '\u202e', '\u200b', '\ufeff', '\u2028', '\r', '\0', '\ud800'],
  ...['::set-output name=x::', '##[command]', '@everyone', '#1', '<script>', '![x](http://x)'],
  ...[
    '```',
    '`',
    '__proto__',
    '[a](javascript:x)',
    'fixes #1',
    '/apfel review',
    '|',
    '-->',
    '&lt;',
  ],
];

/** JSON of any shape, and the sample with parts replaced. */
const jsonLike = (sample: object): Arbitrary<string> =>
  fc.oneof(
    fc.json(),
    fc
      .dictionary(fc.constantFrom(...Object.keys(sample), '__proto__', 'x'), fc.jsonValue())
      .map(parts => JSON.stringify({ ...sample, ...parts })),
    textOf(...'{ } [ ] " : , true null 1e9 \\u0000 \\'.split(' ')),
  );

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`the property does not hold: ${what}`);
};

/** What is read, or undefined where the code refuses it in its own words. */
function orRefused<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (thrown) {
    if (isBotError(thrown) || thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function eventsOf(bytes: Uint8Array, size: number): unknown[] {
  const parser = new DiffParser();
  const events: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...parser.push(bytes.subarray(at, at + size)));
  }
  return [...events, ...parser.end()].flatMap(splitLines);
}

/** How lines are batched depends on the chunks. */
const splitLines = (event: unknown): unknown[] =>
  typeof event === 'object' && event !== null && 'lines' in event && Array.isArray(event.lines)
    ? event.lines
    : [event];

function checkDiff(text: string): void {
  const bytes = bytesOf(text);
  const whole = eventsOf(bytes, Math.max(1, bytes.length));
  must(isDeepStrictEqual(eventsOf(bytes, 7), whole), 'chunks change nothing');
}

const DIFF = [
  ...['diff --git a/x b/x\n', 'index 1111111..2222222 100644\n', '--- a/x\n', '+++ b/x\n'],
  ...['@@ -1,2 +1,3 @@\n', '@@ -1 +1 @@ f()\n', '+a\n', '-b\n', ' c\n', '\\ No newline at end\n'],
  ...['rename from a\n', 'Binary files a/x and b/x differ\n', 'new file mode 100644\n', '"a\\303"'],
];
const COMBINED = [
  ...['diff --cc x\n', 'index 1,2..3\n', '@@@ -1,2 -1,2 +1,3 @@@\n', '++a\n', '- b\n', ' -c\n'],
  ...['  d\n', '@@@@ -1 -1 -1 +1 @@@@\n', '--- a/x\n', '+++ b/x\n'],
];

const FORMATS = [
  ...['eslint-json', 'sarif', 'checkstyle', 'rdjson', 'rdjsonl', 'gcc', 'github', 'biome-json'],
  ...['oxlint-json', 'tsc', 'stylelint-json', 'markdownlint', 'prettier'],
  ...['ruff-json', 'shellcheck-json', 'swiftlint-json', 'golangci-json', 'rubocop-json'],
  'clippy-json',
] as const;

const REPORT = [
  ...['[{"filePath":"/r/a.js","messages":[{"ruleId":"x","line":1,"column":2,"message":"m"}]}]'],
  ...['{"runs":[{"results":[{"message":{"text":"m"},"locations":[]}]}]}', '{"diagnostics":['],
  ...['<file name="a.js">', '<error line="1" column="2" message="m"/>', '</file>', '&quot;'],
  ...['a.js:1:2: error: m [x]\n', '::error file=a.js,line=1::m\n', 'a.ts(1,2): error TS1: m\n'],
  ...['[', ']', '{', '}', ',', '"line":', '-1', '1e99', 'null'],
];

function checkReports(text: string): void {
  for (const format of FORMATS) {
    const { diagnostics } = parseReport(format, text, { root: '/r', tool: 'x' });
    for (const { path, line } of diagnostics) {
      must(
        !path.startsWith('/') && !path.split('/').includes('..'),
        `${format}: ${path} is inside`,
      );
      must(line === undefined || (Number.isSafeInteger(line) && line > 0), `${format}: ${line}`);
    }
  }
}

function checkRepair(text: string): void {
  const found = repairJson(text);
  if (found === undefined) return;
  must(typeof found.value === 'object', 'an object or a list');
  must(found.end <= text.length, 'the end is inside');
  const plain = orRefused(() => JSON.parse(text));
  if (typeof plain !== 'object' || plain === null) return;
  must(isDeepStrictEqual(found.value, plain) && !found.isRepaired, 'JSON stays as it is');
}

function checkJson(text: string): void {
  const json = forJson(JSON.stringify({ text, [text]: [text] }));
  must(isDeepStrictEqual(JSON.parse(json), { text, [text]: [text] }), 'the value stays the same');
  must(!HIDDEN.test(json) && !/##\w{0,16}\[/.test(json), 'nothing to obey');
}

/** Our own tags are none of these. */
const ACTIVE = /<(?:a|img|script|iframe|svg|style|form|input|h\d|table|ul|ol|blockquote|hr)\b|@\w/i;

function checkMarkdown(text: string): void {
  const line = forMarkdown(text);
  must(!line.includes('\n') && !HIDDEN.test(line), 'one line without hidden characters');
  must(!ACTIVE.test(marked.parse(`x ${line}`, { async: false })), `inert: ${line}`);
  const span = marked.parse(`x ${codeSpan(text)} y`, { async: false });
  must(
    /^<p>x (?:<code>[^<]*<\/code>)? ?y<\/p>\n$/.test(span) || text.trim() === '',
    `span: ${span}`,
  );
  const fence = marked.parse(`${codeFence(text)}\n\nafter`, { async: false });
  must(fence.endsWith('</code></pre>\n<p>after</p>\n'), `the fence ends where it ends: ${fence}`);
  must(
    !/<(?:img|script|iframe)|href="(?!#)/i.test(
      marked.parse(forMarkdownLines(text), { async: false }),
    ),
    'lines',
  );
}

function checkTerminal(text: string): void {
  must(!HIDDEN.test(forTerminal(text)), 'one line without hidden characters');
  const lines = forTerminalLines(text);
  must(!HIDDEN.test(lines.replaceAll('\n', '')), 'lines without hidden characters');
  must(!/^[^\S\n]*::|##\w{0,16}\[/m.test(lines), 'no command for a runner');
}

function checkMessage(text: string): void {
  const message = `Fix ${messageLine(text, 60) || 'x'}\n\n- ${messageLine(text, 160) || 'x'}\n\nApfel-Bot-Run: R\n`;
  const why = whyNotOurMessage(message, 'R');
  must(why === undefined, `${why}`);
}

const SUBJECT = {
  task: 'review',
  head: 'a'.repeat(40),
  run: 'R',
  startedAt: '2026-01-01T00:00:00Z',
};

function checkSticky(text: string): void {
  readSticky(text);
  const ignored = ['0123456789abcdef'];
  const found = readSticky(writeSticky({ ignored, subject: SUBJECT }, text));
  must(isDeepStrictEqual(found?.ignored, ignored), 'the state comes back');
  must(isDeepStrictEqual(found?.subject, SUBJECT), 'the subject comes back');
}

function checkRequest(text: string): void {
  const value = orRefused(() => parseBounded(text));
  if (schemaProblems(validateRequest(value)).length > 0) return;
  const request = orRefused(() => runnable(value as never, 'a/b'));
  must(
    request === undefined || request.repository.toLowerCase() === 'a/b',
    'bound to its repository',
  );
}

const REQUEST = {
  ...{ decision: 'run', reason: 'x', verb: 'review', args: [], repository: 'a/b', pull: 1 },
  ...{ base: 'a'.repeat(40), head: 'b'.repeat(40), headRepository: 'a/b' },
};

const NOTE = {
  ...{ v: 1, run: 'R', commit: 'a'.repeat(40), tree: 'b'.repeat(40), task: 'review' },
  ...{ startedAt: '2026-01-01T00:00:00Z', complete: true, ledger: EMPTY.ledger, findings: [] },
};

const DATA = [
  ...['a: 1\n', '- b\n', '[x]\n', 'y = 1\n', '{', '}', '[', ']', '"', "'", ',', '&a *a'],
  ...['|\n  ', '<<: ', '# x\n', '//', '/*', '*/'],
];
const XML = [
  ...['<?xml version="1.0"?>\n', '<!DOCTYPE plist [', '<!ENTITY a "&a;">', ']>', '<plist>'],
  ...['</plist>', '<dict>', '</dict>', '<key>a</key>', '<string>', '</string>', '<true/>'],
  ...['<array>', '</array>', '<integer>7</integer>', '<a b="c">', '</a>', '&amp;', '&#x0;'],
  ...['<![CDATA[', ']]>', '<!--', '-->', '<', '>', '"'],
];
const OLD_PLIST = [
  ...[
    '"a" = "b";\n',
    '= {',
    '};',
    '(',
    ');',
    '{',
    '}',
    ',',
    ';',
    '"',
    "'",
    '<0a>',
    '//',
    '/*',
    '*/',
  ],
  ...['AAAAAAAAAAAAAAAAAAAAAAAA /* x */ = {\n', '\tfileRef = AAAAAAAAAAAAAAAAAAAAAAAB;\n', '\\'],
];

const syntaxTarget = (kind: SyntaxKind, pieces: readonly string[]): Target => ({
  name: `${kind} files`,
  input: textOf(...pieces),
  check: async text => {
    const problem = await syntaxError(kind, text);
    const lines = text.split(/\r\n|\n|\r/).length;
    must(
      problem === undefined || (problem.line >= 1 && problem.line <= lines),
      `line ${problem?.line} of ${lines}`,
    );
  },
});

export const TARGETS: readonly Target[] = [
  { name: 'diffs', input: textOf(...DIFF), check: checkDiff },
  { name: 'combined diffs', input: textOf(...COMBINED, ...DIFF), check: checkDiff },
  { name: 'linters’ reports', input: textOf(...REPORT), check: checkReports },
  {
    name: 'JSON repair',
    input: fc.oneof(fc.json(), textOf(...'{ } [ ] " : , ``` true null -1 \\ // \' a_b'.split(' '))),
    check: checkRepair,
  },
  {
    name: 'notes',
    input: jsonLike(NOTE),
    check: text => parseNote(text).records.map(readRecord),
  },
  { name: 'JSON that is printed', input: textOf('a'), check: checkJson },
  {
    name: 'outcome files',
    input: jsonLike(EMPTY),
    check: text => schemaProblems(validateOutcome(orRefused(() => parseBounded(text)))),
  },
  { name: 'request files', input: jsonLike(REQUEST), check: checkRequest },
  {
    name: 'bundle headers',
    input: textOf(
      '# v2 git bundle\n',
      '# v3 git bundle\n',
      `-${'a'.repeat(40)} x\n`,
      '@filter=x\n',
      `${'b'.repeat(40)} refs/heads/x\n`,
      '\n\n',
      'PACK',
    ),
    check: text => orRefused(() => readBundleHeader(Buffer.from(text), 40)),
  },
  {
    name: 'comment grammar',
    input: textOf('/apfel', ' ', 'review', 'fix-lint', 'ask', 'ignore', 'help', 'abcdef0', ': '),
    check: text => {
      const found = parseCommand(text);
      must(found.kind === 'none' || text.startsWith('/apfel'), 'only what begins with our name');
    },
  },
  {
    name: 'configuration',
    input: jsonLike({ model: {}, limits: {}, review: {}, checks: {}, lint: [], hooks: {} }),
    check: text =>
      configFrom(async name => (name === CONFIG_FILE ? text : undefined), ['secret/*']).catch(
        thrown => must(isBotError(thrown), 'a problem of the configuration is explained'),
      ),
  },
  {
    name: 'rules',
    input: textOf(
      '---\n',
      'paths: ["*.js"]\n',
      'severity: error\n',
      'when: "(a+)+"\n',
      'Is it?\n',
      '- ',
      ': ',
    ),
    check: async text => parseRule('x', await frontMatter(text)),
  },
  ...(['json', 'jsonc', 'yaml', 'toml'] as const).map(kind => syntaxTarget(kind, DATA)),
  ...(['plist', 'xml'] as const).map(kind => syntaxTarget(kind, XML)),
  ...(['strings', 'pbxproj'] as const).map(kind => syntaxTarget(kind, OLD_PLIST)),
  {
    name: 'events',
    input: jsonLike({
      pull_request: { number: 1, base: { sha: 'a'.repeat(40) } },
      before: '',
      after: '',
    }),
    check: text => orRefused(() => fromEvent(text)),
  },
  {
    name: 'Markdown',
    input: textOf('a', '*', '_', '[', ']', '(', ')', '!', '\\', 'http://x.y', '&amp;'),
    check: checkMarkdown,
    timed: text => [forMarkdown, forMarkdownLines, codeSpan, codeFence].map(write => write(text)),
  },
  { name: 'terminal', input: textOf('a', '::', '##['), check: checkTerminal },
  {
    name: 'commit messages',
    input: textOf('[skip ci]', '@a', 'Co-authored-by: ', 'gh-1'),
    check: checkMessage,
  },
  {
    name: 'summaries',
    input: textOf('<!-- apfel-bot:summary ', '{"v":1', '}', ' -->', '"ignored":[]'),
    check: checkSticky,
  },
  {
    name: 'paths',
    input: fc.string({ unit: 'binary' }),
    check: text => {
      const bytes = Buffer.from(text, 'utf16le');
      must(Buffer.from(pathToBytes(pathFromBytes(bytes))).equals(bytes), 'the bytes come back');
    },
  },
];
