/** How words are made to stand out; identities where there are no colours. */
export interface Brushes {
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
  look: { readonly label: string; readonly columns: number; readonly brushes: Brushes },
): string {
  const { bold, dim, warning } = look.brushes;
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
