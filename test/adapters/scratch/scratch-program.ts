import { readdir } from 'node:fs/promises';
import { bringOver } from '../../../src/adapters/commit/git-commit-branch.js';
import { writingSpot } from '../../../src/adapters/commit/git-commit-spot.js';
import { appendNote } from '../../../src/adapters/notes/git-notes.js';
import { startRun } from '../../../src/adapters/records/run-records.js';
import { openScratch } from '../../../src/adapters/scratch/scratch.js';
import { isBotError } from '../../../src/core/failure.js';
import { AUTHOR, announce, build, whereabouts } from './scratch-harness.js';

/** A small program for tests that kill it or take the disk away from it. */
const [task = '', dir = '', temp = '', run = 'RUN'] = process.argv.slice(2);
const place = await whereabouts(dir);
const base = place.repository.head ?? '';
const spot = writingSpot(place);

/** Open a scratch copy, build two commits, bring them over, note it, clean up. */
async function whole(): Promise<void> {
  const signed = await startRun(place.repository.commonDir, run);
  const { addScratch } = signed;
  const scratch = await openScratch({ ...place, commit: base, temp, announce: addScratch });
  const { tip } = await build({ scratch, base }, { 'a.js': `${run};\n` }, { 'b.js': `${run};\n` });
  const branch = `apfel-bot/fix-lint-${base.slice(0, 12)}`;
  await bringOver({ from: scratch.spot, into: spot, base, tip, branch, committer: AUTHOR });
  await appendNote({ ...place, spot, writer: AUTHOR }, base, { v: 1, run });
  await scratch.remove();
  await signed.end();
}

const TASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  whole,
  scratch: () => openScratch({ ...place, commit: base, temp, announce }),
  note: () => appendNote({ ...place, spot, writer: AUTHOR }, base, { v: 1, run }),
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
