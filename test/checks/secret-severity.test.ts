import { crc32 } from 'node:zlib';
import * as assert from 'uvu/assert';
import { secretCheck } from '../../src/checks/secret.js';
import { keyLines, planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';
import { judgeText } from './judge-text.js';

const test = suite('checks/secret-severity');

const judge = (text: string, path = 'src/a.ts') =>
  judgeText(secretCheck, path, text).map(({ rule, severity }) => [rule, severity ?? 'error']);

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** As GitHub and npm make them. */
function withChecksum(prefix: string, body: string): string {
  let rest = crc32(body);
  let checksum = '';
  while (checksum.length < 6) {
    checksum = BASE62.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return `${prefix}${body}${checksum}`;
}

const BODY = 'a8Kd93jLs02mfPq84ncTz6yWvRb1xX';

test("the checksum is GitHub's", () => {
  // From GitHub's own description of the format.
  const published = ['zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '0mLq17'];
  assert.is(withChecksum('', published[0] ?? ''), published.join(''));
});

for (const [prefix, rule] of [
  ['ghp_', 'secret/github-token'],
  ['gho_', 'secret/github-token'],
  ['ghs_', 'secret/github-token'],
  ['npm_', 'secret/npm-token'],
] as const) {
  test(`a token ${prefix}… with the right checksum is an error, with a wrong one a warning`, () => {
    const token = withChecksum(prefix, BODY);
    assert.equal(judge(`const t = '${token}';`), [[rule, 'error']]);
    const wrong = token.replace(/.$/, last => (last === 'A' ? 'B' : 'A'));
    assert.equal(judge(`const t = '${wrong}';`), [[rule, 'warning']]);
  });
}

/** As GitLab makes them: the payload, its length, and the checksum of all that. */
function routable(prefix: string): string {
  const payload = Buffer.from(`${'k3Rz81qLw0Xv92tB'}o:1\nu:3f\x07`).toString('base64url');
  const length = payload.length.toString(36).padStart(2, '0');
  const checked = `${prefix}${payload}.01.${length}`;
  return `${checked}${crc32(checked).toString(36).padStart(7, '0')}`;
}

for (const prefix of ['glpat-', 'glrt-t1_', 'glcbt-']) {
  test(`a routable token ${prefix}… with the right checksum is an error, with a wrong one a warning`, () => {
    const token = routable(prefix);
    assert.equal(judge(`const t = '${token}';`), [['secret/gitlab-token', 'error']]);
    const wrong = token.replace(/.$/, last => (last === 'a' ? 'b' : 'a'));
    assert.equal(judge(`const t = '${wrong}';`), [['secret/gitlab-token', 'warning']]);
  });
}

test('a token typed along the keyboard is a warning', () => {
  const token = 'figd_aBcDeFgHiJkLmNoPqRsT1234567890abcdefghijklmnop';
  assert.equal(judge(`const t = '${token}';`), [['secret/figma-token', 'warning']]);
});

test('a secret that only its name gives away is a warning', () => {
  assert.equal(judge(`api_key: "${planted.drawn}"`), [['secret/generic-credential', 'warning']]);
  assert.equal(judge(`password = "${planted.drawn}"`), [['secret/password', 'warning']]);
  const url = `https://bob:${planted.drawn}@db.acme.io/`;
  assert.equal(judge(`db = "${url}"`), [['secret/url-credential', 'warning']]);
  const header = `curl -H "Authorization: Bearer ${planted.drawn}" https://api.acme.io`;
  assert.equal(judge(header), [['secret/authorization-header', 'warning']]);
});

test('a name and a value in minified code are not reported, a fixed format is', () => {
  const line = `${'a();'.repeat(600)}x.token="${planted.drawn}";`;
  assert.equal(judge(line, 'assets/app.js'), []);
  assert.equal(judge(line, 'assets/app.json'), [['secret/generic-credential', 'warning']]);
  assert.equal(judge(line + planted.awsKey, 'assets/app.js'), [['secret/aws-access-key', 'error']]);
});

test('a secret in documentation, tests, samples and fixtures is a warning', () => {
  for (const path of [
    'README.md',
    'docs/config.rst',
    'docs/changelogs/changelog_4x.md',
    'test/unit/adapters/key.pem',
    'okhttp-tls/src/test/java/okhttp3/tls/HeldCertificateTest.kt',
    'spec/fixtures/a.json',
    'examples/app.js',
    'Sources/App/Fixtures/Key.swift',
    '.env.example',
    'config/settings.sample.yml',
    'pkg/testdata/key.go',
    'caddytest/a.caddy.localhost.key',
    'tokio-tls/examples_old/identity.rs',
  ]) {
    assert.equal(judge(planted.awsKey, path), [['secret/aws-access-key', 'warning']], path);
    const key = keyLines('RSA PRIVATE KEY').join('\n');
    assert.equal(judge(key, path), [['secret/private-key', 'warning']], path);
  }
  for (const path of ['src/latest.ts', 'config/prod.yml', 'Sources/Contest/A.swift', 'deploy.sh']) {
    assert.equal(judge(planted.awsKey, path), [['secret/aws-access-key', 'error']], path);
  }
});

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

const webToken = (payload: object): string =>
  [
    base64url({ alg: 'HS256', typ: 'JWT' }),
    base64url(payload),
    'q0D8fVh1yqz6uAaYyRk0fKq8ZbXr7dQx',
  ].join('.');

test('a JSON web token with a readable header is an error, others are warnings', () => {
  const token = webToken({ sub: 'svc-41', role: 'service_role', iat: 1_700_000_000 });
  assert.equal(judge(`const t = '${token}';`), [['secret/json-web-token', 'error']]);
  const unreadable = `eyJ${'hbGq9ciOiJIUzI1N'.repeat(2)}.eyJ${token.slice(60)}`;
  assert.equal(judge(`const t = '${unreadable}';`), [['secret/json-web-token', 'warning']]);
});

const jwtIo = webToken({ sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 });
const basic = Buffer.from(['Aladdin', 'open sesame'].join(':')).toString('base64');
const flaskKey = ['5f352379324c2246', '3451387a0aec5d2f'].join('');
const longFlaskKey = ['192b9bdd22ab9ed4d12e236c78afcb9a', '393ec15f71bbf5dc987d54727823bcbf'].join(
  '',
);
const googleKey = ['AIza', 'SyB3kQ9vT7mX2pL5nR8wZ1cF4hJ6dG0aUeY'].join('');

for (const [what, line] of [
  ['a type with a digit in its name', 'let credential: BitwardenSdk.Fido2CredentialNewView,'],
  ['a variable with a digit in its name', 'store(account: a, passphrase: e2ePassphrase)'],
  ['the percent escapes of a parsed URL', '"password": "%F0%9F%92%A9",'],
  ["Alamofire's Basic header", `"Authorization": "Basic ${basic}",`],
  ["Flask's documented key", `$ export FLASK_SECRET_KEY="${flaskKey}"`],
  ["Flask's documented key on Windows", `> $env:SECRET_KEY = "${flaskKey}"`],
  ["Flask's long documented key", `SECRET_KEY='${longFlaskKey}'`],
  ["Django's generated key", 'SECRET_KEY = "django-insecure-k3@9vz!8q2m$1xw7rt5n^0plb6c4hjdy"'],
  ['the token of jwt.io', `const t = '${jwtIo}';`],
  ['the token of jwt.io in a header', `curl -H "Authorization: Bearer ${jwtIo}"`],
  ['a UUID', 'token: 8c1f0b52-6d3e-4a7b-9e10-2f6c8d7a5b43'],
  ['a UUID in a header', '-H "Authorization: Bearer 8c1f0b52-6d3e-4a7b-9e10-2f6c8d7a5b43"'],
  ['a lock token of WebDAV', "'Lock-Token': 'urn:uuid:a515cfa4-5da4-22e1-f5b5-00a0451e6bf7'"],
  [
    'the address of a private image',
    `<img src="https://private-user-images.githubusercontent.com/1/2-3.png?jwt=${webToken({ iss: 'github.com', key: 'key5' })}">`,
  ],
  ['a presigned address', `https://b.s3.amazonaws.com/a?X-Amz-Credential=${planted.awsKey}%2F2026`],
  [
    "PowerShell's rule suppression",
    '[SuppressMessageAttribute(RuleName="PSAvoidUsingPlainTextForPassword", RuleSuppressionId="password1")]',
  ],
  ["GitLab's documented CI token", '// export CI_JOB_TOKEN="abcde-1234ABCD5678ef"'],
  [
    'an address at example.com',
    '// URL="https://gitlab-ci-token:x7Kd93jLs02mfPq84ncT@example.com/a.git"',
  ],
  ["Supabase's anon key", `const key = '${webToken({ role: 'anon', iss: 'supabase' })}';`],
  [
    "Mapbox's public token",
    `token: 'pk.${'eyJ1IjoiYWNtZSIsImEiOiJja3h5'.repeat(3)}.q0D8fVh1yqz6uAaYyRk0fK'`,
  ],
  [
    "Algolia's search key",
    "algolia: { appId: '1FCF9AYYAT', apiKey: '3f786850e387550fdab836ed7e6dc881' },",
  ],
  ["a Firebase app's key", `firebase.initializeApp({ apiKey: "${googleKey}" })`],
] as const) {
  test(`${what} is not a finding`, () => assert.equal(judge(line), []));
}

test('a key below the name of a service that publishes it is not a finding', () => {
  const algolia = ['algolia: {', "  appId: '1F',", "  apiKey: '3f786850e387550fdab836ed7e6dc881',"];
  assert.equal(judge(algolia.join('\n')), []);
  assert.equal(judge(`const firebaseConfig = {\n  apiKey: "${googleKey}",`), []);
  assert.equal(judge(`<string>${googleKey}</string>`, 'App/GoogleService-Info.plist'), []);
  assert.equal(judge(`key = "${googleKey}"`), [['secret/google-api-key', 'error']]);
  const admin = 'algolia: { adminApiKey: "3f786850e387550fdab836ed7e6dc881" }';
  assert.equal(judge(admin), [['secret/generic-credential', 'warning']]);
});

const drawn = (length: number): string => planted.drawn.repeat(20).slice(0, length);

for (const [what, line, rule] of [
  ['Anthropic, OAuth', `t = "sk-ant-oat01-${drawn(95)}"`, 'anthropic-key'],
  ['GitHub, stateless', `t = "ghs_${webToken({ sub: 'svc' })}"`, 'github-token'],
  ['Discord', `client.login('MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${drawn(30)}')`, 'discord-token'],
  ['Vercel', `t = "vcp_${drawn(56)}"`, 'vercel-token'],
  ['Cloudflare', `t = "cfut_${drawn(40)}03fa099b"`, 'cloudflare-token'],
  ['Supabase', `t = "sb_secret_${drawn(22)}_${drawn(8)}"`, 'supabase-token'],
  ['Bitbucket', `t = "ATBB${drawn(32)}"`, 'bitbucket-password'],
  ['HubSpot', 't = "pat-na1-8c1f0b52-6d3e-4a7b-9e10-2f6c8d7a5b43"', 'hubspot-token'],
  ['Azure DevOps', `t = "${drawn(76)}AZDO${drawn(4)}"`, 'azure-devops-token'],
  ['Azure SAS', `https://a.blob.core.windows.net/c?sv=2024&sig=${drawn(43)}%3D`, 'azure-sas'],
  ['AWS', `aws_secret_access_key = ${drawn(40)}`, 'aws-secret-key'],
  ['Amazon Bedrock', `t = "ABSKQmVkcm9ja0FQSUtleS${drawn(90)}="`, 'aws-bedrock-key'],
] as const) {
  test(`a token of ${what} is an error`, () => {
    assert.equal(judge(line), [[`secret/${rule}`, 'error']]);
  });
}

for (const [what, path, text, rule] of [
  [
    'a .netrc on one line',
    '.netrc',
    `machine a.io login bob password ${planted.drawn}`,
    'password',
  ],
  [
    'a .netrc over several lines',
    '.netrc',
    `machine a.io\n  password ${planted.drawn}`,
    'password',
  ],
  ['a macro of Objective-C', 'A.m', `#define API_KEY @"${planted.drawn}"`, 'generic-credential'],
  [
    'a plist',
    'A.plist',
    `<key>ApiKey</key>\n<string>${planted.drawn}</string>`,
    'generic-credential',
  ],
  [
    'a plist on one line',
    'A.plist',
    `<key>apiKey</key><string>${planted.drawn}</string>`,
    'generic-credential',
  ],
  ['an xcconfig', 'A.xcconfig', `API_KEY = ${planted.drawn}`, 'generic-credential'],
  [
    "Apple's app-specific password",
    'a.sh',
    'xcrun notarytool submit --password qkzv-wtrb-mxpd-jhlc',
    'password',
  ],
  ["fastlane's password", 'a.sh', 'FASTLANE_PASSWORD="qkzv-wtrb-mxpd-jhlc"', 'password'],
] as const) {
  test(`a credential in ${what} is a warning`, () => {
    assert.equal(judge(text, path), [[`secret/${rule}`, 'warning']]);
  });
}

test.run();
