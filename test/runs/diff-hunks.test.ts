import * as assert from 'uvu/assert';
import { type Git, openGit } from '../../src/git/git.js';
import type { DiffHunk } from '../../src/runs/run-log.js';
import { diffHunks } from '../../src/runs/save.js';
import { planted } from '../secrets/planted.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('runs/diff-hunks');

const open = ({ dir }: Repo): Promise<Git> =>
  openGit({
    cwd: dir,
    env: gitEnv(dir),
    signal: new AbortController().signal,
    expectsStaged: false,
  });

const numbered = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join('');

const spans = (hunks: readonly DiffHunk[]): Array<readonly [string, number, number]> =>
  hunks.map(({ path, lines }) => {
    const numbers = lines.flatMap(line => (line.kind === 'removed' ? [] : [line.newLine]));
    return [path, Math.min(...numbers), Math.max(...numbers)] as const;
  });

test('only hunks that hold a line in question are kept, with what is around it', () =>
  withRepo(async repo => {
    const from = await repo.commit({ 'a.txt': numbered(60), 'b.txt': 'x\n' });
    const changed = numbered(60).replace('line 5\n', 'line V\n').replace('line 50\n', 'line L\n');
    const to = await repo.commit({ 'a.txt': changed, 'b.txt': 'y\n' });
    const git = await open(repo);
    const hunks = await diffHunks(git, {
      from,
      to,
      lines: new Map([['a.txt', new Set(['new 50'])]]),
    });
    assert.equal(spans(hunks), [['a.txt', 47, 53]]);
    assert.equal(
      await diffHunks(git, { from, to, lines: new Map([['a.txt', new Set(['new 20'])]]) }),
      [],
    );
    assert.equal(
      spans(await diffHunks(git, { from, to, lines: undefined })).map(([path]) => path),
      ['a.txt', 'a.txt', 'b.txt'],
    );
  }));

test('of a very long hunk the parts near the lines are kept, each once', () =>
  withRepo(async repo => {
    await repo.stage('long.txt', numbered(5000));
    const git = await open(repo);
    const lines = new Map([['long.txt', new Set(['new 100', 'new 105', 'new 2000'])]]);
    const from = await repo.git('rev-parse', 'HEAD');
    assert.equal(spans(await diffHunks(git, { from, to: 'index', lines })), [
      ['long.txt', 92, 113],
      ['long.txt', 1992, 2008],
    ]);
  }));

test('secrets are masked', () =>
  withRepo(async repo => {
    const { githubToken: secret } = planted;
    await repo.stage('a.js', `const token = '${secret}';\n`);
    const from = await repo.git('rev-parse', 'HEAD');
    const lines = new Map([['a.js', new Set(['new 1'])]]);
    const [hunk] = await diffHunks(await open(repo), { from, to: 'index', lines });
    assert.match(hunk?.lines[0]?.text ?? '', /^const token = 'ghp_\*+';$/);
  }));

test('a path that reads like an option or a pattern is just a path', () =>
  withRepo(async repo => {
    await repo.stage('--output=x', 'a\n');
    await repo.stage(':(glob)*', 'b\n');
    const from = await repo.git('rev-parse', 'HEAD');
    const lines = new Map([':(glob)*', '--output=x'].map(path => [path, new Set(['new 1'])]));
    const hunks = await diffHunks(await open(repo), { from, to: 'index', lines });
    assert.equal(
      hunks.map(({ path }) => path),
      ['--output=x', ':(glob)*'],
    );
  }));

test.run();
