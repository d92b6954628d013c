import { readdir } from 'node:fs/promises';
import { isBotError } from '../../src/core/bot-error.js';
import { bringOver } from '../../src/git/branch.js';
import { writeContext } from '../../src/git/commit-plan.js';
import { openScratch } from '../../src/git/scratch.js';
import { startRun } from '../../src/git/sweep.js';
import { appendNote, notesPlace } from '../../src/notes/store.js';
import { announce, build, repositoryLocation } from './scratch-harness.js';

/** A small program for tests that kill it or take the disk away from it. */
const [task = '', dir = '', temp = '', run = 'RUN'] = process.argv.slice(2);
const place = await repositoryLocation(dir);
const base = place.repository.head ?? '';
const context = writeContext(place);

/** Open a scratch copy, build two commits, bring them over, note it, clean up. */
async function whole(): Promise<void> {
  const signed = await startRun(place.repository.commonDir, run);
  const { addScratch } = signed;
  const scratch = await openScratch({ ...place, commit: base, temp, announce: addScratch });
  const { tip } = await build({ scratch, base }, { 'a.js': `${run};\n` }, { 'b.js': `${run};\n` });
  const branch = `apfel-bot/fix-lint-${base.slice(0, 12)}`;
  await bringOver({ from: scratch.context, into: context, base, tip, branch });
  await appendNote(notesPlace(place), base, { v: 1, run });
  await scratch.remove();
  await signed.end();
}

const TASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  whole,
  scratch: () => openScratch({ ...place, commit: base, temp, announce }),
  note: () => appendNote(notesPlace(place), base, { v: 1, run }),
};

const ending = await TASKS[task]?.().then(
  () => ({ failure: undefined }),
  (thrown: unknown) => ({
    failure: isBotError(thrown) ? thrown.message : `not ours: ${String(thrown)}`,
    code: isBotError(thrown) ? thrown.code : undefined,
    hint: isBotError(thrown) ? thrown.hint : undefined,
  }),
);
const left = await readdir(temp).catch(() => []);
console.log(JSON.stringify({ ...ending, left }));
