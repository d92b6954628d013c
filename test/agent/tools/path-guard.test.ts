import * as assert from 'uvu/assert';
import { guardPath } from '../../../src/agent/reading.js';
import { isSecretBearing } from '../../../src/diff/secret-bearing.js';
import { mustEnd } from '../../support/must-end.js';
import { suite } from '../../support/suite.js';

const test = suite('agent/tools/path-guard');

test('repository-relative paths pass, spelt as git spells them', () => {
  for (const [said, path] of [
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    [' src//a.ts ', 'src/a.ts'],
    ['src/', 'src'],
    ['.', ''],
    ['', ''],
    ['a..b/c...d', 'a..b/c...d'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['.gitignore', '.gitignore'],
    ['back\\slash', 'back\\slash'],
  ] as const) {
    assert.equal(guardPath(said), { ok: true, path }, said);
  }
});

const REFUSED: ReadonlyArray<readonly [said: string, reason: RegExp]> = [
  ['/etc/passwd', /absolute paths are not allowed; give the path from the top/],
  ['~/x', /absolute/],
  ['\\\\server\\share', /absolute/],
  ['C:\\x', /absolute/],
  ['c:/x', /absolute/],
  ['..', /"\.\." is not allowed/],
  ['src/../../x', /"\.\." is not allowed/],
  ['.git/config', /\.git/],
  ['src/.GIT/config', /\.git/],
  ['.g\u206ait/config', /\.git/],
  ['.git./config', /\.git/],
  ['.git /config', /\.git/],
  ['GIT~1/config', /\.git/],
  ['.g\u200cit/config', /\.git/],
  ['src/a.ts\0.png', /NUL/],
  ['a'.repeat(5000), /too long/],
  ['.env', /secrets/],
  ['.env.d/database', /secrets/],
  ['config/.env.production', /secrets/],
  ['deploy/server.PEM', /secrets/],
  ['id_rsa', /secrets/],
  ['home/.ssh/config', /secrets/],
  ['.npmrc', /secrets/],
  ['keys/private.key', /secrets/],
  ['kubeconfig', /secrets/],
  ['infra/terraform.tfstate', /secrets/],
  ['infra/terraform.tfstate.backup', /secrets/],
  ['prod.tfvars', /secrets/],
  ['prod.env.bak', /secrets/],
  ['server.key.old', /secrets/],
];

for (const [said, reason] of REFUSED) {
  test(`the path ${said.slice(0, 30).replace('\0', '\\0')} is refused with the reason`, () => {
    const guarded = guardPath(said);
    assert.not.ok(guarded.ok);
    assert.match(guarded.ok ? '' : guarded.reason, reason);
  });
}

test('files whose names only sound like secrets can be read', () => {
  for (const path of [
    'src/env.ts',
    'src/app.env.ts',
    'vite-env.d.ts',
    'src/keyboard.ts',
    'id_rsa.pub',
    'src/monkey.ts',
    'docs/keys.md',
    'environment.json',
    'src/secrets/check.ts',
    'src/credentials.ts',
  ]) {
    assert.not.ok(isSecretBearing(path), path);
  }
});

test('a hostile path is judged in linear time', () => {
  mustEnd(() => {
    for (const path of ['./'.repeat(250_000), '.git'.repeat(125_000), ' '.repeat(500_000)])
      guardPath(path);
    isSecretBearing('.env-'.repeat(100_000));
    isSecretBearing(`secret${'.'.repeat(500_000)}`);
  });
});

test.run();
