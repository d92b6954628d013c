import { join } from 'node:path';
import { CONFIG_FILE } from '../config/find.js';
import { rejectPositionals } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import { field, parseJson, textOf } from '../core/json-fields.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { openGit } from '../git/git.js';
import { readHookFile, realOf } from '../hooks/facts.js';
import { applyPlan, install } from '../hooks/install-command.js';
import { installedHooks } from '../hooks/installed.js';
import { readText } from '../platform/files.js';
import { asRun } from '../platform/own-command.js';
import { packageFolder } from '../platform/terminal.js';
import type { CommandEnd, Session } from '../session.js';

/** Where a project's own installation has it; a global one is at another path on each machine. */
const SCHEMA = './node_modules/apfel-bot/schema/config.json';

/** It changes nothing yet; an editor that supports schemas suggests the rest. */
const CONFIG = { review: { ignore: [] }, checks: {} };

/** For finding out whether the hooks run. */
const HOOKS_MS = 3000;

/** Not `review-pool.yml`: with it and `review.yml` everything would be reviewed twice. */
const WORKFLOWS = ['checks.yml', 'review.yml', 'fix-lint.yml', 'commands.yml'];

/**
 * `init [--workflows] [--from OWNER/REPO@COMMIT] [--hooks]`: writes only files that don't exist
 * yet.
 */
export async function init(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  rejectPositionals(parsed);
  const wantsWorkflows = parsed.switches.has('workflows');
  const from = parsed.values.get('from');
  if (from !== undefined && !wantsWorkflows) throw usage('--from needs --workflows');
  const given = from === undefined ? undefined : pinFrom(from);
  const top = await topOf(session);
  const pin = given ?? (await lockedPin([session.cwd, top]));
  const files = [
    ...(await configFile(top)),
    ...(wantsWorkflows && pin !== undefined ? await workflowFiles(pin) : []),
  ];
  const fresh = files.filter(({ path }) => isFree(top, path));
  // It may refuse; then nothing is written.
  if (parsed.switches.has('hooks')) await install(NO_ARGUMENTS, session);
  applyPlan({
    steps: fresh.map(({ path, text }) => ({
      kind: 'write',
      path: join(top, path),
      text,
      replaces: undefined,
      isExecutable: false,
    })),
  });
  const { cwd, env, signal } = session;
  const hooks = await installedHooks({ cwd, env, signal }, { ms: HOOKS_MS, signal });
  const lines = [
    ...files.map(file =>
      fresh.includes(file) ? `wrote ${file.path}` : `left ${file.path} alone: it already exists`,
    ),
    ...(files.some(({ path }) => path === CONFIG_FILE) ? [] : [IN_MANIFEST]),
    ...(fresh.some(({ path, text }) => path === CONFIG_FILE && !text.includes(SCHEMA))
      ? [NO_SCHEMA]
      : []),
    ...(wantsWorkflows ? aboutWorkflows(pin) : []),
    ...(fresh.length > 0 ? [`to undo: rm ${fresh.map(({ path }) => path).join(' ')}`] : []),
    ...(hooks.fix === undefined ? [] : ['next, for the git hooks: apfel-bot install']),
  ];
  return { text: lines.map(line => `${asRun(line)}\n`).join(''), ending: 'done' };
}

const NO_ARGUMENTS: ParsedArguments = {
  values: new Map(),
  switches: new Set(),
  positionals: [],
  paths: [],
};

const NO_SCHEMA = `without $schema, for your editor: there is no ${SCHEMA}`;
const IN_MANIFEST = `left ${CONFIG_FILE} out: package.json has the configuration`;

async function topOf(session: Session): Promise<string> {
  const { top } = (await openGit({ ...session, expectsStaged: false })).repository;
  if (top !== undefined) return top;
  throw new BotError('git', 'a bare repository has no work tree to write to', {
    hint: 'Run it in a clone of it',
  });
}

