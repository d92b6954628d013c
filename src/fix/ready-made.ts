import type { Diagnostic } from '../core/diagnostic.js';

/** A report that somebody else's linter wrote: what it complains of is mended, and nothing else. */
export interface ReadyMade {
  /** As the command line names it. */
  readonly file: string;
  readonly byPath: ReadonlyMap<string, readonly Diagnostic[]>;
  /** False when something of it could not be read or is about no file of the commit. */
  readonly isWhole: boolean;
}

/** Whether the report speaks of a linter's complaint. */
export const isListed = (said: Diagnostic, ready: ReadyMade, line: number | undefined): boolean =>
  (ready.byPath.get(said.path) ?? []).some(listed => isSameComplaint(listed, said, line));

/** Of one file. `line` is the commit's; where either names none, any will do. */
export const isSameComplaint = (
  listed: Diagnostic,
  said: Diagnostic,
  line: number | undefined,
): boolean =>
  (line === undefined || listed.line === undefined || listed.line === line) &&
  isSameRule(listed, said);

type Complaint = Pick<Diagnostic, 'tool' | 'rule' | 'message'>;

/**
 * A report does not always bear the name of the linter that wrote it, nor the rule's as the linter
 * spells it: `eslint.rules.semi`, `Error/semi`. Then the end of the name or the message tells.
 */
function isSameRule(listed: Complaint, said: Complaint): boolean {
  if (listed.rule === said.rule && (said.rule !== null || listed.tool === said.tool)) return true;
  if (listed.tool === said.tool) return false;
  if (listed.rule !== null && said.rule !== null) {
    return ['/', '.'].some(mark => listed.rule?.endsWith(`${mark}${said.rule}`));
  }
  return said.message !== '' && listed.message.startsWith(said.message);
}

export function byPath(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const paths = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const list = paths.get(diagnostic.path);
    if (list === undefined) paths.set(diagnostic.path, [diagnostic]);
    else list.push(diagnostic);
  }
  return paths;
}
