import * as assert from 'uvu/assert';
import { reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withRepo } from '../support/with-repo.js';
import { DEBUGGER, placesOf } from './situation.js';

const test = suite('git/quote-path');

const NAMES = ['grün.js', 'mit "Zeichen".js', 'tab\there.js', 'zwei wörter.js'];

for (const setting of ['true', 'false']) {
  test(`file names are unchanged with core.quotePath=${setting}`, () =>
    withRepo(async repo => {
      await repo.git('config', 'core.quotePath', setting);
      for (const name of NAMES) await repo.stage(name, DEBUGGER);
      const { outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
      const debuggers = outcome.findings.filter(({ rule }) => rule === 'debugger');
      assert.equal(
        placesOf({ ...outcome, findings: debuggers }).sort(),
        NAMES.map(name => `${name}:1`).sort(),
      );
    }));
}

test.run();
