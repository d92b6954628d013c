import type { Environment } from './processes.js';

/** The tokens of the model's own server aren't keys to anything else. */
const OWN = new Set(['APFEL_TOKEN', 'APFEL_BOT_API_KEY']);

/** By the end of the name: tokens of GitHub, registries, clouds, OIDC and the runner. */
const TOKEN =
  /(?:TOKEN(?:_REQUEST_URL)?|PASSWORD|PASSWD|PASSPHRASE|SECRETS?|CREDENTIALS?|WEBHOOK(?:_URL)?|(?:^|_)(?:PAT|PASS|AUTH|JWT|BEARER)|_(?:PWD|AUTH_CONFIG)|(?<!CACHE|PUBLIC|HOST)_KEY|(?:ACCESS|API|PRIVATE|SECRET|SIGNING)_?KEY(?:_BASE)?)$/i;

/** By the value: an address with a password in it, or a token of GitHub's form. */
const TOKEN_VALUE =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/@\s]{0,200}:[^/@\s]{1,500}@|^(?:gh[opsu]_|github_pat_)\w{20}/i;

/** Variables that hold a token, a password or a key. */
export const tokenNames = (env: Environment): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value && !OWN.has(name) && (TOKEN.test(name) || TOKEN_VALUE.test(value)) ? [name] : [],
  );

/**
 * For a child process. It can still read its parent's environment, so this isn't enough by itself.
 */
export const withoutTokens = (env: Environment): Environment => {
  const names = new Set(tokenNames(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
};
