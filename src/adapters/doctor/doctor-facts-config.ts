import { type Config, defaultConfig } from '../../config.js';
import { isBotError } from '../../core/failure.js';
import type { ConfigFact } from '../../doctor/doctor-facts.js';
import { CONFIG_FILE, findConfig } from '../../trigger/find-config.js';
import type { Git } from '../../world.js';
import { parseJson } from '../apfel/apfel-probe.js';
import { nodeFiles } from '../node-files.js';
import { field } from '../openai/openai-fields.js';

export interface ConfigPlace {
  /** `--config FILE` */
  readonly file: string | undefined;
  readonly git: Git | undefined;
  readonly knownRules: readonly string[];
}

/** The configuration that counts here; where it is broken, the defaults for the rest of the look. */
export async function configFact(
  place: ConfigPlace,
): Promise<{ readonly fact: ConfigFact; readonly config: Config }> {
  try {
    const config = await findConfig({ ...place, base: undefined, files: nodeFiles });
    return { fact: { kind: 'valid', origin: place.file ?? (await originOf(place.git)) }, config };
  } catch (thrown) {
    if (!isBotError(thrown)) throw thrown;
    const { hint } = thrown;
    return {
      fact: { kind: 'broken', message: inOneLine(thrown.message), hint },
      config: defaultConfig(),
    };
  }
}

/** Problems come one to a line, under the name of the file. */
function inOneLine(message: string): string {
  const [first = '', ...problems] = message.split('\n').map(line => line.trim());
  return [first, problems.join('; ')].join(' ').trim();
}

async function originOf(git: Git | undefined): Promise<string | undefined> {
  const { top, head } = git?.repository ?? {};
  const read = async (name: string): Promise<string | undefined> => {
    if (top !== undefined) return nodeFiles.read(`${top}/${name}`);
    const bytes = head === undefined ? undefined : await git?.readFile(head, name);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  if ((await read(CONFIG_FILE)) !== undefined) return CONFIG_FILE;
  const manifest = parseJson((await read('package.json')) ?? '');
  return field(manifest, 'apfel-bot') === undefined ? undefined : 'package.json';
}
