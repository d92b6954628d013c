import type { Repository } from '../../world.js';
import { askGit } from '../commit/git-commit-ask.js';
import { writingSpot } from '../commit/git-commit-spot.js';
import type { RemotePlace } from './git-remote.js';

/** Settings of the repository that are data: addresses, names and headers, never a program. */
const DATA = [
  /^remote\..*\.(?:url|pushurl|promisor|partialclonefilter)$/s,
  /^url\..*\.(?:insteadof|pushinsteadof)$/s,
  /^http\.(?:.*\.)?(?:extraheader|proxy)$/s,
  /^credential\.(?:.*\.)?(?:username|usehttppath)$/s,
  /^core\.sharedrepository$/,
  /^extensions\.partialclone$/,
];

/** Settings that somebody may have made for reaching a remote, and would miss. */
const MISSED =
  /^(?:core\.(?:sshcommand|gitproxy|askpass)|ssh\.variant|(?:credential|http)\..*|remote\..*\.(?:uploadpack|receivepack|vcs|proxy))$/s;

const known = new WeakMap<Repository, Promise<string>>();

/** The text of a configuration file with what of the repository's own settings counts for a remote. */
export function readRemoteSettings(place: RemotePlace): Promise<string> {
  const text = known.get(place.repository) ?? read(place);
  known.set(place.repository, text);
  return text;
}

async function read(place: RemotePlace): Promise<string> {
  // Only the repository's own: the user's other files count without our help.
  const asked = ['config', '--list', '--includes', '--show-scope', '-z'];
  const listing = await askGit(writingSpot(place), asked);
  const isSha256 = place.repository.emptyTree.length === 64;
  const lines = ['[core]', '\trepositoryformatversion = 1', '\tbare = true'];
  if (isSha256) lines.push('[extensions]', '\tobjectformat = sha256');
  const unused = new Set<string>();
  const fields = listing.toString('latin1').split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, setting = ''] = fields.slice(at, at + 2);
    if (scope !== 'local' && scope !== 'worktree') continue;
    const [, key = '', value] = /^([^\n]*)(?:\n(.*))?$/s.exec(setting) ?? [];
    if (DATA.some(pattern => pattern.test(key))) lines.push(...written(key, value));
    else if (MISSED.test(key)) unused.add(key);
  }
  if (unused.size > 0) place.say?.(notUsed([...unused]));
  return `${lines.join('\n')}\n`;
}

function written(key: string, value: string | undefined): string[] {
  const [section, ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const inner = rest.length === 0 ? '' : ` "${rest.join('.').replace(/["\\]/g, '\\$&')}"`;
  return [
    `[${section}${inner}]`,
    value === undefined ? `\t${name}` : `\t${name} = ${quoted(value)}`,
  ];
}

const quoted = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

const notUsed = (keys: readonly string[]): string => {
  const names = keys.slice(0, 3).join(', ') + (keys.length > 3 ? `, ${keys.length - 3} more` : '');
  return `apfel-bot: not used, because this repository sets it and not you: ${names} (set GIT_SSH_COMMAND, or git config --global)`;
};
