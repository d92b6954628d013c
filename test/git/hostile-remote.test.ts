import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.js';
import { apfelBot, type CliOptions, type CliRun } from '../support/cli.js';
import { suite } from '../support/suite.js';
import { gitEnv, openRepo, type Repo, withFolder } from '../support/with-repo.js';

const test = suite('git/hostile-remote');

const FULL_ID = 'a'.repeat(40);
const REQUEST = {
  decision: 'run',
  reason: 'admitted',
  verb: 'review',
  args: [],
  repository: 'a/b',
  pull: 1,
  base: FULL_ID,
  head: FULL_ID,
  headRepository: 'a/b',
};

/** Every command, in the form in which it may reach a remote, if it has one. A new one is missing here. */
const FORMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  review: [
    ['--pr', '1', '--no-model'],
    ['--staged', '--no-model'],
  ],
  'fix-lint': [['--no-model']],
  plan: [['--pr', '1']],
  ask: [['why?']],
  describe: [['--pr', '1']],
  post: [['none.json', '--dry-run']],
  push: [['none.json']],
  respond: [[]],
  run: [['../request.json']],
  merge: [['none.json']],
  doctor: [[]],
  calibrate: [[]],
  completion: [['bash']],
  init: [[]],
  eval: [['--no-model', '--suite', '../cases']],
  explain: [['debugger']],
  // It works in a temporary repository of its own, which has a suite of its own.
  demo: [['--help']],
  show: [[]],
  notes: [['fetch'], ['push'], ['fetch', 'other'], ['push', 'other'], ['merge', 'refs/notes/x']],
  install: [['--print']],
  uninstall: [[]],
  hook: [
    ['pre-commit', '--no-model'],
    ['pre-push', '--no-model'],
  ],
};

/** Those that reach a remote for each of its transports. */
const REACHING = [
  ['review', '--pr', '1', '--no-model'],
  ['notes', 'fetch'],
  ['notes', 'push'],
] as const;

interface Trap {
  readonly dir: string;
  readonly repo: Repo;
  /** A program that leaves its name behind. */
  program(name: string): Promise<string>;
  marks(): Promise<string[]>;
  /** Address of each transport. */
  readonly addresses: Readonly<Record<'ssh' | 'git' | 'http' | 'file', string>>;
}

