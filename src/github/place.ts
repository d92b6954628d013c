import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BotError } from '../core/bot-error.js';

/** Where to publish, and with which token. From the environment only, never from an outcome. */
export interface GithubPlace {
  readonly token: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly owner: string;
  readonly name: string;
}

const GITHUB_COM = 'https://api.github.com';

export function githubPlace(env: Readonly<Record<string, string | undefined>>): GithubPlace {
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const [, owner = '', name = ''] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === '') {
    const found = repository === '' ? 'is not set' : `is ${JSON.stringify(repository)}`;
    throw new BotError('usage', `GITHUB_REPOSITORY ${found}`, {
      hint: 'It names the repository to publish to: GITHUB_REPOSITORY=owner/name',
    });
  }
  const token = (env['GITHUB_TOKEN'] ?? '').trim();
  if (token === '') {
    throw new BotError('publish-failed', 'there is no token: GITHUB_TOKEN is not set', {
      hint:
        'In a workflow give this step env: GITHUB_TOKEN: $' +
        '{{ github.token }}, and the job permissions: pull-requests: write',
    });
  }
  // It becomes a header: a line break in it is a mistake when copying, and worse on purpose.
  if (/[^\x21-\x7e]/.test(token)) {
    throw new BotError('publish-failed', 'GITHUB_TOKEN holds characters that no token has');
  }
  return { token, apiUrl: apiUrlOf(env['GITHUB_API_URL']), owner, name };
}

function apiUrlOf(text: string | undefined): string {
  if (text === undefined || text === '') return GITHUB_COM;
  const wrong = (why: string): BotError =>
    new BotError('usage', `GITHUB_API_URL is ${JSON.stringify(text)}: ${why}`, {
      hint: 'It is https://api.github.com, or https://HOST/api/v3 on a GitHub Enterprise Server',
    });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong('that is no URL');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw wrong('a token is not sent but over https');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') throw wrong('too much in it');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Where people look at what the API serves. */
export const webUrlOf = (apiUrl: string): string =>
  apiUrl === GITHUB_COM ? 'https://github.com' : apiUrl.replace(/\/api\/v3$/, '');

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

/** Waits, but no longer than the run lasts. */
export const openPause =
  (signal: AbortSignal) =>
  async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  };

/** The page of the workflow run that we are in; undefined where the environment does not say. */
export function failedRunUrl(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const server = env['GITHUB_SERVER_URL'] || 'https://github.com';
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const run = env['GITHUB_RUN_ID'] ?? '';
  // It becomes a link in a comment: nothing but an address of this shape will do.
  const isPlain =
    /^https?:\/\/[\w.-]+(?::\d{1,5})?$/.test(server) &&
    /^[\w.-]+\/[\w.-]+$/.test(repository) &&
    /^\d{1,20}$/.test(run);
  return isPlain ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

/** A change from elsewhere; one whose repository was deleted is from elsewhere all the same. */
export const isFork = (head: string | null, repository: string): boolean =>
  head === null || head.toLowerCase() !== repository.toLowerCase();
