import * as assert from 'uvu/assert';
import { credentialName } from '../../src/secrets/credentials.js';
import { looksRandom } from '../../src/secrets/placeholder.js';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';
import { planted } from './planted.js';

const test = suite('secrets/read-assignment');

// Put together here so that no scanner takes this file for a leak.
const GENERATED = ['f3Kq81ZtWm', 'Pz0aL5vXc2'].join('');
const HEX = ['9f86d081884c7d65', '9a2feaa0c55ad015'].join('');
const ID = ['8c1f0b52-6d3e', '4a7b-9e10-2f6c8d7a5b43'].join('-');
const CHOSEN = ['Zk8!mv', 'Q2pLr9'].join('');

/** What is found, as [kind, value]. */
const found = (text: string): Array<readonly [string, string]> =>
  findSecrets(text).map(({ kind, start, end }) => [kind, text.slice(start, end)] as const);

const assignments: readonly string[] = [
  `api_key = "${GENERATED}"`,
  `apiKey: '${GENERATED}',`,
  `"api-key": "${GENERATED}"`,
  `API_KEY=${GENERATED}`,
  `export SERVICE_TOKEN="${GENERATED}"`,
  `const authToken: string = '${GENERATED}';`,
  `var authToken string = "${GENERATED}"`,
  `let client_secret: &str = "${GENERATED}";`,
  `$serviceToken .= "${GENERATED}"`,
  `SERVICE_TOKEN ?= ${GENERATED}`,
  `serviceToken := \`${GENERATED}\``,
  `"serviceToken" => "${GENERATED}"`,
  `System.setProperty("SERVICE_TOKEN", "${GENERATED}")`,
  `const token = process.env.TOKEN || '${GENERATED}';`,
  `<apiToken>${GENERATED}</apiToken>`,
  `{"file": "TOKEN=${GENERATED}\\nNEXT=1"}`,
  `{"line": "{\\"token\\": \\"${GENERATED}\\"}"}`,
  `access_token_prod: ${GENERATED}`,
  `HEROKU_KEY = "${GENERATED}"`,
  `X-Api-Key: ${GENERATED}`,
  `new Client({ accessKey: "${GENERATED}" })`,
  `user_auth: "${GENERATED}"`,
  `MY_CREDS="${GENERATED}"\r`,
];

for (const line of assignments) {
  test(`a random value is found in: ${line.replace(GENERATED, 'VALUE').trim()}`, () =>
    assert.equal(found(line), [['generic-credential', GENERATED]]));
}

test('a token inside a value is found by its format', () => {
  const line = `token: "v1-${planted.githubToken}"`;
  assert.equal(found(line), [['github-token', planted.githubToken]]);
});

test('a hexadecimal value is random enough for a token, but a UUID names something', () => {
  assert.equal(found(`token: ${HEX}`), [['generic-credential', HEX]]);
  assert.equal(found(`token: "${ID}"`), []);
});

test('a value on a line between the tags of an element is found', () => {
  const text = `<config>\n  <apiToken>\r\n    ${GENERATED}\r\n  </apiToken>\n</config>`;
  assert.equal(found(text), [['generic-credential', GENERATED]]);
  assert.equal(found(`<title>\n  ${GENERATED}\n</title>`), []);
  assert.equal(found(`<apiToken>\n\n  ${GENERATED}`), []);
});

test('a chosen password is found by its three kinds of characters', () => {
  assert.equal(found(`DB_PASSWORD=${CHOSEN}`), [['password', CHOSEN]]);
  assert.equal(found(`password: '${CHOSEN}'`), [['password', CHOSEN]]);
  assert.equal(found(`password: '${CHOSEN.toLowerCase()}'`), [['password', CHOSEN.toLowerCase()]]);
  assert.equal(found("password: 'kennwort2neu'"), []);
  assert.equal(found(`token: '${CHOSEN}'`), []);
});