/** A clone with notes, programs that leave a mark, and servers that ask for a password or say nothing. */
async function withTrap(body: (trap: Trap) => Promise<void>): Promise<void> {
  const http = createServer((_, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  const plain = createPlainServer(socket => socket.destroy());
  const ports = await Promise.all(
    [http, plain].map(
      server =>
        new Promise<number>(done => {
          server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
        }),
    ),
  );
  try {
    await withFolder(async dir => {
      await mkdir(join(dir, 'marks'));
      await mkdir(join(dir, 'cases'));
      await writeFile(join(dir, 'request.json'), JSON.stringify(REQUEST));
      const outside = openRepo(dir);
      await outside.git('init', '--quiet', '--initial-branch', 'main', 'clone');
      const repo = openRepo(join(dir, 'clone'));
      await repo.commit({ 'a.js': 'one();\n' });
      await outside.git('clone', '--quiet', '--bare', 'clone', 'far.git');
      await repo.git('notes', '--ref=apfel-bot', 'add', '-m', '{}');
      await body({
        dir,
        repo,
        program: async name => {
          const path = join(dir, `program-${name}`);
          await writeFile(path, `#!/bin/sh\ntouch "${join(dir, 'marks', name)}"\nexit 1\n`);
          await chmod(path, 0o755);
          return path;
        },
        marks: async () => (await readdir(join(dir, 'marks'))).sort(),
        addresses: {
          ssh: 'ssh://host.invalid/x',
          git: `git://127.0.0.1:${ports[1]}/x`,
          http: `http://127.0.0.1:${ports[0]}/x`,
          file: join(dir, 'far.git'),
        },
      });
    });
  } finally {
    http.close();
    plain.close();
  }
}

/** Which transport uses the key. */
const KEYS: ReadonlyArray<readonly [transport: string, key: string]> = [
  ['ssh', 'core.sshCommand'],
  ['git', 'core.gitProxy'],
  ['http', 'credential.helper'],
  ['http', 'credential.HTTP.helper'],
  ['http', 'core.askPass'],
  ['file', 'remote.origin.uploadpack'],
  ['file', 'remote.origin.receivepack'],
];
/** Set as well: every other key that names a program, whichever version of git knows it. */
const MORE_KEYS = `
  core.fsmonitor core.hooksPath core.alternateRefsCommand core.pager core.editor sequence.editor
  pager.diff pager.log pager.show pager.status pager.config pager.branch
  gpg.program gpg.openpgp.program gpg.x509.program gpg.ssh.program gpg.ssh.defaultKeyCommand
  uploadpack.packObjectsHook gc.recentObjectsHook hook.evil.command
  filter.evil.process filter.evil.clean filter.evil.smudge filter.a=b.clean filter.a=b.process
  diff.external diff.evil.command diff.evil.textconv merge.evil.driver interactive.diffFilter
  difftool.evil.cmd mergetool.evil.cmd trailer.evil.command trailer.evil.cmd tar.evil.command
  alias.status alias.diff alias.rev-parse alias.fetch submodule.sub.update
  man.evil.cmd browser.evil.cmd guitool.evil.cmd sendemail.sendmailCmd imap.tunnel
  init.templateDir ssh.variant help.browser web.browser
`
  .trim()
  .split(/\s+/);
const ALL_KEYS: readonly string[] = [...KEYS.map(([, key]) => key), ...MORE_KEYS];

/** How the keys come into a repository that somebody hands over. */
const WAYS = {
  'its config': async ({ dir }: Repo) => join(dir, '.git/config'),
  'an included file': async (repo: Repo) => {
    await repo.git('config', 'include.path', '../settings');
    return join(repo.dir, 'settings');
  },
  'a conditional include': async (repo: Repo) => {
    await repo.git('config', `includeIf.gitdir:${repo.dir}/.path`, '../settings-if');
    return join(repo.dir, 'settings-if');
  },
  'its worktree config': async (repo: Repo) => {
    await repo.git('config', 'extensions.worktreeConfig', 'true');
    return join(repo.dir, '.git/config.worktree');
  },
} satisfies Record<string, (repo: Repo) => Promise<string>>;

/** Each key names a program that leaves the key's number behind. */
async function plant(trap: Trap, file: string, keys = ALL_KEYS): Promise<void> {
  const lines: string[] = [];
  for (const key of keys) {
    const [section, ...rest] = key.split('.');
    const name = rest.pop();
    const inner = rest.join('.').replace('HTTP', trap.addresses.http.replace(/\/x$/, ''));
    lines.push(inner === '' ? `[${section}]` : `[${section} "${inner}"]`);
    lines.push(`\t${name} = ${await settingOf(trap, key)}`);
  }
  await appendFile(file, `${lines.join('\n')}\n`);
}

const HOOKS = ['pre-push', 'post-rewrite', 'reference-transaction', 'post-index-change'];

async function settingOf(trap: Trap, key: string): Promise<string> {
  const program = await trap.program(`${ALL_KEYS.indexOf(key)}`);
  if (/^alias|update$/.test(key)) return `"!${program}"`;
  if (key !== 'core.hooksPath') return program;
  const folder = join(trap.dir, 'hooks');
  await mkdir(folder, { recursive: true });
  for (const hook of HOOKS) {
    await writeFile(join(folder, hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  }
  return folder;
}

/** Attributes, a changed file and a submodule, so that keys for these have something to work on. */
async function withBait({ dir, repo }: Trap): Promise<void> {
  await openRepo(dir).git('clone', '--quiet', 'far.git', 'sub-source');
  await repo.commit({
    '.gitattributes': '*.js filter=evil diff=evil merge=evil\n*.md filter=a=b diff=evil\n',
    'b.md': 'one\n',
  });
  const add = ['submodule', '--quiet', 'add', '../sub-source', 'sub'];
  await repo.git('-c', 'protocol.file.allow=always', ...add);
  await repo.git('commit', '--quiet', '--message', 'sub');
  await repo.write('b.md', 'two\n');
  await repo.write('a.js', 'two();\n');
  // As new as the index: git must read it to know whether it has changed.
  await utimes(join(repo.dir, 'b.md'), 1, 1);
  await repo.git('add', 'b.md');
  await utimes(join(repo.dir, '.git/index'), 1, 1);
}

/** Git as it is, to show that the trap works. */
const plainGit = (trap: Trap, ...args: string[]): Promise<void> =>
  new Promise(done => {
    const env = { ...gitEnv(trap.dir), GIT_TERMINAL_PROMPT: '0' };
    execFile('git', args, { cwd: trap.repo.dir, env }, () => done());
  });

async function clearMarks(trap: Trap): Promise<void> {
  await rm(join(trap.dir, 'marks'), { recursive: true });
  await mkdir(join(trap.dir, 'marks'));
}

/** So many at once. */
async function runAll(runs: ReadonlyArray<() => Promise<void>>): Promise<void> {
  const queue = [...runs];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
  };
  await Promise.all([work(), work(), work()]);
}

test('no program that the repository names runs when a remote is reached, whatever the transport', () =>
  withTrap(async trap => {
    await plant(trap, await WAYS['its config'](trap.repo));
    for (const [transport, address] of Object.entries(trap.addresses)) {
      await trap.repo.git('config', 'remote.origin.url', address);
      const expected = KEYS.flatMap(([name], at) => (name === transport ? [`${at}`] : []));
      await plainGit(trap, 'ls-remote', 'origin');
      await plainGit(trap, 'push', 'origin', 'HEAD:refs/notes/x');
      const fired = await trap.marks();
      const silent = expected.filter(each => !fired.includes(each));
      assert.equal(silent, [], `${transport}: the trap does not work`);
      await clearMarks(trap);
      await runAll(
        REACHING.map(args => async () => {
          const { code, stderr } = await apfelBot(args, { cwd: trap.repo.dir });
          assert.ok(code === 0 || code === 3 || code === 5, `${args.join(' ')}: ${stderr}`);
        }),
      );
      assert.equal(await trap.marks(), [], transport);
    }
  }));

for (const [way, open] of Object.entries(WAYS).slice(1)) {
  test(`no program that the repository names through ${way} runs when a remote is reached`, () =>
    withTrap(async trap => {
      await plant(trap, await open(trap.repo));
      await trap.repo.git('config', 'remote.origin.url', trap.addresses.ssh);
      await plainGit(trap, 'ls-remote', 'origin');
      assert.ok((await trap.marks()).includes('0'), 'the trap does not work');
      await clearMarks(trap);
      const { code, stderr } = await apfelBot(['notes', 'fetch'], { cwd: trap.repo.dir });
      assert.is(code, 3, stderr);
      assert.match(stderr, 'core.sshcommand');
      assert.equal(await trap.marks(), []);
    }));
}

/** `run` would refuse to start with a token. */
const envFor = (name: string): Record<string, string> => ({
  ...(name === 'run' ? {} : { GITHUB_TOKEN: 't' }),
  GITHUB_REPOSITORY: 'a/b',
  APFEL_BOT_BASE_URL: 'http://127.0.0.1:9/v1',
});

/** Every command in every form. */
async function runEvery(cwd: string, more: CliOptions['env'] = {}): Promise<Map<string, CliRun>> {
  const runs = new Map<string, CliRun>();
  await runAll(
    Object.entries(FORMS).flatMap(([name, forms]) =>
      forms.map(args => async () => {
        const run = await apfelBot([name, ...args], { cwd, env: { ...envFor(name), ...more } });
        runs.set([name, ...args].join(' '), run);
      }),
    ),
  );
  return runs;
}

async function addRemotes({ repo }: Trap): Promise<void> {
  await repo.git('config', 'remote.origin.url', 'ssh://host.invalid/x');
  await repo.git('config', 'remote.other.url', 'ext::sh -c touch% marks/ext');
  await repo.git('config', 'remote.other.vcs', 'ext');
}

test('the sweep has every command and at least forty keys', () => {
  assert.equal(
    Object.keys(FORMS).sort(),
    COMMANDS.map(({ name }) => name).sort(),
    'a command is missing in the table of this test',
  );
  assert.ok(new Set(ALL_KEYS).size >= 40, `${ALL_KEYS.length}`);
});

test('no command runs a program that the repository, its worktree or a submodule names', () =>
  withTrap(async trap => {
    await withBait(trap);
    await addRemotes(trap);
    for (const open of Object.values(WAYS)) await plant(trap, await open(trap.repo));
    await plant(trap, join(trap.repo.dir, '.git/modules/sub/config'));
    await plainGit(trap, 'status');
    await plainGit(trap, 'diff');
    assert.ok((await trap.marks()).length >= 1, 'the trap does not work');
    await clearMarks(trap);
    await runEvery(trap.repo.dir);
    assert.equal(await trap.marks(), []);
  }));

for (const [way, open] of [
  ...Object.entries(WAYS).slice(0, 2),
  ['a bare repository inside', undefined] as const,
]) {
  test.long(`no command runs a program that any single key names through ${way}`, async () => {
    for (const key of ALL_KEYS) {
      await withTrap(async trap => {
        await withBait(trap);
        await addRemotes(trap);
        if (open === undefined) {
          await trap.repo.git('clone', '--quiet', '--bare', '.', 'evil');
          await plant(trap, join(trap.repo.dir, 'evil/config'), [key]);
          await runEvery(join(trap.repo.dir, 'evil'));
        } else {
          await plant(trap, await open(trap.repo), [key]);
          await runEvery(trap.repo.dir);
        }
        assert.equal(await trap.marks(), [], `${key} through ${way}`);
      });
    }
  });
}

test('a bare repository tracked in a folder is used by no command', () =>
  withTrap(async trap => {
    const { repo } = trap;
    await repo.git('clone', '--quiet', '--bare', '.', 'evil');
    const evil = openRepo(join(repo.dir, 'evil'));
    await plant(trap, join(evil.dir, 'config'));
    await writeFile(join(evil.dir, 'config'), '[remote "origin"]\n\turl = ssh://host.invalid/x\n', {
      flag: 'a',
    });
    await repo.git('add', '--force', 'evil');
    await repo.git('commit', '--quiet', '--message', 'evil');
    const runs = await runEvery(evil.dir);
    assert.equal(await trap.marks(), []);
    for (const name of ['review --pr 1 --no-model', 'notes fetch', 'notes push', 'plan --pr 1']) {
      const { code, stderr } = runs.get(name) ?? {};
      assert.is(code, 3, `${name}: ${stderr}`);
      assert.match(stderr ?? '', 'inside the work tree of');
      assert.match(stderr ?? '', 'GIT_DIR=');
    }
    for (const folder of ['refs', 'objects/info']) {
      const { code, stderr } = await apfelBot(['review'], { cwd: join(evil.dir, folder) });
      assert.is(code, 3, stderr);
      assert.match(stderr, 'inside the work tree of', folder);
    }
    const named = join(repo.dir, 'named');
    await mkdir(named);
    await writeFile(join(named, '.git'), 'gitdir: ../evil\n');
    const { code, stderr } = await apfelBot(['notes', 'fetch'], { cwd: named });
    assert.is(code, 3, stderr);
    assert.match(stderr, 'inside the work tree of');
  }));

test('no command runs a program of the branch that npx or a relative folder puts on the PATH', () =>
  withTrap(async trap => {
    const { repo } = trap;
    for (const name of ['git', 'apfel', 'osascript', 'open', 'pre-commit', 'ps', 'ssh']) {
      const path = `node_modules/.bin/${name}`;
      await repo.write(path, `#!/bin/sh\n${await trap.program(name)}\n`);
      await chmod(join(repo.dir, path), 0o755);
    }
    await addRemotes(trap);
    await repo.write('a.js', 'debugger;\n');
    await repo.write('.husky/_/h', '');
    await repo.git('add', '--force', '.');
    for (const bin of [join(repo.dir, 'node_modules/.bin'), './node_modules/.bin/']) {
      await runEvery(repo.dir, { PATH: `${bin}:${process.env['PATH']}` });
      assert.equal(await trap.marks(), [], bin);
    }
  }));

test('a program from the user’s own configuration runs, and the repository’s is reported as not used', () =>
  withTrap(async trap => {
    const { repo, dir } = trap;
    await repo.git('config', 'remote.origin.url', 'ssh://host.invalid/x');
    await repo.git('config', 'core.sshCommand', await trap.program('theirs'));
    const own = join(dir, 'gitconfig');
    await writeFile(own, `[core]\n\tsshCommand = ${await trap.program('mine')}\n`);
    const run = await apfelBot(['notes', 'fetch'], {
      cwd: repo.dir,
      env: { GIT_CONFIG_GLOBAL: own },
    });
    assert.equal(await trap.marks(), ['mine']);
    const said = run.stderr.split('\n').filter(line => line.includes('core.sshcommand'));
    assert.is(said.length, 1, run.stderr);
    assert.match(said[0] ?? '', 'git config --global core.sshcommand');
    assert.match(said[0] ?? '', 'GIT_SSH_COMMAND');
    assert.is(run.code, 3);
    await clearMarks(trap);
    await apfelBot(['review', '--pr', '1', '--no-model'], {
      cwd: repo.dir,
      env: { GIT_CONFIG_GLOBAL: own, GIT_SSH_COMMAND: await trap.program('asked') },
    });
    assert.equal(await trap.marks(), ['asked']);
    await clearMarks(trap);
    // A condition on where the repository is holds as it does for git.
    await writeFile(join(dir, 'work'), `[core]\n\tsshCommand = ${await trap.program('work')}\n`);
    await appendFile(own, `[includeIf "gitdir:${repo.dir}/"]\n\tpath = ${join(dir, 'work')}\n`);
    await apfelBot(['notes', 'fetch'], { cwd: repo.dir, env: { GIT_CONFIG_GLOBAL: own } });
    assert.equal(await trap.marks(), ['work']);
  }));

test('the advice for a setting that isn’t used fits that setting', () =>
  withTrap(async ({ repo }) => {
    await repo.git('config', 'remote.origin.url', 'http://127.0.0.1:9/x');
    await repo.git('config', 'credential.helper', 'store');
    const one = await apfelBot(['notes', 'fetch'], { cwd: repo.dir });
    assert.match(one.stderr, 'git config --global credential.helper VALUE');
    await repo.git('config', 'core.askPass', 'ask');
    const two = await apfelBot(['notes', 'fetch'], { cwd: repo.dir });
    assert.match(two.stderr, 'core.askpass, credential.helper');
    assert.match(two.stderr, 'git config --global KEY VALUE');
    assert.not.match(one.stderr + two.stderr, 'GIT_SSH_COMMAND');
  }));

test('a remote inside the work tree is not pushed to, so its hooks never run', () =>
  withTrap(async trap => {
    const { repo } = trap;
    await repo.git('clone', '--quiet', '--bare', '.', 'evil.git');
    await writeFile(
      join(repo.dir, 'evil.git/hooks/pre-receive'),
      `#!/bin/sh\n${await trap.program('hook')}\n`,
      { mode: 0o755 },
    );
    for (const address of ['evil.git', './evil', `file://${repo.dir}/evil.git`]) {
      await repo.git('config', 'remote.origin.url', address);
      for (const args of [
        ['notes', 'push'],
        ['notes', 'fetch'],
      ]) {
        const { code, stderr } = await apfelBot(args, { cwd: repo.dir });
        assert.ok(code === 3 || code === 5, stderr);
        assert.match(stderr, 'inside this repository');
      }
    }
    assert.equal(await trap.marks(), []);
  }));

test.run();
