import type { Environment } from './processes.js';

/** The token of apfel's own server isn't a key to anything else. */
const OWN = 'APFEL_TOKEN';

/** Variables that hold a token: GitHub's, a registry's, those of OIDC and of the runner. */
export const tokenNames = (env: Environment): string[] =>
  Object.keys(env).filter(name => /TOKEN$/i.test(name) && name !== OWN && !!env[name]);

/** For a child. It can still read its parent's environment, so this is not enough by itself. */
export const withoutTokens = (env: Environment): Environment => {
  const names = new Set(tokenNames(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
};
