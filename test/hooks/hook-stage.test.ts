import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { commitStage } from '../../src/hooks/facts.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('hooks/hook-stage');

const { signal } = new AbortController();

const cases: ReadonlyArray<readonly [said: string, stage: string]> = [
  ['echo pre-commit 3.0.4', 'commit'],
  ['echo pre-commit 3.1.1', 'commit'],
  ['echo pre-commit 3.2.0', 'pre-commit'],
  ['echo pre-commit 4.6.2', 'pre-commit'],
  ['echo pre-commit 3.10.0', 'pre-commit'],
  ['exit 1', 'commit'],
  ['echo hello', 'commit'],
];
for (const [said, stage] of cases) {
  test(`a pre-commit framework that prints \`${said}\` gets the stage ${stage}`, () =>
    withFolder(async dir => {
      const program = join(dir, 'pre-commit');
      await writeFile(program, `#!/bin/sh\n${said}\n`);
      await chmod(program, 0o755);
      assert.is(await commitStage({ env: { PATH: dir }, signal }), stage);
    }));
}

test('without the pre-commit framework the stage has the name that all versions know', () =>
  withFolder(async dir => assert.is(await commitStage({ env: { PATH: dir }, signal }), 'commit')));

test.run();
