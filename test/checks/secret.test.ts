import * as assert from 'uvu/assert';
import { secretCheck } from '../../src/checks/secret.js';
import { armour, keyBody, keyLines, planted } from '../secrets/planted.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { changedFile, judgeHunks, judgeText, linesOf } from './judge-text.js';

const test = suite('checks/secret');

const judge = (text: string) => judgeText(secretCheck, 'src/a.ts', text);
const judgeRows = (rows: readonly string[]) => judgeHunks(secretCheck, 'src/a.ts', rows);

test('secrets are errors, also in skipped files', () => {
  assert.equal(secretCheck.rules, { 'secret/*': 'error' });
  assert.is(secretCheck.guards, true);
});

test('a planted AWS key is found at its columns', () => {
  const [hit, ...others] = judge(`const key = '${planted.awsKey}';`);
  assert.equal(others, []);
  assert.is(hit?.rule, 'secret/aws-access-key');
  assert.is(hit?.column, 14);
  assert.is(hit?.endColumn, 34);
});

test('the message names the kind, asks to revoke it and does not show the value', () => {
  for (const [text, name] of [
    [planted.awsKey, /looks like an AWS access key id/],
    [planted.githubToken, /looks like a GitHub token/],
    [`password: "${planted.drawn}"`, /looks like a password/],
    [`api_key: "${planted.drawn}"`, /looks like a credential/],
    [keyLines('RSA PRIVATE KEY').join('\n'), /looks like a private key/],
  ] as const) {
    const [hit] = judge(text);
    assert.match(hit?.message ?? '', name);
    assert.match(hit?.message ?? '', /revoke it/);
    for (const value of Object.values(planted)) assert.not(hit?.message.includes(value));
  }
});

test('every secret of a line is found', () => {
  const hits = judge(`${planted.awsKey} ${planted.githubToken}`);
  assert.equal(
    hits.map(hit => hit.rule),
    ['secret/aws-access-key', 'secret/github-token'],
  );
});

test('a token is reported by its format, not by the name it is assigned to', () => {
  const [hit, ...others] = judge(`api_token = "${planted.githubToken}"`);
  assert.is(hit?.rule, 'secret/github-token');
  assert.equal(others, []);
});

test('a documented example is not found', () => assert.equal(judge(planted.awsExample), []));

test('ordinary code, hashes and identifiers are not found', () => {
  const lines = [
    'import { createHash } from "node:crypto";',
    'const sha = "3f786850e387550fdab836ed7e6dc881de23001b";',
    'const id = "8c1f0b52-6d3e-4a7b-9e10-2f6c8d7a5b43";',
    'resolved "https://registry.acme.io/a/-/a-1.0.0.tgz#3f786850e387550fdab836ed7e6dc881de23001b"',
    'TODAYINASIAASACKOFRICEFELLOVER',
    'task_test_azn29m2jbshxe3eik5zfgwiiawnocb',
    '~'.repeat(60),
  ];
  assert.equal(judge(lines.join('\n')), []);
});

for (const attribute of ['-diff', 'binary', 'diff=hidden', 'linguist-generated', '-text'])
  test(`the attribute ${attribute} hides no secret and no hidden character`, () =>
    withRepo(async repo => {
      await repo.commit({ '.gitattributes': `*.js ${attribute}\n`, 'a.js': 'one();\n' });
      await repo.stage('a.js', `one();\nkey = '${planted.awsKey}';\n`);
      await repo.stage('b.js', 'const a = "\u202e";\n');
      const run = await apfelBot(['review', '--staged', '--no-model'], { cwd: repo.dir });
      assert.is(run.code, 1, run.stderr);
      assert.match(run.stdout, /a\.js:2.*secret\/aws-access-key/);
      assert.match(run.stdout, /b\.js:1.*hidden-unicode\/bidi/);
    }));

test('only secrets on added lines are reported', () => {
  const context = { text: planted.awsKey, number: 1, isAdded: false, startsHunk: true };
  assert.equal(secretCheck.open(changedFile('a'))?.(context), []);
  assert.equal(linesOf(judgeRows([` ${planted.awsKey}`, `+${planted.awsKey}`])), [2]);
});

