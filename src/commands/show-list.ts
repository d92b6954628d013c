import { listedRun, listText } from '../audit/list-text.js';
import { jsonText } from '../publish/json-text.js';
import type { WorkOptions } from '../trigger/work-options.js';
import { catalog, type ShowPlace } from './show-catalog.js';
import { knownOutcome } from './show-load.js';

/** `show --list`: the runs that are recorded, newest first. */
export async function listRuns(place: ShowPlace, { format }: WorkOptions): Promise<string> {
  const entries = await catalog(place);
  const runs = entries.flatMap(entry => {
    const { outcome, origin } = knownOutcome(entry, place.git);
    return listedRun(outcome, origin) ?? [];
  });
  return format === 'json' ? jsonText({ runs }) : listText(runs);
}
