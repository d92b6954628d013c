import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BotError } from '../core/bot-error.js';

/** Where to publish, and with which token: from the environment, never from an outcome. */
export interface GithubTarget {
  readonly token: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly owner: string;
  readonly name: string;
}

const GITHUB_COM = 'https://api.github.com';

export function githubTarget(env: Readonly<Record<string, string | undefined>>): GithubTarget {
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const [, owner = '', name = ''] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === '') {
    const found = repository === '' ? 'is not set' : `is ${JSON.stringify(repository)}`;
    throw new BotError('usage', `GITHUB_REPOSITORY ${found}`, {
      hint: 'Set it to the repository to publish to: GITHUB_REPOSITORY=owner/name',
    });
  }
  const token = (env['GITHUB_TOKEN'] ?? '').trim();
  if (token === '') {
    throw new BotError('publish-failed', 'GITHUB_TOKEN is not set', {
      hint:
        'In a workflow, give this step env: GITHUB_TOKEN: $' +
        '{{ github.token }}, and the job permissions: pull-requests: write',
    });
  }
  // It becomes a header, so a line break in it is a copying mistake or an attack.
  if (/[^\x21-\x7e]/.test(token)) {
    throw new BotError('publish-failed', 'GITHUB_TOKEN has characters that no token has');
  }
  return { token, apiUrl: apiUrlOf(env['GITHUB_API_URL']), owner, name };
}

function apiUrlOf(text: string | undefined): string {
  if (text === undefined || text === '') return GITHUB_COM;
  const wrong = (why: string): BotError =>
    new BotError('usage', `GITHUB_API_URL is ${JSON.stringify(text)}: ${why}`, {
      hint: 'Set it to https://api.github.com, or to https://HOST/api/v3 for a GitHub Enterprise Server',
    });
  if (!URL.canParse(text)) throw wrong("it isn't a URL");
  const url = new URL(text);
  if (!isSafeUrl(url)) throw wrong('tokens are only sent over https');
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('it must not have a user name, a query or a fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A token is sent over https, or to this machine. */
export const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));

/** The address that people open in a browser. */
export const webUrlOf = (apiUrl: string): string =>
  apiUrl === GITHUB_COM ? 'https://github.com' : apiUrl.replace(/\/api\/v3$/, '');

/** A runner accepts 1 MiB per step; if there is more it shows nothing. */
const MAX_BYTES = 1024 * 1024;

/** Appends to the step's summary; false if there is none or it can't be written. */
export async function addStepSummary(
  env: Readonly<Record<string, string | undefined>>,
  text: string,
): Promise<boolean> {
  const path = env['GITHUB_STEP_SUMMARY'];
  if (!path || Buffer.byteLength(text) > MAX_BYTES) return false;
  try {
    await appendFile(path, `${text.trimEnd()}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Waits, but not beyond the end of the run. */
export const openPause =
  (signal: AbortSignal) =>
  async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  };

/** The page of this workflow run; undefined outside of one. */
export function workflowRunUrl(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const server = env['GITHUB_SERVER_URL'] || 'https://github.com';
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const run = env['GITHUB_RUN_ID'] ?? '';
  // It becomes a link in a comment, so only a URL of this form is accepted.
  const isPlain =
    /^https?:\/\/[\w.-]+(?::\d{1,5})?$/.test(server) &&
    /^[\w.-]+\/[\w.-]+$/.test(repository) &&
    /^\d{1,20}$/.test(run);
  return isPlain ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

/** Whether the head is in another repository, or in one that was deleted. */
export const isFork = (head: string | null, repository: string): boolean =>
  head === null || head.toLowerCase() !== repository.toLowerCase();
