import { Octokit } from '@octokit/rest';
import * as assert from 'uvu/assert';
import {
  type GithubOptions,
  type GithubStandIn,
  startGithub,
} from '../../fixtures/github/start-github.js';
import { openRepo, prepared, type Repo, withFolder } from '../support/with-repo.js';

export interface Setting {
  readonly hub: GithubStandIn;
  /** A clone with the branch `feature` out; `origin` is the repository behind the stand-in. */
  readonly repo: Repo;
  readonly rest: Octokit;
  /** `owner` and `repo` of every request. */
  readonly at: { readonly owner: string; readonly repo: string };
  /** The commit of pull request 1. */
  readonly head: string;
}

interface SettingOptions extends Partial<GithubOptions> {
  /** For tests about mistakes; in all others none may happen. */
  readonly allowsViolations?: boolean;
  /** What `feature` adds to the base. */
  readonly change?: Readonly<Record<string, string | Uint8Array>>;
}

export const numbered = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from(
    { length: count },
    (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`,
  ).join('');

/** Line 20 of 40 is changed; there is one new file. */
const CHANGE = { 'lines.txt': numbered(40, { 20: 'twenty' }), 'new.txt': 'one\ntwo\nthree\n' };

/** A repository with `change` on the branch `feature`, and a bare one behind the stand-in. */
const plant =
  (change: NonNullable<SettingOptions['change']>) =>
  async (dir: string): Promise<void> => {
    const repo = openRepo(dir);
    await repo.git('init', '--quiet', '--initial-branch', 'main');
    await repo.commit({ 'README.md': '# fixture\n' }, 'first');
    await repo.commit({ 'lines.txt': numbered(40), 'old.txt': 'a\nb\nc\n' });
    await repo.git('switch', '--quiet', '--create', 'feature');
    // All at once: three thousand files are too many to stage one by one.
    for (const [path, content] of Object.entries(change)) await repo.write(path, content);
    await repo.git('add', '--all');
    await repo.commit({}, 'feature');
    await repo.git('clone', '--quiet', '--bare', '.', '.git/origin.git');
    await repo.git('remote', 'add', 'origin', './.git/origin.git');
  };
const copyUsual = prepared(plant(CHANGE));

/** A repository, a bare one behind the stand-in, and pull request 1 from `feature` to `main`. */
export async function withGithub(
  body: (setting: Setting) => Promise<void>,
  { allowsViolations = false, change, ...options }: SettingOptions = {},
): Promise<void> {
  await withFolder(async dir => {
    await (change === undefined ? copyUsual : plant(change))(dir);
    const repo = openRepo(dir);
    const head = await repo.git('rev-parse', 'feature');
    const gitDir = `${dir}/.git/origin.git`;
    const hub = await startGithub({ repository: 'ada/demo', gitDir, ...options });
    try {
      await hub.openPull({ head: 'feature' });
      const rest = clientOf(hub, hub.token);
      await body({ hub, repo, rest, at: { owner: 'ada', repo: 'demo' }, head });
      if (!allowsViolations) assert.equal(hub.violations, []);
    } finally {
      await hub.close();
    }
  });
}

const silence = (): void => undefined;
const SILENT = { debug: silence, info: silence, warn: silence, error: silence };

export const clientOf = (hub: GithubStandIn, auth: string | undefined): Octokit =>
  new Octokit({ baseUrl: hub.url, log: SILENT, ...(auth === undefined ? {} : { auth }) });

/** The status and the message of a call that must fail. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ readonly status: number; readonly message: string }> {
  try {
    await call;
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('status' in thrown)) throw thrown;
    return { status: Number(thrown.status), message: thrown.message };
  }
  throw new Error('it was not refused');
}