test('a private key is reported once, on the line of its armour', () => {
  const hits = judge(['a', ...keyLines('RSA PRIVATE KEY'), 'b'].join('\n'));
  assert.equal(linesOf(hits), [2]);
  assert.is(hits[0]?.rule, 'secret/private-key');
});

test('two private keys are two findings', () => {
  const hits = judge([...keyLines('RSA PRIVATE KEY'), ...keyLines('EC PRIVATE KEY')].join('\n'));
  assert.equal(linesOf(hits), [1, 6]);
});

test('a new body under an old armour is reported on its first line', () => {
  const rows = [
    ` ${armour('PRIVATE KEY')}`,
    ...keyBody.map(line => `+${line}`),
    ` ${armour('PRIVATE KEY', 'END')}`,
  ];
  assert.equal(linesOf(judgeRows(rows)), [2]);
});

test('a private key does not continue in the next hunk', () => {
  const rows = [` ${armour('PRIVATE KEY')}`, '@50', '+anything', `+key: ${planted.awsKey}`];
  assert.equal(linesOf(judgeRows(rows)), [51]);
});

test('public keys and certificates are not findings', () => {
  for (const label of ['PUBLIC KEY', 'CERTIFICATE', 'PGP PUBLIC KEY BLOCK']) {
    assert.equal(judge([armour(label), keyBody[1], armour(label, 'END')].join('\n')), []);
  }
});

test('a Kubernetes secret is found whichever comes first, its kind or its data', () => {
  const data = ['data:', `  user: ${Buffer.from('kept secret').toString('base64')}`];
  assert.equal(linesOf(judge(['kind: Secret', ...data].join('\n'))), [3]);
  assert.equal(linesOf(judge([...data, 'kind: Secret'].join('\n'))), [3]);
});

test('armour around a few words is a sample, not a private key', () => {
  for (const body of [
    '...',
    'MIIEpAIBAAKCAQEA...',
    '<your key>',
    'XXXXXXXXXXXXXXXXXXXXXXXX',
    'KEY',
  ]) {
    const lines = [armour('RSA PRIVATE KEY'), body, armour('RSA PRIVATE KEY', 'END')];
    assert.equal(judge(lines.join('\n')), [], body);
    assert.equal(judge(`key = "${lines.join('\\n')}"`), [], body);
  }
  const alphabet = ['YWJjZGVmZ2hpamtsbW5v', 'cHFyc3R1dnd4eXo='].join('');
  assert.equal(
    judge([armour('PRIVATE KEY'), alphabet, armour('PRIVATE KEY', 'END')].join('\n')),
    [],
  );
});

test('a secret value below the name that gives it away is masked', () =>
  withRepo(async repo => {
    const value = `    <string>${planted.drawn}</string> `;
    await repo.stage(
      'App/Info.plist',
      `<plist><dict>\n<key>ApiSecret</key>\n${value}\n</dict></plist>\n`,
    );
    const manifest = ['kind: Secret', 'data:', `  a: ${btoa(planted.drawn)}`];
    await repo.stage('a.yml', `${manifest.join('\n')} \n`);
    const { stdout } = await apfelBot(['review', '--no-model', '--staged', '--format', 'json'], {
      cwd: repo.dir,
    });
    for (const rule of ['generic-credential', 'kubernetes-secret', 'whitespace']) {
      assert.match(stdout, rule);
    }
    assert.not.match(stdout, planted.drawn);
    assert.not.match(stdout, btoa(planted.drawn));
  }));

test('a PuTTY key is a private key', () => {
  const [hit] = judge(['PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none'].join('\n'));
  assert.is(hit?.rule, 'secret/private-key');
});

test('a private key in one file does not affect the next file', () => {
  judge(armour('PRIVATE KEY'));
  assert.equal(judge(keyBody[1] ?? ''), []);
});

test.run();
