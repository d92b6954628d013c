import * as assert from 'uvu/assert';
import { apfelBot, reviewJson } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { type Repo, withRepo } from '../support/with-repo.js';

// Put together here so that no scanner stumbles over this file.
const KEY = `AKIA${'Q3EGR2X7LMPZ5W4T'}`;
const FILES: Readonly<Record<string, string>> = {
  'src/cloud.ts': `export const region = 'eu';\nexport const key = '${KEY}';\n`,
  'src/merge.ts': `const one = 1;\n<${'<'.repeat(6)} HEAD\nconst two = 2;\n${'='.repeat(7)}\nconst two = 3;\n${'>'.repeat(7)} theirs\n`,
  'test/sum.test.js': `describe('sum', () => {\n  it.only('adds', () => {});\n});\n`,
  'src/access.ts': `const ok = true;\nconst role = 'user\u202e';\n`,
  'config/app.json': `{\n  "port": 80\n  "host": "x"\n}\n`,
};

const EXPECTED = [
  'config/app.json:3 invalid/json',
  'src/access.ts:2 hidden-unicode/bidi',
  'src/cloud.ts:2 secret/aws-access-key',
  'src/merge.ts:2 conflict-marker',
  'test/sum.test.js:2 focused-test',
];

const plant = async (repo: Repo): Promise<void> => {
  for (const [path, text] of Object.entries(FILES)) await repo.stage(path, text);
};

const test = suite('review/five-findings');

test('five planted problems are found at their lines, with exit 1', () =>
  withRepo(async repo => {
    await plant(repo);
    const { code, outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    const places = outcome.findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`);
    assert.equal(places, EXPECTED);
    assert.is(code, 1);
    assert.is(outcome.complete, true);
    assert.is(outcome.ledger.total, outcome.change.hunks);
  }));

for (const format of ['text', 'json', 'sarif', 'rdjson', 'github', 'markdown']) {
  test(`five planted problems are all in --format ${format}, without the key`, () =>
    withRepo(async repo => {
      await plant(repo);
      const args = [
        'review',
        '--staged',
        '--no-model',
        '--format',
        format,
        '--out',
        'outcome.json',
      ];
      const { code, stdout, stderr } = await apfelBot(args, { cwd: repo.dir });
      assert.is(code, 1);
      for (const expected of EXPECTED) {
        const [place = '', rule = ''] = expected.split(' ');
        const [path = ''] = place.split(':');
        // Markdown breaks words that GitHub would act on; the path stands in a code span.
        assert.ok(stdout.includes(path), `${path} is missing:\n${stdout}`);
        assert.ok(stdout.includes(rule), `${rule} is missing:\n${stdout}`);
      }
      const written = await repo.git('hash-object', 'outcome.json');
      assert.ok(written.length >= 40, 'the outcome was written');
      for (const text of [stdout, stderr]) assert.not.ok(text.includes(KEY), text);
      assert.not.ok(stdout.includes('\u202e'), 'no bidi character reaches the reader');
    }));
}

test('five problems in unchanged lines are not findings', () =>
  withRepo(async repo => {
    await repo.commit(FILES);
    for (const [path, text] of Object.entries(FILES)) {
      const comment = path.endsWith('.json') ? '\n' : '// a harmless line\n';
      await repo.stage(path, text + comment);
    }
    const { code, outcome } = await reviewJson(['--staged', '--no-model'], { cwd: repo.dir });
    const errors = outcome.findings.filter(finding => finding.severity === 'error');
    assert.equal(errors, []);
    assert.is(code, 0);
  }));

test.run();
