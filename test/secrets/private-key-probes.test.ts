import * as assert from 'uvu/assert';
import { redact } from '../../src/secrets/redact.js';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';
import { armour, keyBody, keyLines } from './planted.js';

const test = suite('secrets/private-key-probes');

const LABELS = [
  'PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
];

const findings = (text: string): string[] =>
  findSecrets(text)
    .filter(secret => !secret.isContinuation)
    .map(secret => secret.kind);

for (const label of LABELS) {
  test(`a ${label} is one finding and its body is masked`, () => {
    const text = keyLines(label).join('\n');
    assert.equal(findings(text), ['private-key']);
    const masked = keyBody.map(line => '*'.repeat(line.length));
    assert.is(redact(text), [armour(label), ...masked, armour(label, 'END')].join('\n'));
  });
}

test('a public key, a certificate and a signature are not found', () => {
  for (const label of ['PUBLIC KEY', 'CERTIFICATE', 'PGP PUBLIC KEY BLOCK', 'SSH SIGNATURE']) {
    const body = keyBody.map(line => line.replace(/^MIIEowIBAAKC/, 'MIIDdzCCAl+g'));
    const text = [armour(label), ...body, armour(label, 'END')].join('\n');
    assert.equal(findSecrets(text), [], label);
  }
});

test('a key in a string with escaped newlines is masked between its BEGIN and END lines', () => {
  const head = `  "private_key": "${armour('PRIVATE KEY')}`;
  const tail = `${armour('PRIVATE KEY', 'END')}\\n",`;
  const text = `${head}\\n${keyBody.join('\\n')}\\n${tail}`;
  assert.equal(findings(text), ['private-key']);
  assert.is(redact(text), `${head}${'*'.repeat(text.length - head.length - tail.length)}${tail}`);
});

test('a key that is indented, quoted or marked as in a diff is masked', () => {
  for (const [before, after] of [
    ['    ', ''],
    ['+', ''],
    ['-', '\r'],
    ["  '", "\\n' +"],
    ['# ', ''],
  ]) {
    const text = keyLines('RSA PRIVATE KEY')
      .map(line => `${before}${line}${after}`)
      .join('\n');
    const redacted = redact(text);
    assert.is(redacted.length, text.length);
    for (const line of keyBody) assert.not(redacted.includes(line), `${before}${line}${after}`);
  }
});

test('the header fields of an encrypted key stay readable and its body is masked', () => {
  const head = armour('RSA PRIVATE KEY');
  const rest = [...keyBody];
  const fields = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0123', ''];
  const redacted = redact([head, ...fields, ...rest.reverse()].join('\n'));
  assert.ok(redacted.includes(fields.join('\n')));
  for (const line of keyBody) assert.not(redacted.includes(line));
});

test('what follows a key is not masked', () => {
  const [short = ''] = keyBody.slice(-1);
  const oneLine = `"${armour('PRIVATE KEY')}\\n${keyBody[1]}\\n${armour('PRIVATE KEY', 'END')}"`;
  assert.ok(redact(`${oneLine}\n${short}`).endsWith(`\n${short}`));
  assert.ok(redact(`${keyLines('PRIVATE KEY').join('\n')}\n${short}`).endsWith(`\n${short}`));
  assert.ok(redact(`${armour('PRIVATE KEY')}\ncall(1);\n${short}`).endsWith(`\n${short}`));
});

test('a key header that is only mentioned is not found', () => {
  const label = armour('PRIVATE KEY');
  for (const line of [
    `if (text.includes('${label}')) {`,
    `const HEAD = '${label}';`,
    `// expects ${label}`,
    `'${label}\\n' + key + '\\n${armour('PRIVATE KEY', 'END')}'`,
    `${label}${armour('PRIVATE KEY', 'END')}`,
    `\`${label}\\n\${body}\``,
  ]) {
    assert.equal(findSecrets(line), [], line);
  }
});

test('the body of a key is found without its BEGIN and END lines', () => {
  const [first = ''] = keyBody;
  assert.equal(findings(first), ['private-key']);
  assert.equal(findings(`  '${first}',`), ['private-key']);
  const openssh = ['b3BlbnNzaC1rZXktdjE', 'AAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABFw'].join('');
  assert.equal(findings(openssh), ['private-key']);
});

test('a key file in base64 is found, a certificate in base64 is not', () => {
  const encoded = (label: string): string =>
    Buffer.from(keyLines(label).join('\n')).toString('base64');
  assert.equal(findings(`tls.key: ${encoded('RSA PRIVATE KEY')}`), ['private-key']);
  assert.equal(findings(`tls.crt: ${encoded('CERTIFICATE')}`), []);
});

test('lines from the middle of a key are masked without the header of the key', () => {
  const [, middle = ''] = keyBody;
  assert.is(redact(`+${middle}\n+next();`), `+${'*'.repeat(64)}\n+next();`);
  const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.is(redact(digest), digest);
});

test.run();
