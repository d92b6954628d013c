import { field, parseJson, textOf } from '../core/json-fields.js';
import { usage } from '../core/task.js';

const NAME = '[A-Za-z0-9][\\w.-]{0,99}';

/** `--from OWNER/REPO@COMMIT`, as a workflow's `uses:` takes it. */
export function pinFrom(text: string): string {
  if (new RegExp(`^${NAME}/${NAME}@[0-9a-f]{40}$`).test(text)) return text;
  throw usage(
    `--from must be OWNER/REPO@COMMIT with the 40 digits of the commit, found ${JSON.stringify(text)}`,
  );
}

/** The files in which a package manager writes down where it got each package. */
export const LOCKFILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'] as const;

/** Where apfel-bot was installed from, if a lockfile says a commit on github.com. */
export function pinIn(lockfile: (typeof LOCKFILES)[number], text: string): string | undefined {
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
