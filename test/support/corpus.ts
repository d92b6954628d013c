import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const CORPORA = process.env['APFEL_BOT_CORPORA'] ?? '../shared/corpora';

/** Third-party test data is read in place and never committed; a clone alone must pass without it. */
export function corpus(name: string): { absent: string | undefined; path(file: string): string } {
  const folder = resolve(CORPORA, name);
  return {
    absent: existsSync(folder) ? undefined : `corpus ${name} is not here`,
    path: file => join(folder, file),
  };
}

export const readJsonLines = <Row>(path: string): Row[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Row);
