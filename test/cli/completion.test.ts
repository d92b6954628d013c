import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.js';
import { apfelBot } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, type Repo, withRepo } from '../support/with-repo.js';

const test = suite('cli/completion');

const missing = (shell: string): string | undefined =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? undefined : `there is no ${shell} here`;

/** What a shell prints that has loaded our completions from `$script`. */
async function printedBy(shell: string, body: string): Promise<string> {
  let printed = '';
  await withRepo(async (repo: Repo) => {
    const { code, stdout, stderr } = await apfelBot(['completion', shell], { cwd: repo.dir });
    assert.is(code, 0, stderr);
    const script = join(repo.dir, '.git/completion');
    await writeFile(script, stdout);
    const env = { ...gitEnv(repo.dir), script };
    const options = { cwd: repo.dir, env, encoding: 'utf8', timeout: 60_000 } as const;
    const run = spawnSync(shell, [...(shell === 'bash' ? ['--norc'] : []), '-c', body], options);
    assert.is(run.stderr, '');
    assert.is(run.status, 0);
    printed = run.stdout;
  });
  return printed;
}

/** Command lines up to the cursor, and what is offered for the last word. */
const CASES: ReadonlyArray<readonly [line: readonly string[], offered: string]> = [
  [['rev'], 'review'],
  [['fix'], 'fix-lint'],
  [['review', '--form'], '--format'],
  [['review', '--format', 's'], 'sarif'],
  [['review', '--commit', ''], 'main'],
  [['review', '--votes', ''], ''],
  [['review', '--out', 'READ'], 'README.md'],
  [['install', '--hooks', 'post-r'], 'post-rewrite'],
  [['plan', '--explain', 'READ'], 'README.md'],
  [['notes', ''], 'fetch merge push'],
  [['completion', ''], 'bash fish zsh'],
  [['help', 'unin'], 'uninstall'],
  [['explain', 'conflict'], 'conflict-marker'],
  [['explain', 'secret/github-t'], 'secret/github-token'],
  [['post', 'READ'], 'README.md'],
];

test.unless(
  missing('bash'),
  'bash completes commands, options, values, revisions and files',
  async () => {
    const asked = CASES.map(([line]) => `t ${line.map(word => `'${word}'`).join(' ')}`);
    const printed = await printedBy(
      'bash',
      `. "$script"
    t() { COMP_WORDS=(apfel-bot "$@"); COMP_CWORD=$#; _apfel_bot
      echo $(printf '%s\\n' "\${COMPREPLY[@]}" | LC_ALL=C sort); }
    ${asked.join('\n')}
    t review --format = j
    complete -p apfel-bot`,
    );
    const offered = CASES.map(([, words]) => words);
    assert.equal(printed.split('\n'), [...offered, 'json', 'complete -F _apfel_bot apfel-bot', '']);
  },
);

test.unless(
  missing('fish'),
  'fish completes commands, options, values, revisions and files',
  async () => {
    const asked = CASES.map(([line]) => `t 'apfel-bot ${line.join(' ')}'`);
    const printed = await printedBy(
      'fish',
      `source $script
    function t; echo (complete -C $argv | string replace -r '\\t.*' '' | sort); end
    ${asked.join('\n')}`,
    );
    assert.equal(printed.split('\n'), [...CASES.map(([, words]) => words), '']);
  },
);

/** The command line after the tab key, as a zsh on a terminal of its own has completed it. */
const ZSH_COMPLETES = `print -r -- 'PS1=; autoload -Uz compinit; compinit -D
completed() { zle expand-or-complete; print -r -- "<$BUFFER>"; BUFFER= }
zle -N completed; bindkey "^I" completed
. $script; print "<"ready">"' > $script.setup
zmodload zsh/zpty
zpty zsh zsh -f -i
zpty -w zsh '. $script.setup'
zpty -r zsh out '*<ready>*'
t() { zpty -w -n zsh "apfel-bot $1"$'\t'; zpty -r zsh out '*<apfel-bot*>*'; print -r -- "\${\${out##*<apfel-bot }%%>*}" }`;

test.unless(
  missing('zsh'),
  'zsh completes commands, options, values, revisions and files',
  async () => {
    const lines = [
      ['fix', 'fix-lint '],
      ['--vers', '--version '],
      ['review --form', 'review --format='],
      ['review --format s', 'review --format sarif '],
      ['review --format=s', 'review --format=sarif '],
      ['review --commit mai', 'review --commit main '],
      ['review --votes ', 'review --votes '],
      ['install --hooks prepare', 'install --hooks prepare-commit-msg '],
      ['notes f', 'notes fetch '],
      ['help unin', 'help uninstall '],
      ['explain conflict', 'explain conflict-marker '],
      ['post READ', 'post README.md '],
    ] as const;
    const asked = lines.map(([line]) => `t '${line}'`);
    const printed = await printedBy('zsh', [ZSH_COMPLETES, ...asked].join('\n'));
    assert.equal(printed.split('\n'), [...lines.map(([, completed]) => completed), '']);
  },
);

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`the completions for ${shell} name every command and option`, () =>
    withRepo(async repo => {
      const { stdout } = await apfelBot(['completion', shell], { cwd: repo.dir });
      for (const { name, options } of COMMANDS) {
        assert.match(stdout, name);
        for (const option of options) assert.match(stdout, option.name);
      }
    }));
}

test('an unknown shell is a usage error that names the known ones', () =>
  withRepo(async repo => {
    for (const [args, found] of [
      [['tcsh'], '"tcsh"'],
      [['bsh'], '"bsh"; did you mean "bash"?'],
      [[], '""'],
    ] as const) {
      const { code, stderr } = await apfelBot(['completion', ...args], { cwd: repo.dir });
      assert.is(code, 2);
      assert.match(stderr, `completion needs a shell, one of bash, zsh, fish; found ${found}`);
    }
  }));

test.run();
