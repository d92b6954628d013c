import { appendFile } from 'node:fs/promises';

/** A runner takes 1 MiB a step, and fails none for more; it shows nothing of it then. */
const MOST_BYTES = 1024 * 1024;

/** Adds to what the step's summary says already; true when there is one. */
export async function addStepSummary(
  env: Readonly<Record<string, string | undefined>>,
  text: string,
): Promise<boolean> {
  const path = env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '' || Buffer.byteLength(text) > MOST_BYTES) return false;
  try {
    await appendFile(path, `${text.trimEnd()}\n`);
    return true;
  } catch {
    // What was published is published; a summary that cannot be written is not worth failing for.
    return false;
  }
}
