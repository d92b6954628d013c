import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { BotError } from '../core/bot-error.js';
import type { Environment } from '../platform/processes.js';

/**
 * Where apfel listens, on IPv4 only: on the port in its own variable, otherwise on one that Ollama
 * uses too.
 */
export function defaultBaseUrl({ APFEL_PORT = '' }: Environment): string {
  const isPort = /^[1-9]\d{0,4}$/.test(APFEL_PORT) && Number(APFEL_PORT) < 65_536;
  return `http://127.0.0.1:${isPort ? APFEL_PORT : 11_434}/v1`;
}

/**
 * Flag > environment > configuration > default. The key is for a server that the user named, or for
 * the default one: what a repository's configuration names could be any program on this machine.
 */
export function serverOf(
  flag: string | undefined,
  environment: Environment,
  configured: string | undefined,
): { readonly baseUrl: string | undefined; readonly apiKey: string | undefined } {
  // An empty variable counts as unset.
  const named = flag ?? (environment['APFEL_BOT_BASE_URL'] || undefined);
  const baseUrl = named ?? configured;
  const apiKey = environment['APFEL_BOT_API_KEY'] || undefined;
  return { baseUrl, apiKey: baseUrl === named ? apiKey : undefined };
}

/**
 * The base URL without a slash at the end. Throws a usage error for a URL that can't be used, or that
 * points to another machine when that isn't allowed.
 */
export async function checkAddress(text: string, allowRemote: boolean): Promise<string> {
  const url = parse(text);
  if (!allowRemote && !(await isThisMachine(url.hostname))) {
    throw new BotError('usage', `the base URL points to ${url.host}, which is not this machine`, {
      hint: 'Your code would be sent there. Add --allow-remote if you want that.',
    });
  }
  const path = url.pathname.replace(/\/$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') {
    // Text with an @ may contain a password.
    const shown = text.includes('@') ? 'what was given' : JSON.stringify(text.slice(0, 200));
    throw new BotError('usage', `the base URL is not a URL: ${shown}`, { hint: EXAMPLE });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new BotError('usage', `the base URL must start with http or https, not ${url.protocol}`, {
      hint: EXAMPLE,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new BotError('usage', `the base URL for ${url.host} contains a user name or password`, {
      hint: 'Set APFEL_BOT_API_KEY instead.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BotError('usage', `the base URL for ${url.host} must not have a query or fragment`, {
      hint: EXAMPLE,
    });
  }
  return url;
}

const EXAMPLE = 'It looks like http://127.0.0.1:11434/v1';

/** No name but `localhost` is trusted: what a name resolves to can change between two lookups. */
async function isThisMachine(hostname: string): Promise<boolean> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (bare !== 'localhost') return isLoopback(bare);
  try {
    const found = await lookup(bare, { all: true });
    return found.every(({ address }) => isLoopback(address));
  } catch {
    // The name doesn't resolve, so nothing can be sent there.
    return true;
  }
}

/** 127.0.0.0/8 and ::1, as `URL` and the resolver spell them. */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1';
}

/** An own property of a value from untrusted JSON, or undefined. Never throws. */
export function field(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.getOwnPropertyDescriptor(holder, name)?.value;
}

export function textIn(holder: unknown, name: string): string | undefined {
  const value = field(holder, name);
  return typeof value === 'string' ? value : undefined;
}

export function countIn(holder: unknown, name: string): number {
  const value = field(holder, name);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
