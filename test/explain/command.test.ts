import * as assert from 'uvu/assert';
import { syntaxOf } from '../../src/checks/invalid-syntax.js';
import { activeChecks, knownRules } from '../../src/checks/rules.js';
import { defaultConfig } from '../../src/config/config.js';
import { pageName, rulePages } from '../../src/explain/pages.js';
import { syntaxError } from '../../src/platform/syntax.js';
import { judgeText } from '../checks/judge-text.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';

const test = suite('explain/command');

const pages = rulePages();

test('every rule has a page, and every page a rule', () => {
  const named = knownRules().map(rule => pageName(rule, pages) ?? `no page for ${rule}`);
  assert.equal(
    [...pages.keys()].filter(rule => rule !== 'model/*').sort(),
    [...new Set(named)].sort(),
  );
});

for (const [rule, page] of pages) {
  const example =
    /^Bad, in `([^`]+)`:\n\n```\w*\n([\s\S]*?)\n```\n\nGood:\n\n```\w*\n([\s\S]*?)\n```$/m.exec(
      page,
    );
  if (example === null) continue;
  const [, path = '', bad = '', good = ''] = example;
  const rulesOf = async (text: string): Promise<string[]> => {
    const hits = activeChecks(defaultConfig()).flatMap(check => judgeText(check, path, text));
    const kind = syntaxOf(path);
    const problem = kind === undefined ? undefined : await syntaxError(kind, `${text}\n`);
    const broken = problem?.isDuplicateKey === true ? 'duplicate-key' : `invalid/${kind}`;
    return [...hits.map(hit => hit.rule), ...(problem === undefined ? [] : [broken])];
  };
  test(`the bad example of ${rule} is found and the good one is not`, async () => {
    const isRule = (found: string): boolean => pageName(found, new Map([[rule, '']])) === rule;
    assert.ok((await rulesOf(bad)).some(isRule), bad);
    assert.equal((await rulesOf(good)).filter(isRule), []);
  });
}

test('a rule is explained with how to silence it, outside of a repository too', () =>
  withFolder(async dir => {
    const { stdout, code } = await apfelBot(['explain', 'secret/aws-access-key'], { cwd: dir });
    assert.is(code, 0);
    assert.match(stdout, /^secret\/aws-access-key\n\nError\. A token, a private key/);
    assert.match(stdout, '// apfel-bot-ignore secret/aws-access-key reason');
    assert.match(stdout, '"checks": {"secret/aws-access-key": "off"}');
  }));

test('no page of explain shows Markdown syntax', () =>
  withFolder(async dir => {
    for (const rule of pages.keys()) {
      const { stdout } = await apfelBot(['explain', rule], { cwd: dir });
      assert.not.match(stdout, /\*\*|^```/m, rule);
    }
    const { stdout } = await apfelBot(['explain', 'conflict-marker'], { cwd: dir });
    assert.match(stdout, '\n\nGood:\n\n    const limit = 20;\n\nTo silence it\n');
  }));

test('a rule about whole files is silenced in the configuration only', () =>
  withFolder(async dir => {
    const { stdout } = await apfelBot(['explain', 'exec-bit'], { cwd: dir });
    assert.not.match(stdout, 'apfel-bot-ignore');
    assert.match(stdout, '"checks": {"exec-bit": "off"}');
  }));

test("a rule of the project's own is explained by its file", () =>
  withFolder(async dir => {
    const { stdout, code } = await apfelBot(['explain', 'rule/no-float'], { cwd: dir });
    assert.is(code, 0);
    assert.match(stdout, '.apfel-bot/rules/no-float.md');
    assert.match(stdout, '// apfel-bot-ignore rule/no-float reason');
    assert.not.match(stdout, '"checks"');
  }));

test('without a rule all are listed, and an unknown one is answered with the nearest', () =>
  withFolder(async dir => {
    const { stdout } = await apfelBot(['explain'], { cwd: dir });
    assert.match(stdout, /^conflict-marker +error$/m);
    assert.match(stdout, /^ci\/unpinned +info$/m);
    const wrong = await apfelBot(['explain', 'focus-test'], { cwd: dir });
    assert.is(wrong.code, 2);
    assert.match(wrong.stderr, 'there is no rule "focus-test"; did you mean "focused-test"?');
    const member = await apfelBot(['explain', 'secret/aws-access-ky'], { cwd: dir });
    assert.is(member.code, 2);
    assert.match(member.stderr, 'did you mean "secret/aws-access-key"?');
  }));

test.run();
