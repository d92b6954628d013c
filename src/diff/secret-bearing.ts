/** By name: environments, keys, and the files in which programs keep passwords. */
export function isSecretBearing(path: string): boolean {
  const lower = path.toLowerCase();
  // Copies of such files count too.
  const name = lower
    .slice(lower.lastIndexOf('/') + 1)
    .replace(/(?:\.(?:bak|backup|old|orig|save|copy|tmp|swp)|~){1,5}$/, '');
  return (
    SECRET_NAMES.has(name) ||
    SECRET_PLACES.some(place => lower === place || lower.endsWith(`/${place}`)) ||
    /(?:^|\/)\.(?:ssh|gnupg|env(?:\.[\w-]+)?)\//.test(lower) ||
    (/\.env(?:$|[._-])/.test(name) && !/\.[cm]?[jt]sx?$/.test(name)) ||
    /kubeconfig|\.tfstate(?:$|\.)|\.tfvars(?:$|\.json$)|\.(?:vault|htpasswd)$/.test(name) ||
    /^id_(?:rsa|dsa|ecdsa|ed25519)(?:$|[._-](?!pub$))/.test(name) ||
    /\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|p8|asc|gpg|ovpn)$/.test(name) ||
    /^(?:service[-_]?account|credentials?|secrets?)[\w.-]*\.(?:json|ya?ml|toml|ini|txt)$/.test(name)
  );
}

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
