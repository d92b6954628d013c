import * as assert from 'uvu/assert';
import { diagnose } from '../../src/doctor/command.js';
import type { DoctorFacts, ModelFact } from '../../src/doctor/facts.js';
import type { Check } from '../../src/doctor/report.js';
import { suite } from '../support/suite.js';
import { FACTS, MODEL, SERVER } from './some-facts.js';

const test = suite('doctor/doctor');

function checkOf(id: string, changes: Partial<DoctorFacts>): Check {
  const found = diagnose({ ...FACTS, ...changes }).checks.find(check => check.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

const statusOf = (id: string, changes: Partial<DoctorFacts>): string => checkOf(id, changes).status;

test('on a machine without problems every line is ok, and none has a fix', () => {
  const { checks, ending } = diagnose(FACTS);
  assert.is(ending, 'done');
  assert.equal(
    checks.filter(({ status, fix }) => status !== 'ok' || fix !== undefined),
    [],
  );
  assert.equal(
    checks.map(({ id }) => id),
    (
      'node git power repository config hooks server apfel model window schema protocol tokens ' +
      'language github-token egress-model egress-github egress-git'
    ).split(' '),
  );
});

test('the versions that are too old are reported', () => {
  for (const [version, status] of [
    ['20.19.0', 'ok'],
    ['20.18.9', 'problem'],
    ['18.20.4', 'problem'],
    ['100.0.0', 'ok'],
  ]) {
    assert.is(statusOf('node', { nodeVersion: version ?? '' }), status);
  }
  const git = (version: string): string => statusOf('git', { git: { kind: 'found', version } });
  assert.equal(['2.38.0', '2.37.7', '3.0', 'unknown'].map(git), [
    'ok',
    'attention',
    'ok',
    'attention',
  ]);
  const old = { ...SERVER, version: '1.3.9' };
  assert.is(statusOf('server', { server: old }), 'attention');
  assert.is(diagnose({ ...FACTS, nodeVersion: '18.0.0' }).ending, 'findings');
});

test("doctor's exit code is that of git, then of the configuration; a missing model is not a problem", () => {
  const git = { kind: 'missing', message: 'git was not found', hint: 'install it' } as const;
  const config = { kind: 'broken', message: 'x', hint: undefined } as const;
  const model = { kind: 'none', reason: 'its model is off: turn it on' } as const;
  assert.is(diagnose({ ...FACTS, model }).ending, 'done');
  assert.is(diagnose({ ...FACTS, config, model }).ending, 'config');
  assert.is(diagnose({ ...FACTS, git, config, model }).ending, 'git');
  const repository = { kind: 'unusable', message: 'not trusted', hint: undefined } as const;
  assert.is(diagnose({ ...FACTS, repository }).ending, 'git');
  const server = { kind: 'refused', message: 'not this machine', hint: 'say so' } as const;
  assert.is(diagnose({ ...FACTS, server, model: { kind: 'unasked' } }).ending, 'config');
});

test('no repository, a shallow clone and battery power are only worth a look', () => {
  const { ending, checks } = diagnose({
    ...FACTS,
    repository: { kind: 'none' },
    hooks: undefined,
    power: 'battery',
  });
  assert.is(ending, 'done');
  assert.equal(
    checks.filter(({ status }) => status === 'attention').map(({ id }) => id),
    ['power', 'repository'],
  );
  const shallow = { kind: 'found', place: '/x', isShallow: true } as const;
  assert.match(checkOf('repository', { repository: shallow }).fix ?? '', '--unshallow');
});

test('the reason why there is no model is split into the problem and its fix', () => {
  const model = {
    kind: 'none',
    reason: 'apfel runs, but its model is not available (off): turn on Apple Intelligence',
  } as const;
  const { status, message, fix } = checkOf('model', { model });
  assert.equal(
    [status, message, fix],
    ['attention', 'apfel runs, but its model is not available (off)', 'turn on Apple Intelligence'],
  );
});

test('without a server only one line has the fix', () => {
  const { checks, ending } = diagnose({
    ...FACTS,
    program: undefined,
    server: { ...SERVER, kind: 'nothing', version: undefined },
    model: { kind: 'none', reason: 'apfel is not installed: brew install apfel' },
    tokenShare: undefined,
  });
  assert.equal(
    checks.filter(({ status }) => status !== 'ok').map(({ id, fix }) => [id, fix]),
    [
      ['server', 'brew install apfel'],
      ['apfel', undefined],
      ['model', undefined],
    ],
  );
  assert.is(ending, 'done');
  assert.not(checks.some(({ id }) => id === 'window'));
});

test('installing apfel is only suggested on systems that it runs on', () => {
  const server = { ...SERVER, kind: 'nothing', version: undefined } as const;
  const { fix } = checkOf('server', { platform: 'linux', program: undefined, server });
  assert.match(
    fix ?? '',
    /^it needs a Mac; to use another server, set model\.baseUrl in \.apfel-bot\.json/,
  );
});

test('doctor says what happens to a server that a run starts', () => {
  const said = (isKept: boolean): string =>
    checkOf('server', { server: { ...SERVER, kind: 'nothing', isKept } }).message;
  assert.match(said(false), 'apfel is started for each run and stopped after it (brew services');
  assert.match(said(true), 'apfel is started for a run and kept for the next (model.keepAlive)');
});

test('a service of Homebrew is suggested only where it could listen and would be found', () => {
  const suggests = (changes: Partial<typeof SERVER>, platform = 'darwin'): boolean =>
    checkOf('server', { platform, server: { ...SERVER, ...changes } }).message.includes('brew');
  assert.ok(suggests({ kind: 'nothing' }));
  assert.not(suggests({ kind: 'ollama' }), 'its port is taken');
  assert.not(suggests({ kind: 'other' }), 'its port is taken');
  assert.not(suggests({ kind: 'silent' }), 'its port is taken');
  assert.not(suggests({ kind: 'nothing', baseUrl: 'http://127.0.0.1:8080/v1' }), 'another port');
  assert.not(suggests({ kind: 'nothing' }, 'linux'), 'no Mac');
});

test('what doctor says about a server depends on what answers and whether it was configured', () => {
  const status = (changes: Partial<typeof SERVER>, program = FACTS.program): string =>
    statusOf('server', { server: { ...SERVER, version: undefined, ...changes }, program });
  assert.is(status({ kind: 'ollama' }), 'ok');
  assert.is(status({ kind: 'ollama', mayStart: false }), 'attention');
  assert.is(status({ kind: 'ollama', isNamed: true }), 'ok');
  assert.is(status({ kind: 'other' }), 'ok');
  assert.is(status({ kind: 'other', mayStart: false }), 'attention');
  assert.is(status({ kind: 'nothing' }), 'ok');
  assert.is(status({ kind: 'nothing', mayStart: false }), 'attention');
  assert.is(status({ kind: 'nothing', isNamed: true }), 'attention');
  assert.is(status({ kind: 'silent', isNamed: true }), 'attention');
  assert.is(status({ kind: 'apfel' }), 'ok');
});

test('a named server without the right model does not prevent a review', () => {
  const { ending } = diagnose({
    ...FACTS,
    server: { ...SERVER, kind: 'ollama', isNamed: true },
    model: { kind: 'none', reason: 'the server at X has a, b: name one with --model' },
  });
  assert.is(ending, 'done');
});

test('a failure of the model needs attention, with what to do', () => {
  const fixFor = (reply: Extract<ModelFact, { kind: 'found' }>['reply']): string => {
    const { status, fix } = checkOf('model', { model: { ...MODEL, reply } });
    assert.is(status, 'attention', reply.kind);
    return fix ?? '';
  };
  assert.match(fixFor({ kind: 'busy', message: 'x' }), 'wait until');
  assert.match(fixFor({ kind: 'died', message: 'x' }), "the server's standard error");
  assert.is(statusOf('model', { model: { kind: 'late', afterMs: 9 } }), 'attention');
});

test("a model that doesn't support this Mac's language is distinguished from a random refusal", () => {
  const reply = { kind: 'refused', message: 'Unsupported language: is (and more)' } as const;
  const { message, fix } = checkOf('model', { model: { ...MODEL, reply } });
  assert.match(message, /doesn't support the language of this Mac$/);
  assert.match(fix ?? '', /^set the language of macOS and Siri/);
});

test('a measured protocol is named, unless it is one that is not used with this server', () => {
  const said = (calibrated: string, mayRunTools: boolean): string =>
    checkOf('protocol', { model: { ...MODEL, calibrated, mayRunTools } }).message;
  assert.match(said('text', false), /^text, as measured by apfel-bot calibrate$/);
  assert.match(said('native', true), /^native, as measured by .*; text isn't used here/);
  assert.match(said('text', true), /^not measured yet.*; text isn't used here/);
});

test('an apfel that ignores schemas is to be upgraded', () => {
  const check = checkOf('schema', { model: { ...MODEL, schema: 'ignored' } });
  assert.is(check.status, 'attention');
  assert.match(check.message, '1.4.0');
  assert.match(check.fix ?? '', 'brew upgrade apfel');
});

test('a language that the model does not support is reported; a missing language setting is not', () => {
  const status = (language: string | undefined): string => statusOf('language', { language });
  const locales = ['en_US.UTF-8', 'pt-BR', 'DE', 'C.UTF-8', 'POSIX', undefined];
  assert.equal(locales.map(status), Array(6).fill('ok'));
  assert.is(status('nl_NL.UTF-8'), 'attention');
  assert.match(checkOf('language', {}).message, /^the model supports de, en, pt; /);
  const silent = { model: { ...MODEL, languages: [] }, language: 'nl' };
  assert.is(statusOf('language', silent), 'ok');
});

test('config: settings in a second file need attention', () => {
  const config = {
    kind: 'valid',
    origin: '.apfel-bot.json',
    unused: 'package.json',
    cannotNotify: false,
  } as const;
  const { status, message } = checkOf('config', { config });
  assert.is(status, 'attention');
  assert.match(message, /^the settings in package\.json are not used/);
});

test('config: hooks.notify without osascript needs attention', () => {
  const config = {
    kind: 'valid',
    origin: undefined,
    unused: undefined,
    cannotNotify: true,
  } as const;
  const { status, message } = checkOf('config', { config });
  assert.is(status, 'attention');
  assert.match(message, 'no osascript on the PATH');
});

test('hooks that do not run are worth a look, with what to do', () => {
  const idle = checkOf('hooks', { hooks: { message: 'none', fix: 'apfel-bot install' } });
  assert.equal([idle.status, idle.message, idle.fix], ['attention', 'none', 'apfel-bot install']);
  assert.is(checkOf('hooks', { hooks: { message: 'all' } }).status, 'ok');
});

test('the hosts of each command are reported, and what leaves the machine needs attention', () => {
  const { message } = checkOf('egress-model', {});
  assert.match(message, /review, .*calibrate: 127\.0\.0\.1:11434, on this machine$/);
  const server = { ...SERVER, baseUrl: 'https://models.test/v1', isNamed: true, isLocal: false };
  const remote = checkOf('egress-model', { server });
  assert.equal([remote.status, remote.fix], ['attention', 'remove --allow-remote']);
  assert.match(remote.message, 'models.test');
  assert.is(
    checkOf('egress-github', {}).message,
    'post, push, respond, and doctor about the token: api.github.com',
  );
  assert.match(
    checkOf('egress-git', {}).message,
    /github\.com \(origin\), this machine \(backup\)$/,
  );
  const one = FACTS.remotes.slice(0, 1);
  assert.match(checkOf('egress-git', { remotes: one }).message, /github\.com \(origin\)$/);
  const token = { kind: 'unasked' } as const;
  const github = { tokenKind: 'a classic personal token', apiHost: undefined, token };
  assert.is(statusOf('egress-github', { github }), 'attention');
  assert.match(checkOf('github-token', { github }).message, 'never given to the model');
});

for (const [token, status, said] of [
  [{ kind: 'scopes', scopes: ['repo', 'gist'] }, 'ok', /with the scopes repo, gist\. Only post/],
  [{ kind: 'scopes', scopes: ['gist'] }, 'attention', /scopes gist: too little.*the scope repo/],
  [{ kind: 'scopes', scopes: [] }, 'attention', /no scopes: too little/],
  [{ kind: 'unlisted' }, 'ok', /valid, but .* Needed: pull-requests: write/],
  [{ kind: 'refused', status: 401 }, 'attention', /api\.test refuses it \(401\).*contents: write/],
  [{ kind: 'unreachable', message: 'no route' }, 'attention', /asked about it: no route/],
] as const) {
  test(`a token of which GitHub says ${JSON.stringify(token)} is ${status}`, () => {
    const github = { tokenKind: 'a token', apiHost: 'api.test', token };
    const check = checkOf('github-token', { github });
    assert.is(check.status, status);
    assert.match(`${check.message} | ${check.fix}`, said);
    // A review needs no token.
    assert.is(diagnose({ ...FACTS, github }).ending, 'done');
  });
}

test("untrusted text in doctor's lines cannot control the terminal", () => {
  const hostile = 'a\x1b[2J\nb\u202ec';
  const { checks } = diagnose({
    ...FACTS,
    config: { kind: 'broken', message: hostile, hint: hostile },
    server: { ...SERVER, version: hostile },
    model: { ...MODEL, name: hostile, languages: [hostile] },
    remotes: [{ name: hostile, host: hostile }],
  });
  for (const { id, message, fix } of checks) {
    // Only the problems of a configuration are a line each.
    const text = id === 'config' ? message.replace('\n', '') : message;
    assert.not.match(`${text}${fix}`, /[\x1b\n\u202e]/);
  }
});

test.run();
