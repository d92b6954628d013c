export interface RemoteRepository {
  readonly host: string;
  /** `owner/name` */
  readonly name: string;
}

/** What a remote's address says of a repository at a forge; undefined for a path or the like. */
export function remoteRepository(address: string): RemoteRepository | undefined {
  const text = address.trim();
  if (text.length > MOST_LENGTH) return undefined;
  const [, host, path] = WITH_SCHEME.exec(text) ?? LIKE_SCP.exec(text) ?? [];
  const [, name] = /^\/*([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path ?? '') ?? [];
  if (host === undefined || name === undefined || name.split('/').some(isDots)) return undefined;
  return { host: host.toLowerCase(), name };
}

/** Longer ones are nobody's; the patterns below need no more than a look at each character. */
const MOST_LENGTH = 500;
const WITH_SCHEME = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d{1,5})?\/(.*)$/;
const LIKE_SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.*)$/;

const isDots = (part: string): boolean => /^\.+$/.test(part);
