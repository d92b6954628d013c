import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotError } from '../../core/failure.js';
import {
  type EvalCase,
  type ReadCase,
  readDiffCase,
  readJsonCase,
} from '../../evaluate/eval-case.js';

export interface EvalSuite {
  readonly cases: readonly EvalCase[];
  readonly unusable: ReadonlyArray<{ readonly name: string; readonly problem: string }>;
}

/** Every `.diff` of a folder, and every line of its `.jsonl` files, in the order of their names. */
export async function readSuite(folder: string): Promise<EvalSuite> {
  const names = await readdir(folder).catch((thrown: NodeJS.ErrnoException) => {
    throw new BotError('usage', `the suite ${folder} cannot be read: ${thrown.code}`, {
      hint: 'Name a folder of .diff files: apfel-bot eval --suite DIR',
    });
  });
  const read: ReadCase[] = [];
  for (const name of names.toSorted()) {
    if (!/\.(diff|jsonl)$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (name.endsWith('.diff')) read.push(readDiffCase(name.slice(0, -'.diff'.length), text));
    else read.push(...text.split('\n').filter(Boolean).map(readJsonCase));
  }
  const cases = read.flatMap(each => ('diff' in each ? [each] : []));
  const unusable = read.flatMap(each => ('problem' in each ? [each] : []));
  if (cases.length > 0) return { cases, unusable };
  const why = unusable[0] === undefined ? '' : ` (${unusable[0].name}: ${unusable[0].problem})`;
  throw new BotError('usage', `there is no case in ${folder}${why}`, {
    hint: 'A case is a .diff that begins with "# clean" or "# bug PATH:LINE what"',
  });
}
