import type { Severity } from './finding.js';

/** `.apfel-bot/rules/*.md`: one closed question of the user's own. */
export interface RuleFile {
  /** The file's name without its ending; the finding's rule is `rule/<name>`. */
  readonly name: string;
  /** Globs; empty for every file. */
  readonly paths: readonly string[];
  readonly severity: Severity;
  /** Must match an added line, else the question is not asked. */
  readonly when: RegExp | undefined;
  readonly body: string;
  /** Of the whole file, so that a changed rule is asked again. */
  readonly digest: string;
}
