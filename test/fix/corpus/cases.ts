import { Linter } from 'eslint';
import { corpus, readJsonLines } from '../../support/corpus.js';

/** A piece of code with complaints of one rule, as ESLint's own tests have it. */
export interface LintCase {
  readonly id: string;
  readonly path: string;
  readonly rule: string;
  readonly kind: 'suggestion' | 'manual';
  readonly config: Linter.Config;
  /** With a few harmless lines behind it, so that there is something to delete. */
  readonly text: string;
  readonly padding: string;
  /** What upstream calls acceptable; padded like the text. */
  readonly outputs: readonly string[];
}

interface Row {
  readonly id: string;
  readonly rule: string;
  readonly kind: 'suggestion' | 'manual' | 'autofix';
  readonly code: string;
  readonly options?: readonly unknown[];
  readonly languageOptions?: Linter.Config['languageOptions'];
  readonly suggestionOutputs: readonly string[];
  readonly messages: readonly unknown[];
}

export const INVALID = corpus('eslint-invalid');

const PADDING = ['', '"one";', '"two";', '"three";', '"four";', '"five";', '"six";', ''].join('\n');

/** The cases that this ESLint complains of as upstream's did; the others are counted. */
export function readCases(kind: LintCase['kind']): { cases: LintCase[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const cases = readJsonLines<Row>(INVALID.path('cases.jsonl'))
    .filter(row => row.kind === kind)
    .flatMap(row => {
      const found = toCase(row, kind);
      if (found === undefined) leftOut.push(row.id);
      return found ?? [];
    });
  return { cases, leftOut };
}

function toCase(row: Row, kind: LintCase['kind']): LintCase | undefined {
  const { id, rule, code, options = [], languageOptions = {} } = row;
  const path = `cases/${id.replace('#', '-')}.js`;
  // What the corpus holds was accepted by ESLint itself.
  const config = {
    files: [path],
    languageOptions,
    rules: { [rule]: ['error', ...options] },
  } as Linter.Config;
  const [padded, bare] = [PADDING, '\n'].map(end =>
    complaintsOf(`${code}${end}`, { path, config }),
  );
  const wanted = row.messages.length;
  if (!isAsUpstream(bare, wanted)) return undefined;
  // Where more lines would change what is said, the code stands alone.
  const padding = placesOf(padded) === placesOf(bare) ? PADDING : '\n';
  const outputs = (row.suggestionOutputs.length === 0 ? [''] : row.suggestionOutputs).map(
    output => `${output}${padding}`,
  );
  return { id, path, rule, kind, config, text: `${code}${padding}`, padding, outputs };
}

const isAsUpstream = (found: readonly Linter.LintMessage[] | undefined, wanted: number): boolean =>
  found?.length === wanted && !found.some(({ fatal }) => fatal);

const placesOf = (found: readonly Linter.LintMessage[] | undefined): string =>
  JSON.stringify(found?.map(({ message, line, endLine }) => [message, line, endLine]));

const linter = new Linter();

/** What ESLint says of a text, in this process; one that it cannot be asked about has no answer. */
export function complaintsOf(
  text: string,
  { path, config }: { readonly path: string; readonly config: Linter.Config },
): Linter.LintMessage[] | undefined {
  try {
    return linter.verify(text, [config], path);
  } catch {
    // An option that this version does not know.
    return undefined;
  }
}
