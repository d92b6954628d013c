import { delimiter } from 'node:path';
import type { Environment } from '../platform/processes.js';
import { type Bound, printedBy } from '../platform/run-program.js';
import { type Lookup, lookupScript } from './shim.js';

interface LookupOptions {
  /** Where git starts hooks. */
  readonly cwd: string;
  readonly env: Environment;
  readonly bound: Bound;
  /** What `install` recorded; undefined looks in both places. */
  readonly recorded?: Lookup | undefined;
}

/** Looks for the program as the hooks will, without what npx put on the PATH for this one call. */
export async function lookUp(options: LookupOptions): Promise<Lookup | undefined> {
  const { cwd, bound, recorded } = options;
  const own = Object.entries(options.env).flatMap(([name, value = '']): Array<[string, string]> => {
    if (name === 'PATH') return [[name, withoutPackages(value)]];
    return /^npm_|^INIT_CWD$/i.test(name) ? [] : [[name, value]];
  });
  const env = Object.fromEntries(own);
  const printed = await printedBy('/bin/sh', ['-c', lookupScript(recorded)], { cwd, env, bound });
  const place = printed?.trim();
  return place === 'local' || place === 'global' ? place : undefined;
}

const withoutPackages = (path: string): string =>
  path
    .split(delimiter)
    .filter(folder => !/[\\/]node_modules[\\/]\.bin$/.test(folder))
    .join(delimiter);
