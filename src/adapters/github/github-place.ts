import { BotError } from '../../core/failure.js';

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