/** What to write, relative to the top of the repository. */
interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** None if `package.json` has the configuration: the file would override it. */
async function configFile(top: string): Promise<NewFile[]> {
  const manifest = (await readText(join(top, 'package.json'))) ?? '';
  if (field(parseJson(manifest), 'apfel-bot') !== undefined) return [];
  const hasSchema = (await readText(join(top, SCHEMA))) !== undefined;
  const config = hasSchema ? { $schema: SCHEMA, ...CONFIG } : CONFIG;
  return [{ path: CONFIG_FILE, text: `${JSON.stringify(config, null, 2)}\n` }];
}

async function workflowFiles(pin: string): Promise<NewFile[]> {
  return Promise.all(
    WORKFLOWS.map(async name => {
      const template = (await readText(packageFolder(`workflows/${name}`))) ?? '';
      // The line on how to pin isn't needed any more.
      const text = template.replace(/^# Replace OWNER and COMMIT .*\n/m, '');
      const pinned = text.replaceAll('OWNER/apfel-bot@COMMIT', pin);
      return { path: `.github/workflows/${name}`, text: pinned };
    }),
  );
}

const aboutWorkflows = (pin: string | undefined): string[] =>
  pin === undefined
    ? [
        'no workflow was copied: no lockfile names a commit of apfel-bot on github.com to pin',
        '  name one: apfel-bot init --workflows --from OWNER/apfel-bot@COMMIT',
      ]
    : [
        `pinned ${pin}`,
        `all but checks.yml need a Mac of yours: ${packageFolder('workflows/README.md')}`,
      ];

async function lockedPin(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    for (const lockfile of LOCKFILES) {
      const text = await readText(join(folder, lockfile));
      const pin = text === undefined ? undefined : pinIn(lockfile, text);
      if (pin !== undefined) return pin;
    }
  }
  return undefined;
}

function isFree(top: string, path: string): boolean {
  const file = join(top, path);
  // A tracked link may lead anywhere.
  if (realOf(file).startsWith(`${realOf(top)}/`)) return readHookFile(file).kind === 'absent';
  throw new BotError('usage', `${path} leads out of the repository through a link`, {
    hint: 'Replace the link with a folder; nothing was written',
  });
}

const NAME = '[A-Za-z0-9][\\w.-]{0,99}';

/** `--from OWNER/REPO@COMMIT`, in the form of a workflow's `uses:`. */
function pinFrom(text: string): string {
  if (new RegExp(`^${NAME}/${NAME}@[0-9a-f]{40}$`).test(text)) return text;
  throw usage(
    `--from must be OWNER/REPO@COMMIT with the 40 digits of the commit, found ${JSON.stringify(text)}`,
  );
}

/** The files in which a package manager records where each package came from. */
const LOCKFILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'] as const;

/** Where apfel-bot was installed from, if a lockfile names a commit on github.com. */
function pinIn(lockfile: (typeof LOCKFILES)[number], text: string): string | undefined {
  const source = lockfile === 'package-lock.json' ? npmSource(text) : entryIn(text);
  const [, owner, repository, commit] = GITHUB_COMMIT.exec(source ?? '') ?? [];
  if (commit === undefined) return undefined;
  return `${owner}/${repository?.replace(/\.git$/, '')}@${commit}`;
}

/** As a git URL, or as the archive that pnpm fetches instead. */
const GITHUB_COMMIT = new RegExp(
  `github\\.com[/:](${NAME})/(${NAME}?)(?:#(?:commit=)?|/tar\\.gz/)([0-9a-f]{40})\\b`,
);

function npmSource(text: string): string {
  const entry = field(field(parseJson(text), 'packages'), 'node_modules/apfel-bot');
  return textOf(field(entry, 'resolved'));
}

/** The entry of our package in pnpm's and yarn's files, up to the next empty line. */
const entryIn = (text: string): string | undefined =>
  /(?<![\w/-])apfel-bot@(?:[^\n]|\n(?!\r?\n))*/.exec(text)?.[0].slice(0, 2000);
