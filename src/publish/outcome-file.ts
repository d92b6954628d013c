import { knownRules } from '../checks/rules.js';
import type { Config } from '../config/config.js';
import { configFrom, findConfig } from '../config/find.js';
import { BotError, isBotError } from '../core/bot-error.js';
import { parseJson } from '../core/json-fields.js';
import { HUNK_STATES } from '../core/ledger.js';
import type { AnyOutcome, ChangeSummary, Outcome } from '../core/outcome.js';
import { schemaProblems } from '../core/schema-problem.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { validateOutcome } from '../generated/validate-outcome.js';
import type { Github } from '../github/github.js';
import type { GithubPull } from '../github/pulls.js';
import { readText } from '../platform/files.js';
import type { Session } from '../session.js';

/** The outcome of the largest change takes a few megabytes. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_PROBLEMS = 5;

/** Reads an outcome that somebody may have edited, and validates it. */
export async function readOutcomeFile(name: string): Promise<AnyOutcome> {
  const text = await readText(name);
  if (text === undefined) throw usage(`${name} doesn't exist`);
  if (text.length > MAX_CHARACTERS) throw usage(`${name} is too large to be an outcome`);
  const value = parseJson(text);
  if (value === undefined) throw usage(`${name} isn't valid JSON`);
  const problems = schemaProblems(validateOutcome(value));
  if (problems.length === 0) problems.push(...missingParts(value));
  if (problems.length === 0) {
    // The schema and the parts that it leaves open were checked.
    return value as AnyOutcome;
  }
  const shown = problems.slice(0, MAX_PROBLEMS).map(line => `  ${line}`);
  const rest = problems.length - shown.length;
  const lines = [...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
  throw new BotError('publish-failed', `${name} isn't an outcome, or was edited:\n${lines}`, {
    hint: 'Publish the file that --out wrote; its schema is apfel-bot/schema/outcome.json',
  });
}

/** What each task requires beyond the schema. */
function missingParts(value: unknown): string[] {
  const fields = new Map<string, unknown>(Object.entries(value ?? {}));
  const wanted: Readonly<Record<string, readonly string[]>> = {
    ask: ['answer'],
    describe: ['description', 'change', 'ledger'],
  };
  return (wanted[String(fields.get('task'))] ?? [])
    .filter(key => !fields.has(key))
    .map(key => `top level: the key ${JSON.stringify(key)} is missing`);
}

export const isReview = (outcome: AnyOutcome): outcome is Outcome =>
  outcome.task === 'review' || outcome.task === 'fix-lint';

export const changeOf = (outcome: AnyOutcome): ChangeSummary | undefined =>
  'change' in outcome ? outcome.change : undefined;

/**
 * Checks that the parts agree with each other, which the schema can't: an edited file may claim to be
 * complete, or have a finding twice.
 */
export function trusted(outcome: Outcome): Outcome {
  const { ledger } = outcome;
  const sum = HUNK_STATES.reduce((all, state) => all + ledger[state], 0);
  if (sum !== ledger.total) {
    throw new BotError(
      'publish-failed',
      `the outcome was edited: its ledger has ${ledger.total} hunks in total, but lists ${sum}`,
      { hint: 'Post the file that the run wrote, or run it again' },
    );
  }
  const seen = new Set<string>();
  const isDone = ledger.outOfTime + ledger.refused + ledger.failed === 0;
  return {
    ...outcome,
    findings: outcome.findings.filter(({ id }) => !seen.has(id) && seen.add(id)),
    notices: outcome.notices ?? [],
    complete: outcome.complete && isDone,
  };
}

/** The environment decides which repository is written to, not the file. */
export function mustBeHere(outcome: AnyOutcome, repository: string): void {
  const named = changeOf(outcome)?.repository ?? null;
  if (named === null || named.toLowerCase() === repository.toLowerCase()) return;
  throw new BotError('not-permitted', `the outcome is for ${named}, not for ${repository}`, {
    hint: 'Publish it with GITHUB_REPOSITORY set to its own repository',
  });
}

export async function readPull(
  githubApi: Pick<Github, 'repository' | 'pull'>,
  number: number,
): Promise<GithubPull> {
  const pull = await githubApi.pull(number);
  if (pull !== undefined) return pull;
  throw new BotError('publish-failed', `${githubApi.repository} has no pull request ${number}`, {
    hint: "Check --pr and GITHUB_REPOSITORY; a token that can't read pull requests sees none",
  });
}

/** Nothing is posted about code that has since been replaced. */
export function mustBeHead(outcome: AnyOutcome, pull: GithubPull): void {
  const head = changeOf(outcome)?.head;
  if (head === undefined || head === pull.head.sha) return;
  throw new BotError(
    'publish-failed',
    `the outcome is for ${head.slice(0, 12)}, but pull request ${pull.number} is now at ` +
      `${pull.head.sha.slice(0, 12)}; nothing was posted`,
    { hint: 'Wait for the run on the new head, or run the review again' },
  );
}

/** Ten minutes unless --deadline is given. */
export const DEADLINE_MS = 600_000;

/** The one argument of `post` and `push`. */
export function outcomeFile(
  command: 'post' | 'push',
  { positionals: words, paths }: ParsedArguments,
): string {
  const [file, stray] = [...words, ...paths];
  if (file === undefined) {
    throw usage(`${command} needs an outcome: apfel-bot ${command} outcome.json`);
  }
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  return file;
}

/** The publishing job has no checkout, so `read` asks GitHub for the base's files. */
export function publishConfig(
  file: string | undefined,
  read: (name: string) => Promise<string | undefined>,
): Promise<Config> {
  if (file === undefined) return configFrom(read, knownRules());
  return findConfig({ file, base: undefined, git: undefined, knownRules: knownRules() });
}

/** Nothing is lost if publishing fails: the hint says where the outcome is. */
export function withOutcomePath(thrown: unknown, file: string, { signal }: Session): unknown {
  const kept = `The outcome is kept: ${file}`;
  if (!isBotError(thrown)) {
    if (!signal.aborted) return thrown;
    return new BotError('publish-failed', 'the time was up before everything was published', {
      hint: `Run it again with more time: --deadline 20m\n  ${kept}`,
      cause: thrown,
    });
  }
  if (thrown.code !== 'publish-failed' && thrown.code !== 'not-permitted') return thrown;
  const hint = thrown.hint === undefined ? kept : `${thrown.hint}\n  ${kept}`;
  return new BotError(thrown.code, thrown.message, { hint, cause: thrown.cause });
}
