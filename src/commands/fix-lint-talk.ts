import { openTranscripts } from '../adapters/records/transcripts.js';
import { fixDiagnostic } from '../agent/fix-diagnostic.js';
import type { Source } from '../agent/tools/source.js';
import type { FixJob } from '../fix-lint.js';
import { entryLine } from '../publish/entry-text.js';
import type { WorkOptions } from '../trigger/work-options.js';
import type { Desk, Opened } from './desk.js';
import { calibrated } from './open-model.js';

interface Talking {
  readonly run: string;
  readonly commonDir: string;
  readonly options: WorkOptions;
  readonly opened: Opened;
  readonly desk: Desk;
  readonly source: Source;
}

/** The conversations of a run: each is recorded, and told when somebody wants to hear it. */
export function fixTalk(talking: Talking): FixJob['talk'] {
  const { run, commonDir, options, opened, desk, source } = talking;
  const { config, world } = opened;
  const record = openTranscripts(commonDir).open(run, 'fix-lint');
  let preferred: Promise<Awaited<ReturnType<typeof calibrated>>> | undefined;
  return async (model, { deadlineMs, round, ...wish }) => {
    preferred ??= calibrated(model, desk);
    return fixDiagnostic(
      { ...wish, source },
      {
        model,
        protocol: options.model.protocol ?? config.model.protocol,
        preferred: (await preferred).preferred,
        limits: { ...config.limits, deadlineMs },
        clock: world.clock,
        signal: world.signal,
        seed: round,
        onEntry: entry => {
          record(entry);
          if (options.isVerbose) desk.say(entryLine(entry));
        },
      },
    );
  };
}
