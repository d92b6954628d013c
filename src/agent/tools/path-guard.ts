export type GuardedPath =
  | { readonly ok: true; readonly path: string }
  /** Why not, and what to do instead; for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Lets through repository-relative paths only, spelt the way git spells them. Whether the file is
 * tracked, and what it is, is for the source to say; what is known from the name alone stops here.
 */
export function guardPath(said: string): GuardedPath {
  if (said.includes('\0')) return refuse('a path cannot hold a NUL character', said);
  if (said.length > LONGEST_PATH) return refuse('the path is too long', said);
  if (/^(?:[/\\~]|[A-Za-z]:[/\\])/.test(said.trim())) {
    return refuse(
      'absolute paths are not allowed; give the path from the top of the repository',
      said,
    );
  }
  const parts = said
    .trim()
    .split('/')
    .filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) {
    return refuse('".." is not allowed; give the path from the top of the repository', said);
  }
  if (parts.some(isGitFolder)) return refuse(".git is not part of the repository's files", said);
  const path = parts.join('/');
  if (isSecretBearing(path)) {
    return refuse('the file may hold secrets and is never shown; work without it', said);
  }
  return { ok: true, path };
}

/** By name: environments, keys, and the files in which programs keep passwords. */
export function isSecretBearing(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  return (
    SECRET_NAMES.has(name) ||
    SECRET_PLACES.some(place => lower === place || lower.endsWith(`/${place}`)) ||
    /(?:^|\/)\.(?:ssh|gnupg)\//.test(lower) ||
    /^\.env(?:$|[._-])|\.env$|^id_(?:rsa|dsa|ecdsa|ed25519)(?:$|[._-](?!pub$))/.test(name) ||
    /\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|p8|asc|gpg|ovpn)$/.test(name) ||
    /^(?:service[-_]?account|credentials?|secrets?)[\w.-]*\.(?:json|ya?ml|toml|ini|txt)$/.test(name)
  );
}

const LONGEST_PATH = 4096;

const SECRET_NAMES = new Set([
  '.npmrc',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.git-credentials',
  '.htpasswd',
  '.pgpass',
  '.my.cnf',
  '.dockercfg',
  '.envrc',
  'credentials',
]);

const SECRET_PLACES = ['.docker/config.json', '.kube/config', '.cargo/credentials.toml'];

/** Also as other file systems would read it: any case, dots or spaces at the end, the short name. */
const isGitFolder = (part: string): boolean =>
  /^(?:\.git|git~1)[. ]*$/.test(
    part.toLowerCase().replace(/[\u200c-\u200f\u202a-\u202e\ufeff]/g, ''),
  );

const refuse = (reason: string, said: string): GuardedPath => ({
  ok: false,
  reason: `${reason} ("${said.replaceAll('\0', '\\0').slice(0, 80)}")`,
});
