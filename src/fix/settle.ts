import type { Diagnostic } from '../core/diagnostic.js';
import { ownerOf } from './bench.js';
import { movedLine } from './still-wanted.js';
import type { Fixing } from './try-edit.js';
import type { Linter } from './workshop.js';

export interface Settling extends Fixing {
  /** What the linters said of the commit as it was. */
  readonly before: readonly Diagnostic[];
  readonly commands: ReadonlyArray<readonly string[]>;
  readonly say: (notice: string) => void;
}

/**
 * The last word before anything is kept for good: every linter looks at the whole task again, then
 * the project's own commands run. What brings a new complaint or breaks a command is dropped.
 */
export async function settle(settling: Settling): Promise<void> {
  if (settling.bench.edited().length === 0) return;
  await settleLint(settling);
  if (settling.commands.length > 0 && settling.bench.edited().length > 0) {
    await settleCommands(settling);
  }
}

/** What to say of edits that were kept although nobody got to this. */
export const unsettled = (hasCommands: boolean): string =>
  [
    'each edit was verified by itself, but the run was stopped before the linters looked at everything once more',
    ...(hasCommands ? ['the commands of verify.commands did not run'] : []),
  ].join('; ');

async function settleLint(settling: Settling): Promise<void> {
  const { bench } = settling;
  const first = await lintAll(settling);
  if (first.length === 0) return;
  const [worst] = first;
  const more = first.length > 1 ? ` and ${first.length - 1} more` : '';
  settling.say(`edits dropped: together they bring ${worst?.words ?? ''}${more}`);
  const isHit = (path: string): boolean => first.some(({ isAbout }) => isAbout(path));
  const isTheirs = bench.edited().some(([path]) => isHit(path));
  const reason = 'together with the other edits it brings a new complaint';
  if (isTheirs) {
    bench.drop(isHit, reason);
    const again = await unlessDone(settling, reason, async () => {
      await writeBack(settling);
      return lintAll(settling);
    });
    if (again.length === 0) return;
  }
  // A complaint in a file that was not edited: no telling whose fault it is.
  bench.drop(() => true, reason);
  await writeBack(settling);
  await lintAll(settling);
}

/** What speaks against the edits. */
interface Objection {
  readonly words: string;
  readonly isAbout: (path: string) => boolean;
}

/** Objections, after each linter has looked at all of its files. */
async function lintAll(settling: Settling): Promise<Objection[]> {
  const { shop, bench, craft, before } = settling;
  const objections: Objection[] = [];
  for (const linter of shop.linters) {
    const report = await linter.check(linter.files);
    const then = before.filter(each => each.tool === linter.name && isLookedAt(linter, each));
    const { introduced } = craft.compare(then, report.diagnostics, movedLine(bench));
    for (const { path, message } of introduced) {
      const words = `a complaint of ${linter.title}, ${path}: ${message}`;
      objections.push({ words, isAbout: each => each === path });
    }
    if (report.isWhole) bench.note(linter, linter.files, report.diagnostics);
    // It could before the edits; its silence about what they did proves nothing.
    else if (bench.edited().some(([path]) => isLookedAt(linter, { path }))) {
      const words = `${linter.title} to a stop: ${report.problems[0] ?? 'no whole report'}`;
      objections.push({ words, isAbout: path => isLookedAt(linter, { path }) });
    }
  }
  return objections;
}

const isLookedAt = (linter: Linter, { path }: Pick<Diagnostic, 'path'>): boolean =>
  linter.isForAll || linter.files.includes(path);

async function settleCommands(settling: Settling): Promise<void> {
  const failure = await runAll(settling);
  if (failure === undefined) return;
  await unlessDone(settling, failure, () => blame(failure, settling));
  await lintAll(settling);
}

/** Whoever stops us between a failure and its remedy gets nothing that is known to be wrong. */
async function unlessDone<Value>(
  { bench, say }: Settling,
  reason: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    say(`all edits were dropped: ${reason}, and the run was stopped before the cause was found`);
    bench.drop(() => true, reason);
    throw thrown;
  }
}

/** Drops the rule whose edits make the commands fail, or everything when that does not help. */
async function blame(failure: string, settling: Settling): Promise<void> {
  const { bench } = settling;
  const owners = [...new Set(bench.records.map(record => ownerOf(record.diagnostic)))];
  const guilty = await findGuilty(owners, settling);
  if (guilty === undefined) {
    settling.say(`nothing could be verified: ${failure}, even without any edit`);
    bench.drop(() => true, `not verified: ${failure} on the commit itself`);
    await writeBack(settling);
    return;
  }
  settling.say(`the edits for ${guilty} were dropped: with them ${failure}`);
  bench.drop((_path, each) => each.has(guilty), `with the edits for its rule ${failure}`);
  await writeBack(settling);
  const again = bench.edited().length === 0 ? undefined : await runAll(settling);
  if (again !== undefined) {
    settling.say(`all other edits were dropped as well: without those ${again}`);
    bench.drop(() => true, again);
    await writeBack(settling);
  }
}

async function runAll({ shop, commands }: Settling): Promise<string | undefined> {
  for (const command of commands) {
    const failure = await shop.verify(command);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** The rule whose edits turn success into failure, by halving; undefined when it fails without any. */
async function findGuilty(
  owners: readonly string[],
  settling: Settling,
): Promise<string | undefined> {
  const holds = async (count: number): Promise<boolean> => {
    const taken = new Set(owners.slice(0, count));
    await writeBack(settling, each => [...each].every(owner => taken.has(owner)));
    return (await runAll(settling)) === undefined;
  };
  if (!(await holds(0))) return undefined;
  let [good, bad] = [0, owners.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return owners[bad - 1];
}

/** Makes the copy what the bench says, with those edits only when a choice is given. */
async function writeBack(
  { shop, bench }: Settling,
  isWanted?: (owners: ReadonlySet<string>) => boolean,
): Promise<void> {
  const paths = new Set([...bench.edited().map(([path]) => path), ...(await shop.changed())]);
  for (const path of paths) {
    const file = bench.file(path);
    const text = isWanted === undefined ? file?.text : file?.textWith(isWanted);
    if (file === undefined || text === undefined || text === file.base) await shop.reset(path);
    else await shop.write(path, text);
  }
}
