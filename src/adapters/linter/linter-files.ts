import type { Scratch } from '../../core/scratch.js';
import type { LinterSpec } from '../../lint/linter-spec.js';
import { isBelow } from '../../lint/linters.js';
import type { Globs } from '../../world.js';

/** A first line that names its program is short. */
const SHEBANG_BYTES = 200;

/** Those of the paths that a linter looks at: by their names, or scripts by their first line. */
export async function linterFiles(
  spec: LinterSpec,
  paths: readonly string[],
  { globs, scratch }: { readonly globs: Globs; readonly scratch: Pick<Scratch, 'readFile'> },
): Promise<string[]> {
  const isNamed = await globs.matcher(spec.files);
  const chosen: string[] = [];
  for (const path of paths) {
    if (!isBelow(path, spec.folder)) continue;
    if (isNamed(path) || (await isScript(path, spec, scratch))) chosen.push(path);
  }
  return chosen;
}

async function isScript(
  path: string,
  { interpreters }: LinterSpec,
  scratch: Pick<Scratch, 'readFile'>,
): Promise<boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (interpreters === undefined || name.includes('.')) return false;
  const bytes = await scratch.readFile(path).catch(() => undefined);
  const head = Buffer.from(bytes?.subarray(0, SHEBANG_BYTES) ?? []).toString('latin1');
  const [, program, argument] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(head) ?? [];
  const base = program?.slice(program.lastIndexOf('/') + 1);
  return interpreters.includes((base === 'env' ? argument : base) ?? '');
}
