import * as assert from 'uvu/assert';
import type { Task } from '../../src/core/task.js';
import { changeName } from '../../src/diff/selector.js';
import { suite } from '../support/suite.js';
import { gitEnv, withRepo } from '../support/with-repo.js';

const test = suite('diff/change-name');

const BASE = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);

test('a change is named in the words of the command line', () =>
  withRepo(async ({ dir }) => {
    const context = { cwd: dir, env: gitEnv(dir), gitDir: undefined };
    const name = (asked: Partial<Pick<Task, 'selector' | 'pull'>>, head = HEAD): Promise<string> =>
      changeName(
        { selector: { kind: 'default' }, pull: null, ...asked },
        { base: BASE, head },
        { ...context, signal: new AbortController().signal },
      );
    const range = { kind: 'range', from: 'main', to: HEAD } as const;
    assert.is(await name({}, 'stdin'), 'the diff on standard input');
    assert.is(await name({}, 'index'), 'staged changes');
    assert.is(await name({ pull: 7 }), 'pull request #7 (aaaaaaa...bbbbbbb)');
    assert.is(await name({ selector: { ...range, symmetric: true } }), 'main...bbbbbbb');
    assert.is(await name({ selector: { ...range, symmetric: false } }), 'main..bbbbbbb');
    assert.is(await name({}), 'commit bbbbbbb');
  }));

test.run();
