import * as assert from 'uvu/assert';
import { openGit } from '../../src/git/git.js';
import { textsAt } from '../../src/hooks/review-commit.js';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';

const test = suite('hooks/texts-at');

test('the files of a commit that are asked for are read, however many, and no others', () =>
  withRepo(async repo => {
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`src/f${at}.js`, `one(${at});\n`]),
    );
    const commit = await repo.commit({ ...files, 'with space.js': 'a\n', 'odd\nname.js': 'b\n' });
    const abort = new AbortController();
    const git = await openGit({
      cwd: repo.dir,
      env: gitEnv(repo.dir),
      signal: abort.signal,
      expectsStaged: false,
    });
    const asked = [...Object.keys(files), 'with space.js', 'odd\nname.js', 'gone.js', 'src'];
    const texts = await textsAt(git, commit, [...asked, ...asked]);
    assert.is(texts.size, 252);
    assert.is(texts.get('src/f249.js'), 'one(249);\n');
    assert.is(texts.get('with space.js'), 'a\n');
    assert.is(texts.get('odd\nname.js'), 'b\n');
    abort.abort();
  }));

test.run();
