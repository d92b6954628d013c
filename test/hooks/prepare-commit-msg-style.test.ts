import * as assert from 'uvu/assert';
import { inStyle } from '../../src/hooks/prepare-commit-msg.js';
import { suite } from '../support/suite.js';

const test = suite('hooks/prepare-commit-msg-style');

const many = (...subjects: string[]): string[] => [...subjects, ...subjects, ...subjects];

for (const [what, subjects, title, wanted] of [
  ['no history', [], 'Raise the limit', 'Raise the limit'],
  ['plain subjects', many('Add a test', 'Fix the build'), 'Raise the limit', 'Raise the limit'],
  [
    'conventional commits',
    many('feat: add x', 'fix(api): y'),
    'Add a limit for retries',
    'feat: add a limit for retries',
  ],
  ['a type of the model', many('feat: add x', 'fix: y'), 'fix: Raise it', 'chore: raise it'],
  [
    'an acronym first',
    many('feat: add x', 'fix: y'),
    'HTTP errors are final',
    'chore: HTTP errors are final',
  ],
  [
    'areas, one of which is in the path',
    many('net: a', 'limits: b'),
    'Raise it',
    'limits: raise it',
  ],
  ['areas, none of which is in the path', many('net: a', 'web: b'), 'Raise it', 'raise it'],
  ['tickets', many('JIRA-1: Do it', 'JIRA-2: Do more'), 'Raise it', 'JIRA-77: Raise it'],
  ['tickets in brackets', many('[AB-1] Do it', '[AB-2] Do it'), 'Raise it', '[JIRA-77] Raise it'],
  [
    'short subjects',
    many('Raise it', 'Lower it'),
    'Raise the limit of retries in the client to eighteen',
    'Raise the limit of retries in the client',
  ],
] as const) {
  test(`a draft after ${what} has the style of earlier commits`, () => {
    const history = { subjects, paths: ['src/limits/a.ts'], branch: 'feature/JIRA-77-limits' };
    assert.is(inStyle(title, history), wanted);
  });
}

test('without a ticket in the branch, none is made up', () => {
  const subjects = many('JIRA-1: Do it', 'JIRA-2: Do more');
  assert.is(inStyle('Raise it', { subjects, paths: ['a.ts'], branch: 'main' }), 'Raise it');
});

test('the type of a commit follows its files', () => {
  const subjects = many('feat: add x', 'fix: y');
  const typeOf = (path: string): string =>
    inStyle('Add a word', { subjects, paths: [path], branch: '' }).split(':')[0] ?? '';
  assert.equal(
    ['README.md', 'test/a.test.ts', '.github/workflows/ci.yml', 'src/a.ts'].map(typeOf),
    ['docs', 'test', 'ci', 'feat'],
  );
});

test.run();
