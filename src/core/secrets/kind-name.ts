import { tokenFamilies } from './token-families.js';

/** How a kind reads in a sentence after "looks like". */
export const kindName = (kind: string): string => NAMES.get(kind) ?? 'a secret';

const NAMES: ReadonlyMap<string, string> = new Map([
  ...tokenFamilies.map(family => [family.kind, family.name] as const),
  ['private-key', 'a private key'],
  ['generic-credential', 'a credential'],
  ['password', 'a password'],
  ['url-credential', 'a password in a URL'],
  ['authorization-header', 'a credential in an Authorization header'],
  ['command-line-credential', 'a password on a command line'],
  ['kubernetes-secret', 'the value of a Kubernetes Secret'],
]);
