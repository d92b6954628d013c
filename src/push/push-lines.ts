import type { ForgePull } from '../core/forge.js';
import type { DeclinedBranch, PlacedBranch } from './place-branch.js';
import type { PullText } from './pull-mark.js';
import type { BundleCommit } from './room.js';
import type { PullEnd } from './settle-pull.js';

export interface Pushed {
  readonly placed: PlacedBranch;
  /** Undefined when only the branch was wanted. */
  readonly end: PullEnd | undefined;
  readonly compare: string;
  /** Opened with the token of a workflow. */
  readonly isSilent: boolean;
}

const DONE: Readonly<Record<PlacedBranch['done'], string>> = {
  created: 'pushed',
  updated: 'updated',
  unchanged: 'was there already',
};

const SAID: Readonly<Record<PullEnd['done'], string>> = {
  opened: 'opened',
  updated: 'updated',
  unchanged: 'is there and says it all',
  edited: 'is there; people have edited it, so its text was left',
};

/** What was done, for people. */
export const pushedLines = ({ placed, end, compare, isSilent }: Pushed): string[] => [
  ...passedLines(placed),
  `branch ${placed.name} ${DONE[placed.done]}`,
  ...(end === undefined
    ? [`open the pull request here: ${compare}`]
    : [`pull request #${end.pull.number} ${SAID[end.done]}: ${end.pull.url}`]),
  ...(isSilent
    ? [
        'it was opened with GITHUB_TOKEN, so no workflow starts by itself: close and reopen it, or ' +
          'give push the token of a GitHub App',
      ]
    : []),
];

const passedLines = ({ passedOver }: Pick<PlacedBranch, 'passedOver'>): string[] =>
  passedOver.map(({ name, reason }) => `the branch ${name} was left: ${reason}`);

/** Why nothing was done, and what would change that. */
export const declinedLines = (branch: DeclinedBranch): string[] => [
  ...passedLines(branch),
  `nothing pushed: ${closedWords(branch.name, branch.closed)}`,
  `to have it after all reopen #${branch.closed.number} and push again, or push with --branch-only ` +
    'and open another one by the link',
];

const closedWords = (name: string, { number, url }: ForgePull): string =>
  `pull request #${number} from ${name} was closed without a merge: ${url}`;

export interface Planned {
  readonly name: string;
  /** People have said no to it already. */
  readonly closed: ForgePull | undefined;
  readonly home: string;
  readonly commits: readonly BundleCommit[];
  readonly text: PullText;
}

/** What would be done. */
export const plannedLines = ({ name, closed, home, commits, text }: Planned): string[] => [
  closed === undefined
    ? `would push ${name}, to be merged into ${home}:`
    : `would push nothing, since ${closedWords(name, closed)}; else to ${home}:`,
  ...commits.map(
    ({ id, message, paths }) =>
      `  ${id.slice(0, 12)} ${message.split('\n', 1)[0]} (${paths.join(', ')})`,
  ),
  'with this pull request:',
  '',
  text.title,
  '',
  text.body.trimEnd(),
];
