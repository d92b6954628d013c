import { type Config, defaultConfig } from '../config.js';
import { BotError } from '../core/failure.js';
import type { Files, Git } from '../world.js';

export const CONFIG_FILE = '.apfel-bot.json';
const MANIFEST = 'package.json';
const MANIFEST_KEY = 'apfel-bot';

export interface ConfigPlace {
  /** `--config FILE`: trusted, and must be there. */
  readonly file: string | undefined;
  /** On a pull request: the commit whose configuration counts, whatever the change says. */
  readonly base: string | undefined;
  readonly git: Git | undefined;
  readonly files: Files;
  readonly knownRules: readonly string[];
}

/** The configuration that may be believed here: named, at the base commit, or in the work tree. */
export async function findConfig(place: ConfigPlace): Promise<Config> {
  const read = reader(place);
  if (place.file !== undefined) {
    const text = await place.files.read(place.file);
    if (text !== undefined) return parse(text, place.file, place.knownRules);
    throw new BotError('config', `--config names ${place.file}, and there is no such file`);
  }
  return configFrom(read, place.knownRules);
}

/** The same wherever the files of the repository are. */
export async function configFrom(
  read: (name: string) => Promise<string | undefined>,
  knownRules: readonly string[],
): Promise<Config> {
  const own = await read(CONFIG_FILE);
  if (own !== undefined) return parse(own, CONFIG_FILE, knownRules);
  const manifest = await read(MANIFEST);
  // Most manifests have no such key, and parsing them all would cost every commit.
  if (manifest === undefined || !manifest.includes(`"${MANIFEST_KEY}"`)) return defaultConfig();
  const settings = settingsIn(manifest);
  if (settings === undefined) return defaultConfig();
  return understood(settings, `${MANIFEST}, key ${MANIFEST_KEY}`, knownRules);
}

function reader({ base, git, files }: ConfigPlace): (name: string) => Promise<string | undefined> {
  const { top, head } = git?.repository ?? {};
  const commit = base ?? (top === undefined ? head : undefined);
  if (commit !== undefined && git !== undefined) {
    return async name => {
      const bytes = await git.readFile(commit, name);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    };
  }
  return name => (top === undefined ? Promise.resolve(undefined) : files.read(`${top}/${name}`));
}

async function parse(text: string, origin: string, knownRules: readonly string[]): Promise<Config> {
  let written: unknown;
  try {
    written = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new BotError('config', `${origin} is not valid JSON`, {
      hint: `Check it with: node -e "JSON.parse(require('fs').readFileSync('${origin}','utf8'))"`,
      cause,
    });
  }
  return understood(written, origin, knownRules);
}

/** The schema is a sixth of what a review has to load, and most repositories have no configuration. */
const understood = async (
  written: unknown,
  origin: string,
  knownRules: readonly string[],
): Promise<Config> => (await import('./read-config.js')).readConfig(written, origin, knownRules);

/** Only a key of its own at the top counts; a broken manifest is for others to report. */
function settingsIn(manifest: string): unknown {
  try {
    const value: unknown = JSON.parse(manifest);
    if (typeof value !== 'object' || value === null) return undefined;
    const settings = (value as Record<string, unknown>)[MANIFEST_KEY];
    // As a dependency's name the same words stand deeper and hold a version.
    return settings;
  } catch {
    return undefined;
  }
}
