import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openScratch } from '../../../src/adapters/scratch/scratch.js';
import { scratchOverlay } from '../../../src/adapters/scratch/scratch-overlay.js';
import { foldingGit } from '../../support/folding-git.js';
import { suite } from '../../support/suite.js';
import { gitEnv, withFolder, withRepo } from '../../support/with-repo.js';
import { announce, failureOf, whereabouts } from './scratch-harness.js';

const test = suite('scratch-overlay');

test('a file laid over one that only differs in case can neither be read nor written', () =>
  withRepo(repo =>
    withFolder(async temp => {
      await repo.commit({ 'Foo.js': 'base;\n', 'bar.js': 'bar;\n' });
      const PATH = await foldingGit(join(repo.dir, '.git/folding'), [['Foo.js', 'foo.js']]);
      const place = await whereabouts(repo.dir, { env: { ...gitEnv(repo.dir), PATH } });
      const commit = place.repository.head ?? '';
      const base = await openScratch({ ...place, commit, temp, announce });
      assert.is(Buffer.from((await base.readFile('Foo.js')) ?? '').toString(), 'base;\n');
      const files = new Map([
        ['foo.js', Buffer.from('change;\n')],
        ['bar.js', Buffer.from('changed bar;\n')],
      ]);
      const over = await scratchOverlay(base, files);
      for (const path of ['Foo.js', 'foo.js']) {
        assert.match((await failureOf(over.readFile(path))).message, /the same file as/);
        assert.match((await failureOf(over.writeFile(path, Buffer.from('')))).message, /same file/);
      }
      assert.is(Buffer.from((await over.readFile('bar.js')) ?? '').toString(), 'changed bar;\n');
      await base.remove();
    }),
  ));

test.run();
