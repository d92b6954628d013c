import { openGit } from '../adapters/git/git.js';
import { nodeFiles } from '../adapters/node-files.js';
import { audit } from '../audit/audit.js';
import type { AuditRun } from '../audit/audit-run.js';
import { count } from '../audit/words.js';
import { isBotError } from '../core/failure.js';
import { forTerminal } from '../core/neutralise.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { workOptions } from '../trigger/work-options.js';
import type { Git } from '../world.js';
import type { CommandEnd, Desk } from './desk.js';
import { showCommits } from './show-commits.js';
import { findNewestRun, findRunNamed, findRunOf } from './show-find.js';
import { listRuns } from './show-list.js';
import { loadFile } from './show-load.js';
import { runJson, runText } from './show-run.js';

const LONGEST_MS = 60_000;

/** `show [RUN | FILE | REV…]`: what is recorded. All of it may come from anybody. */
export async function show(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const options = workOptions(parsed);
  desk.endAfter(options.deadlineMs ?? LONGEST_MS);
  const { words } = parsed;
  const page = parsed.values.get('html');
  if (parsed.switches.has('list')) {
    if (words.length > 0 || page !== undefined) throw usage('--list stands alone: show --list');
    const text = await listRuns({ git: await open(desk), desk }, options);
    return { text, ending: 'done' };
  }
  const run = await findOne(words, { isPage: page !== undefined, desk });
  if (run === undefined) return showCommits({ words, options, git: await open(desk), desk });
  if (page !== undefined) return { text: await writePage(run, page), ending: 'done' };
  const text = options.format === 'json' ? runJson(run) : runText(run, { desk, options });
  return { text, ending: 'done' };
}

const open = (desk: Desk): Promise<Git> => openGit({ ...desk, expectsStaged: false });

/** The one run that is meant; undefined when the words name commits. */
async function findOne(
  words: readonly string[],
  { isPage, desk }: { readonly isPage: boolean; readonly desk: Desk },
): Promise<AuditRun | undefined> {
  const [word, ...others] = words;
  if (isPage && others.length > 0) throw usage(`a page shows one run, found ${words.length} names`);
  if (others.length > 0) return undefined;
  if (word?.endsWith('.json')) return loadFile(word, await openIfThere(desk));
  if (word === undefined && !isPage) return undefined;
  const place = { git: await open(desk), desk };
  if (word === undefined) return findNewestRun(place);
  return (await findRunNamed(word, place)) ?? (isPage ? findRunOf(word, place) : undefined);
}

/** An outcome file can be looked at anywhere. */
async function openIfThere(desk: Desk): Promise<Git | undefined> {
  try {
    return await open(desk);
  } catch (thrown) {
    if (isBotError(thrown)) return undefined;
    throw thrown;
  }
}

async function writePage(run: AuditRun, file: string): Promise<string> {
  const text = audit(run);
  await nodeFiles.write(file, text);
  const turns = run.talks.reduce((sum, talk) => sum + talk.turns.length, 0);
  const told = [
    count(run.outcome.findings?.length ?? 0, 'finding'),
    count(turns, 'turn'),
    `${Math.ceil(Buffer.byteLength(text) / 1024)} kB`,
  ];
  return `wrote ${forTerminal(file)}: run ${run.outcome.run}, ${told.join(', ')}\n`;
}
