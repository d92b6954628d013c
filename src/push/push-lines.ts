import type { PlacedBranch } from './place-branch.js';
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
  ...placed.passedOver.map(({ name, reason }) => `the branch ${name} was left: ${reason}`),
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

export interface Planned {
  readonly name: string;
  readonly home: string;
  readonly commits: readonly BundleCommit[];
  readonly text: PullText;
}

/** What would be done. */
export const plannedLines = ({ name, home, commits, text }: Planned): string[] => [
  `would push ${name}, to be merged into ${home}:`,
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
