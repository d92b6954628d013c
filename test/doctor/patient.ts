import { join } from 'node:path';
import { diagnose } from '../../src/doctor/command.js';
import type { DoctorFacts } from '../../src/doctor/facts.js';
import { type DoctorOptions, gatherFacts } from '../../src/doctor/gather.js';
import { doctorJson, doctorText } from '../../src/doctor/report.js';
import { unusedPort } from '../model/apfel-harness.js';
import { never } from '../model/openai-harness.js';
import { gitEnv, withFolder } from '../support/with-repo.js';

interface DoctorFixture {
  /** First on the PATH, and the user's home. */
  readonly home: string;
  look(changes?: Partial<DoctorOptions> & { readonly defaultPort?: string }): Promise<Seen>;
}

interface Seen {
  readonly facts: DoctorFacts;
  readonly ending: string;
  /** `status message | fix` of a line, or undefined. */
  line(id: string): string | undefined;
  readonly printed: string;
}

/** For a machine that is busy with something else; tests of a limit set their own. */
const WIDE = { programMs: 60_000, hooksMs: 60_000, probeMs: 60_000, modelMs: 120_000 };

/** A home and a PATH of its own, nobody on the default port, and no repository. */
export const withPatient = (body: (patient: DoctorFixture) => Promise<void>): Promise<void> =>
  withFolder(async home => {
    const unused = String(await unusedPort());
    await body({
      home,
      look: async ({ defaultPort = unused, limits, ...changes } = {}) => {
        const facts = await gatherFacts({
          cwd: home,
          environment: { ...environmentOf(home), APFEL_PORT: defaultPort },
          signal: never,
          configFile: undefined,
          baseUrl: undefined,
          modelName: undefined,
          allowRemote: false,
          knownRules: ['debugger'],
          limits: { ...WIDE, ...limits },
          ...changes,
        });
        return seen(facts);
      },
    });
  });

export const environmentOf = (home: string): Record<string, string> => ({
  ...gitEnv(home),
  PATH: `${home}:/usr/bin:/bin`,
  GIT_CEILING_DIRECTORIES: join(home, '..'),
  LANG: 'de_AT.UTF-8',
});

function seen(facts: DoctorFacts): Seen {
  const report = diagnose(facts);
  const line = (id: string): string | undefined => {
    const check = report.checks.find(each => each.id === id);
    return check && `${check.status} ${check.message} | ${check.fix ?? ''}`;
  };
  const printed = doctorText(report, { color: true, columns: 80 }) + doctorJson(report);
  return { facts, ending: report.ending, line, printed };
}
