import type { MachineFacts } from './gather-machine.js';
import type { Check, DoctorReport } from './report.js';

/** Their messages name the user's repositories, files, hosts or tokens: the status has to do. */
const PRIVATE = /^(?:repository|config|hooks|github-token|egress-.*)$/;

/** `doctor --report`: Markdown that can be pasted into an issue. */
export function machinePage(
  { lines: found, names }: MachineFacts,
  { checks }: DoctorReport,
  version: string,
): string {
  const hide = hider(names);
  const line = ({ id, status, message, fix }: Check): string => {
    if (PRIVATE.test(id)) return `- ${id}: ${status}`;
    return `- ${id}: ${status}. ${hide(message)}${fix === undefined ? '' : ` (${hide(fix)})`}`;
  };
  const lines = [
    `### apfel-bot ${version}`,
    '',
    ...found.map(([name, value]) => `- ${name}: ${hide(value)}`),
    '',
    ...checks.map(line),
    '',
    'Please add: which git client you commit from, whether SwiftLint is used, and how long a commit takes.',
  ];
  return `${lines.join('\n')}\n`;
}

/** Takes out whatever may name the user, the machine, a folder or another machine. */
function hider(all: readonly string[]): (text: string) => string {
  const names = all.filter(name => name.length > 2 && !ORDINARY.has(name));
  return text =>
    names
      .reduce((left, name) => left.replaceAll(name, '[hidden]'), text)
      .replace(URL, address => (LOOPBACK.test(address) ? address : '[address]'))
      .replace(PATH, '$1[path]')
      .replace(TOKEN, '[token]');
}

/** Words of ours that would be taken out with a user of that name. */
const ORDINARY: ReadonlySet<string> = new Set(['root', 'runner', 'admin', 'user', 'apfel', 'git']);
const URL = /https?:\/\/[^\s,;)]+/g;
const LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/;
const PATH = /(^|[\s("'=])~?\/[^\s,;)"']+/g;
/** Long runs of letters and digits; words have no digits in them. */
const TOKEN = /\b(?=\w*\d)(?=\w*[A-Za-z])\w{20,}\b/g;
