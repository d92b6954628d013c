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

export interface FixCounts {
  readonly fixed: number;
  readonly before: number;
  readonly byModel: number;
}

export function afterFix(cast: Cast, { fixed, before, byModel }: FixCounts): string[] {
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

/** How words are made to stand out; identities where there are no colours. */
export interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly error: (text: string) => string;
}

export interface Chapter {
  readonly number: number;
  readonly title: string;
}

/** Wider than a book's page it is hard to read. */
const WIDEST = 80;

/** The line above a step: where we are, and who plays the model. */
export function chapterLine(
  { number, title }: Chapter,
  look: { readonly label: string; readonly columns: number; readonly colors: Colors },
): string {
  const { bold, dim, warning } = look.colors;
  const left = `${number} of ${CHAPTERS.length} · ${title}`;
  const columns = Math.min(look.columns, WIDEST);
  const rule = '─'.repeat(Math.max(2, columns - left.length - look.label.length - 10));
  return `\n${dim('──')} ${bold(left)} ${dim(rule)} ${warning(look.label)} ${dim('──')}\n`;
}

export const CHAPTERS = [
  'A small project gets the hooks',
  'A commit that the hook stops',
  'The fix, the commit, and its note',
  'Old complaints of the linter, on a branch',
  'The pull request',
  'What was asked and answered',
] as const;

/** What is wrong with the sample code, and what the scripted model says of it. */
export interface PlantedBug {
  readonly path: string;
  /** Text of the line, which no other line of the sample has. */
  readonly quote: string;
  readonly message: string;
  /** What is reported as the quoted code, where that is not what stands there. */
  readonly misquote?: string;
}

export const OFF_BY_ONE: PlantedBug = {
  path: 'src/cart.js',
  quote: 'at <= items.length',
  message: 'Reads past the end: the last step asks for items[items.length], which is not there.',
};

export const INVERTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'customer.isMember ? price : price * 0.9',
  message: 'The condition is inverted: members pay in full, and everybody else pays less.',
};

/** As models do now and then: it quotes code that is not there. Nobody gets to see it. */
export const INVENTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'priceFor(customer, price)',
  misquote: 'customer.discounts[0]',
  message: 'The list of discounts may be empty, and then its first entry is undefined.',
};

export const PLANTED: readonly PlantedBug[] = [OFF_BY_ONE, INVENTED, INVERTED];

export interface PlantedEdit {
  /** Words of the complaint that it answers. */
  readonly about: string;
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export const EDITS: readonly PlantedEdit[] = [
  {
    about: 'no-template-curly-in-string',
    path: 'src/receipt.js',
    oldText: `return 'To pay: \${cart.total} ' + currency;`,
    newText: `return \`To pay: \${cart.total} \${currency}\`;`,
  },
  {
    about: INVERTED.message,
    path: INVERTED.path,
    oldText: INVERTED.quote,
    newText: 'customer.isMember ? price * 0.9 : price',
  },
];