const harmless: readonly string[] = [
  `if (a.apiKey > "${GENERATED}")`,
  `set(apiKey, "${GENERATED}")`,
  'password: process.env.DB_PASSWORD',
  'password = os.environ["DB_PASSWORD"]',
  `token: \${{ secrets.GITHUB_TOKEN }}`,
  `token: "\${API_TOKEN_V2_2024}"`,
  'token = "<your token 12345>"',
  'token = "<token-1a2b3c4d5e>"',
  'api_key: "xxxxxxxxxxxxxxxxxxxxxxxx"',
  'api_key: "your-api-key-1a2b3c4d5e6f"',
  'api_key = "changeme-1a2b3c4d5e6f7g"',
  `api_key = "example-${GENERATED}"`,
  'password: "changeit123!"',
  'password: "P@ssw0rd123!"',
  'password: "Test1234!"',
  'password = "$Kennwort2Neu"',
  'password = "%Kennwort2Neu%"',
  'password: "Passwort vergessen?"',
  'PWD: "/Users/Max.Muster/work1"',
  'password: string;',
  'passwordLabel = "Kennwort2!Neu"',
  'const token = tokens[index + 1];',
  'token = request.headers.authorization',
  'private_key: ed25519.Ed25519PrivateKey, other',
  'secretName: "nexus-gpt4-api-v1-2024"',
  'API_TOKEN_VERSION=rc0.13.0_20230412_0712',
  'tokenUrl: "https://login.acme.io/v2/a1b2c3d4e5f6g7"',
  'keyFile = "certs/a1b2c3d4e5f6g7h8.pem"',
  'next_token = tokenizer.peek(1)',
  'token: 761508647051187425',
  'git commit token 3f786850e387550fdab836ed7e6dc881de23001b',
  '"integrity": "sha512-2Xv3LMTVAcZ7oHc7NVmLh+AQSa+MbXKc0KeqYVmZ1TqqD1BsB6Lw5kkr2oQ1xRVc5SAnNGv/9L9w=="',
];

for (const line of harmless) {
  test(`nothing is found in: ${line}`, () => assert.equal(found(line), []));
}

test('names of public and made-up values are not credentials', () => {
  const names = [
    'publicToken',
    'csrf-token',
    'nextPageToken',
    'primaryKey',
    'cacheKey',
    'tokenHash',
    'key',
    'author',
    'keyboard',
    'secretary',
    'exampleToken',
    'credentialsId',
    'password_field',
  ];
  assert.equal(
    names.filter(name => credentialName(name) !== undefined),
    [],
  );
});

test('an everyday word in the name of a password, a secret or an access key hides nothing', () => {
  const names = [
    'REDIS_CACHE_PASSWORD',
    'NEXT_PRIVATE_API_KEY',
    'CACHE_AUTH_TOKEN',
    'PRIMARY_ACCESS_KEY',
    'PAGE_ACCESS_TOKEN',
    'PARTITION_STORAGE_KEY',
    'csrfSecret',
    'nextAuthSecret',
    'revisionPassword',
  ];
  assert.equal(
    names.filter(name => credentialName(name) === undefined),
    [],
  );
});

test('a token or a key that an everyday word describes is not a credential', () => {
  const names = [
    'next_page_token',
    'pageToken',
    'nextSyncToken',
    'api_page_token',
    'continuation-token',
    'partition_key',
    'sortKey',
    'foreign_key',
    'api_cache_key',
  ];
  assert.equal(
    names.filter(name => credentialName(name) !== undefined),
    [],
  );
});

test('names of credentials are recognized in every naming style', () => {
  const passwords = ['password', 'DB_PASSWORD', 'dbPassword', 'db.passwd', 'PWD', 'passphrase'];
  const generated = [
    'token',
    'AWS_SECRET_ACCESS_KEY',
    'awsSecretKey',
    'api-key',
    'APIKey',
    'apikey',
  ];
  for (const name of passwords) assert.is(credentialName(name), 'password', name);
  for (const name of generated) assert.is(credentialName(name), 'generated', name);
});

test('words, versions and numbers do not look random', () => {
  const written = [
    'abortControllerInstance',
    'id-Gost28147-89-None-KeyMeshing',
    'rc0.15.0_20231217_1420-SNAPSHOT',
    'NEXUS-GPT4-API-KEY',
    '20231217142000',
    'aaaaaaaaaa1111111111',
    'thisstringisalllowercase',
  ];
  assert.equal(written.filter(looksRandom), []);
  assert.equal([GENERATED, HEX, ID].filter(looksRandom), [GENERATED, HEX]);
});

test("a form's authenticity token is not a credential", () => {
  assert.equal(found(`"authenticity_token"=>"${GENERATED}"`), []);
});

test('a translation of the word password is not a password', () => {
  assert.equal(found('"password": "Contraseña",'), []);
  assert.equal(found('"password": "Lösenord",'), []);
});

test.run();
