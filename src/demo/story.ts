/** Who plays the model, and which linter is run. */
export interface Cast {
  readonly isLive: boolean;
  /** As the server calls it. */
  readonly model: string;
  /** Undefined: the toy linter. */
  readonly eslint: string | undefined;
}

/** Stands above every step. */
export const labelOf = ({ isLive, model }: Cast): string =>
  isLive ? `live: ${model}` : 'scripted model';

export const prologue = (cast: Cast): string[] =>
  cast.isLive
    ? [
        'The whole story in a repository of its own, with the model on this machine.',
        'What it finds and mends is up to it, and is told as it is.',
      ]
    : [
        'The whole story in a repository of its own. THE MODEL IS SCRIPTED: a small',
        'server inside this command plays it, with answers written in advance. Git, the',
        'hooks, the checks, the linter and every line that apfel-bot prints are real.',
        'With the model of this machine instead:  apfel-bot demo --live',
      ];

export const linterName = ({ eslint }: Cast): string =>
  eslint === undefined
    ? 'a toy linter that comes with the demo'
    : `ESLint ${eslint} of this folder`;

/** What the hook's findings came from. */
export function afterStop(cast: Cast, hasFoundBug: boolean): string[] {
  if (!cast.isLive) {
    return [
      'Nothing was committed. The focused test was found by a check, which needs no',
      'model; the other by the scripted model, which stood by it when asked again.',
    ];
  }
  return [
    'Nothing was committed. A check found the focused test; that needs no model.',
    hasFoundBug
      ? 'The model found the planted mistake in line 4 of src/cart.js by itself.'
      : 'The model did not find the planted mistake in line 4 of src/cart.js this time.',
  ];
}

export interface Mended {
  readonly fixed: number;
  readonly before: number;
  readonly byModel: number;
}

export function afterFix(cast: Cast, { fixed, before, byModel }: Mended): string[] {
  const branch = 'A branch with a commit for each rule; what is checked out has not changed.';
  if (!cast.isLive) {
    return [branch, 'Each edit was kept because the linter has one complaint less and no new one.'];
  }
  const share = byModel === 0 ? 'none of them by the model' : `${byModel} by the model`;
  return [branch, `${fixed} of ${before} are mended, ${share}.`];
}

export interface Posted {
  readonly rejected: number;
  readonly hasFoundBug: boolean;
  readonly hasSuggestion: boolean;
}

export function afterPost(cast: Cast, { rejected, hasFoundBug, hasSuggestion }: Posted): string[] {
  if (!cast.isLive) {
    return [
      'The suggested change was tried with the linter first. The scripted model also',
      'claimed something about code that is not there: that is the one rejected.',
    ];
  }
  const bug = hasFoundBug ? 'found' : 'did not find';
  const dropped = rejected === 1 ? '1 claim was' : `${rejected} claims were`;
  return [
    `The model ${bug} the planted mistake in src/discount.js.`,
    ...(hasSuggestion ? ['The linter has nothing against the change that it proposed.'] : []),
    `${dropped} thrown away by code.`,
  ];
}

export interface Places {
  readonly folder: string;
  readonly seconds: string;
}

export const epilogue = ({ folder, seconds }: Places): string[] => [
  `That was all of it, in ${seconds} s. The audit page, for a browser:`,
  `  ${folder}/audit.html`,
  'Beside it: the comments (comment.md) and the repository (shop). Remove it all:',
  `  rm -rf ${quoted(folder)}`,
  'In a project of your own, begin with:  npx apfel-bot doctor',
];

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
