import { BotError } from '../core/bot-error.js';
import { field, parseJson } from '../core/json-fields.js';
import { orHint } from '../core/nearest.js';
import type { Git } from '../git/git.js';
import { readText, readTextIn } from '../platform/files.js';
import { type Config, defaultConfig } from './config.js';
import type { Written } from './read.js';

export const CONFIG_FILE = '.apfel-bot.json';
export const RULES_FOLDER = '.apfel-bot/rules';
const MANIFEST = 'package.json';
const MANIFEST_KEY = 'apfel-bot';

interface ConfigLocation {
  /** `--config FILE`: trusted, and must exist. */
  readonly file: string | undefined;
  /** On a pull request: the commit to read the configuration from, whatever the change does to it. */
  readonly base: string | undefined;
  readonly git: Git | undefined;
  readonly knownRules: readonly string[];
}

/** The configuration to trust here: the named file, at the base commit, or in the work tree. */
export async function findConfig(place: ConfigLocation): Promise<Config> {
  return checked(await findWritten(place), place.knownRules);
}

/**
 * Whether `hooks.failClosed` is set, even if the rest of the configuration is invalid: a typo
 * elsewhere must not turn it off. False if nothing can be read.
 */
export async function saysFailClosed(place: Omit<ConfigLocation, 'knownRules'>): Promise<boolean> {
  try {
    const written = await findWritten(place);
    return field(field(written?.settings, 'hooks'), 'failClosed') === true;
  } catch {
    // Broken JSON or no such file: already reported.
    return false;
  }
}

/** The configuration in files read by `read`. */
export async function configFrom(
  read: (name: string) => Promise<string | undefined>,
  knownRules: readonly string[],
): Promise<Config> {
  return checked(await writtenFrom(read), knownRules);
}

async function findWritten(
  place: Omit<ConfigLocation, 'knownRules'>,
): Promise<Written | undefined> {
  if (place.file === undefined) return writtenFrom(reader(place));
  const text = await orHint(readText(place.file), NAME_ANOTHER);
  if (text !== undefined) return parse(text, place.file);
  throw new BotError('config', `--config names ${place.file}, but there is no such file`, {
    hint: NAME_ANOTHER,
  });
}

const NAME_ANOTHER = `Check the path, or leave --config out to read ${CONFIG_FILE}`;

async function writtenFrom(
  read: (name: string) => Promise<string | undefined>,
): Promise<Written | undefined> {
  const own = await orHint(read(CONFIG_FILE), `${CONFIG_FILE} must be a readable file`);
  return own === undefined ? manifestSettings(read) : parse(own, CONFIG_FILE);
}

export const unusedSettings = (file: string): string =>
  `the settings in ${file} are not used, because there is ${CONFIG_FILE}`;

/** The files with settings here; only the first one is used. */
export async function settingsFiles(
  place: Pick<ConfigLocation, 'base' | 'git'>,
): Promise<string[]> {
  const read = reader(place);
  const own = await read(CONFIG_FILE);
  // A manifest that can't be read has no settings that somebody could miss.
  const manifest = await manifestSettings(read).catch(() => undefined);
  return [
    ...(own === undefined ? [] : [CONFIG_FILE]),
    ...(manifest === undefined ? [] : [MANIFEST]),
  ];
}

async function manifestSettings(
  read: (name: string) => Promise<string | undefined>,
): Promise<Written | undefined> {
  const manifest = await read(MANIFEST);
  // Most manifests don't have the key; don't parse them at every commit.
  if (manifest === undefined || !manifest.includes(`"${MANIFEST_KEY}"`)) return undefined;
  // Only at the top level: a dependency of that name is nested deeper. Others report a broken
  // manifest.
  const settings = field(parseJson(manifest), MANIFEST_KEY);
  return settings === undefined
    ? undefined
    : {
        settings,
        origin: `${MANIFEST}, key ${MANIFEST_KEY}`,
        text: manifest,
        pointer: `/${MANIFEST_KEY}`,
      };
}

function reader({
  base,
  git,
}: Pick<ConfigLocation, 'base' | 'git'>): (name: string) => Promise<string | undefined> {
  const { top, head } = git?.repository ?? {};
  const commit = base ?? (top === undefined ? head : undefined);
  if (commit !== undefined && git !== undefined) {
    return async name => {
      const bytes = await git.readFile(commit, name);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    };
  }
  return name => (top === undefined ? Promise.resolve(undefined) : readTextIn(top, name));
}

async function parse(content: string, origin: string): Promise<Written> {
  const text = content.replace(/^\ufeff/, '');
  // Comments need a parser that is loaded late.
  const plain = parseJson(text);
  if (plain !== undefined) return { settings: plain, origin, text, pointer: '' };
  const { parseCommented } = await import('./json-text.js');
  return { settings: await parseCommented(text, origin), origin, text, pointer: '' };
}

/** Most repositories have no configuration, and the schema is a sixth of what a review loads. */
async function checked(
  written: Written | undefined,
  knownRules: readonly string[],
): Promise<Config> {
  if (written === undefined) return defaultConfig();
  const { readConfig } = await import('./read.js');
  return readConfig(written, knownRules);
}
