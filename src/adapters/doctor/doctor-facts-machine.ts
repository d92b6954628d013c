import type { GithubFact, PowerFact, ProgramFact } from '../../doctor/doctor-facts.js';
import { cleanEnvironment, type Environment, findApfel } from '../apfel/apfel-executable.js';
import { oneLine } from '../openai/openai-one-line.js';
import { type Bound, printedBy } from './doctor-facts-bounded.js';

/** `apfel` on the PATH, and what it says it is. */
export async function programFact(
  environment: Environment,
  bound: Bound,
): Promise<ProgramFact | undefined> {
  const path = await findApfel(environment);
  if (path === undefined) return undefined;
  const env = cleanEnvironment(environment);
  const printed = (await printedBy(path, ['--version'], { env, bound })) ?? '';
  const version = /\d{1,6}\.\d{1,6}(?:\.\d{1,6})?/.exec(printed.slice(0, 1000))?.[0];
  return { path: oneLine(path), version };
}

export interface PowerPlace {
  readonly platform: string;
  readonly pmset: string;
}

/** Only macOS limits background requests on battery, so only there it is asked. */
export async function powerFact({ platform, pmset }: PowerPlace, bound: Bound): Promise<PowerFact> {
  if (platform !== 'darwin') return 'not-limited';
  const printed = await printedBy(pmset, ['-g', 'batt'], { env: {}, bound });
  if (printed?.includes("'Battery Power'")) return 'battery';
  return printed?.includes("'AC Power'") ? 'mains' : 'unknown';
}

/** What is set, by its kind and host only; the token itself goes no further than this line. */
export const githubFact = (environment: Environment): Omit<GithubFact, 'token'> => ({
  tokenKind: tokenKind(environment['GITHUB_TOKEN'] ?? ''),
  apiHost: apiHost(environment['GITHUB_API_URL'] || 'https://api.github.com'),
});

const TOKEN_KINDS = [
  ['github_pat_', 'a fine-grained personal token'],
  ['ghp_', 'a classic personal token'],
  ['ghs_', "an installation token, such as that of a workflow's job"],
  ['gho_', 'an OAuth token'],
  ['ghu_', "a token of an app's user"],
  ['', 'a token of unknown kind'],
] as const;

const tokenKind = (token: string): string | undefined =>
  token === '' ? undefined : TOKEN_KINDS.find(([start]) => token.startsWith(start))?.[1];

const apiHost = (url: string): string | undefined =>
  (URL.canParse(url) && oneLine(new URL(url).host)) || undefined;

/** As the C library has it: the first of these that is set. */
export const languageFact = (environment: Environment): string | undefined => {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'];
  return locale === undefined || locale === '' ? undefined : oneLine(locale);
};
