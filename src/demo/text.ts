import { shellWord } from '../platform/shell-word.js';
import type { Paint } from '../report/style.js';

/** Which model answers, and which linter runs. */
export interface DemoSetup {
  readonly isLive: boolean;
  /** Its name on the server. */
  readonly model: string;
  /** Undefined for the toy linter. */
  readonly eslint: string | undefined;
}

/** Shown above every step. */
export const labelOf = ({ isLive, model }: DemoSetup): string =>
  isLive ? `live: ${model}` : 'scripted model';

export const introduction = (setup: DemoSetup): string[] =>
  setup.isLive
    ? [
        'Everything runs in a sample repository, with the model on this machine.',
        'You see what it really finds and fixes.',
      ]
    : [
        'Everything runs in a sample repository. THE MODEL IS SCRIPTED: a small server',
        'inside this command sends answers written in advance. Git, the hooks, the',
        'checks, the linter and every line that apfel-bot prints are real.',
        'To use the model on this machine instead:  apfel-bot demo --live',
      ];

export const linterName = ({ eslint }: DemoSetup): string =>
  eslint === undefined
    ? 'a toy linter that comes with the demo'
    : `ESLint ${eslint} from this folder`;

export function afterBlockedCommit(setup: DemoSetup, hasFoundBug: boolean): string[] {
  if (!setup.isLive) {
    return [
      'Nothing was committed. A check found the focused test; that needs no model. The',
      'scripted model found the other mistake, and confirmed it when asked again.',
    ];
  }
  return [
    'Nothing was committed. A check found the focused test; that needs no model.',
    hasFoundBug
      ? 'The model found the planted mistake in line 4 of src/cart.js.'
      : 'The model did not find the planted mistake in line 4 of src/cart.js this time.',
  ];
}

export function afterFix(
  setup: DemoSetup,
  { fixed, before, byModel }: { fixed: number; before: number; byModel: number },
): string[] {
  const branch = 'A branch with one commit per rule; the checked-out files have not changed.';
  if (!setup.isLive) {
    return [
      branch,
      'Each edit was kept because it fixed a problem and the linter found no new one,',
      'and the branch because the tests of the project (node --test) pass on it.',
    ];
  }
  const share = byModel === 0 ? 'none of them by the model' : `${byModel} by the model`;
  return [branch, `${fixed} of ${before} problems are fixed, ${share}.`];
}

export function afterPost(
  setup: DemoSetup,
  {
    rejected,
    hasFoundBug,
    hasSuggestion,
  }: { rejected: number; hasFoundBug: boolean; hasSuggestion: boolean },
): string[] {
  if (!setup.isLive) {
    return [
      'The suggested change was checked with the linter first. The scripted model also',
      'reported a bug in code that does not exist: that is the rejected one.',
    ];
  }
  const bug = hasFoundBug ? 'found' : 'did not find';
  const dropped = rejected === 1 ? '1 report' : `${rejected} reports`;
  return [
    `The model ${bug} the planted mistake in src/discount.js.`,
    ...(hasSuggestion ? ['The linter accepts the change that it proposed.'] : []),
    `apfel-bot rejected ${dropped} without asking anyone.`,
  ];
}

export const closing = (folder: string, seconds: string): string[] => [
  `Done in ${seconds} s. Open the audit page in a browser:`,
  `  ${folder}/audit.html`,
  'Next to it: the comments (comment.md) and the repository (shop). To remove all:',
  `  rm -rf ${shellWord(folder)}`,
  'In a project of your own, start with:  npx apfel-bot doctor',
];

/** Longer lines are hard to read. */
const MAX_COLUMNS = 80;

/** The line above a step: its number and title, and which model answers. */
export function stepHeading(
  title: string,
  { label, columns, colors }: { label: string; columns: number; colors: Paint },
): string {
  const { bold, dim, warning } = colors;
  const width = Math.min(columns, MAX_COLUMNS);
  const rule = '─'.repeat(Math.max(2, width - title.length - label.length - 10));
  return `\n${dim('──')} ${bold(title)} ${dim(rule)} ${warning(label)} ${dim('──')}\n`;
}
