/** Languages whose files must parse. `jsonc` allows comments and trailing commas. */
export type SyntaxKind = 'json' | 'jsonc' | 'yaml' | 'toml';

/** Where and why a text does not parse. The message quotes nothing of the text. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
