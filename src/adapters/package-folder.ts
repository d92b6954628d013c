import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder that ships with the program, wherever it is installed. */
export const packageFolder = (name: string): string =>
  // A manager may have put a link in its place.
  join(dirname(dirname(realpathSync(process.argv[1] ?? '.'))), name);
