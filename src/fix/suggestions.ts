import type { Diagnostic } from '../core/diagnostic.js';
import { withKeys } from './bench.js';
import { type Fixing, tryEdit } from './try-edit.js';

export interface Suggesting extends Fixing {
  readonly wanted: () => readonly Diagnostic[];
  readonly hasTime: () => boolean;
  readonly tell: (text: string) => void;
}

/** Takes what a linter offers where it offers one thing only; each is checked like any other edit. */
export async function takeSuggestions(suggesting: Suggesting): Promise<void> {
  const { bench, craft, wanted, hasTime, tell } = suggesting;
  const tried = new Set<string>();
  while (hasTime()) {
    const open = withKeys(wanted()).filter(({ key }) => !tried.has(key));
    const keys = new Map(open.map(({ diagnostic, key }) => [diagnostic, key]));
    const [next] = craft.order([...keys.keys()], () => false).suggested;
    if (next === undefined) return;
    const { diagnostic, fix } = next;
    tried.add(keys.get(diagnostic) ?? '');
    tell(`${tried.size} tried, ${bench.fixed} fixed`);
    const text = bench.file(diagnostic.path)?.text;
    const after = text === undefined ? undefined : craft.applyFix(text, fix);
    if (after === undefined || after === text) continue;
    const { path } = diagnostic;
    const by = fix === diagnostic.fix ? 'linter' : 'suggestion';
    const verdict = await tryEdit({ path, after, by, diagnostics: [diagnostic] }, suggesting);
    if (!verdict.ok) bench.reject([diagnostic], by, verdict.reason);
  }
}
