import * as assert from 'uvu/assert';
import { findSecrets } from '../../src/secrets/scan.js';
import { suite } from '../support/suite.js';

const test = suite('secrets/manifest-reader');

const VALUE = Buffer.from('a value that is kept secret').toString('base64');

const values = (lines: readonly string[]): string[] => {
  const text = lines.join('\n');
  return findSecrets(text)
    .filter(secret => secret.kind === 'kubernetes-secret')
    .map(secret => text.slice(secret.start, secret.end));
};

test('a value under data of a Kubernetes Secret is found after the kind', () => {
  assert.equal(values(['kind: Secret', 'type: Opaque', 'data:', `  user: ${VALUE}`]), [VALUE]);
});

test('a value under data of a Kubernetes Secret is found before the kind', () => {
  const lines = ['apiVersion: v1', 'data:', `  user: "${VALUE}"`, 'metadata:', '  a: b'];
  assert.equal(values([...lines, 'kind: "Secret"']), [VALUE]);
  assert.equal(values([...lines, 'kind: ConfigMap']), []);
});

test('a block value of a Kubernetes Secret is found', () => {
  const lines = ['kind: Secret', 'data:', '  .dockercfg: |', `    ${VALUE}`, 'type: Opaque'];
  assert.equal(values(lines), [VALUE]);
});

test('a manifest is read in a diff, after the markers of its lines', () => {
  assert.equal(values(['+kind: Secret', '+data:', `+  user: ${VALUE}`]), [VALUE]);
});

test('templates, empty values, certificates and short values in a manifest are not reported', () => {
  const certificate = Buffer.from(`${'-'.repeat(5)}BEGIN CERTIFICATE`).toString('base64');
  const entries = ['{{ .Values.user }}', '""', certificate, 'YmFyCg=='];
  for (const entry of entries) {
    assert.equal(values(['kind: Secret', 'data:', `  user: ${entry}`]), [], entry);
  }
});

test('values outside the data of a Kubernetes secret are not reported', () => {
  const data = ['data:', `  user: ${VALUE}`];
  assert.equal(values(['kind: ConfigMap', ...data]), []);
  assert.equal(values(['kind: Secret', '---', ...data]), []);
  assert.equal(values(['kind: Secret', 'metadata:', `  user: ${VALUE}`]), []);
  assert.equal(values(['kind: Secret', 'data:', 'metadata:', `  user: ${VALUE}`]), []);
  const inner = ['kind: Secret', ...data].map(line => `    ${line}`);
  assert.equal(values(['kind: ExternalSecret', 'spec:', '  ref:', ...inner]), []);
});

test('each item of a list of Kubernetes objects counts as a document', () => {
  const item = ['apiVersion: v1', 'kind: Secret', 'data:', `  user: ${VALUE}`];
  const lines = ['kind: List', 'items:', ...item.map(line => `  ${line}`)];
  assert.equal(values(lines), [VALUE]);
});

test('a value that was found by its name before the kind is reported once', () => {
  const drawn = ['ZjNLcTgxWnRXbV', 'B6MGFMNXZYYzI='].join('');
  const secrets = findSecrets(`data:\n  token: ${drawn}\nkind: Secret`);
  assert.equal(
    secrets.map(({ kind, start, end }) => ({ kind, start, end })),
    [{ kind: 'generic-credential', start: 15, end: 15 + drawn.length }],
  );
});

test.run();
