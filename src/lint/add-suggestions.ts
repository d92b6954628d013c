import type { Diagnostic } from '../core/diagnostic.js';

/**
 * Some linters tell more in another format: what `richer` offers for the same rule at the same place
 * is added to what we have. Both must be anchored, or both not.
 */
export function addSuggestions(
  diagnostics: readonly Diagnostic[],
  richer: readonly Diagnostic[],
): Diagnostic[] {
  const known = new Map(richer.map(each => [placeKey(each), each]));
  return diagnostics.map(diagnostic => {
    const offered = known.get(placeKey(diagnostic));
    if (offered === undefined || diagnostic.fix !== undefined) return diagnostic;
    const suggestions = diagnostic.suggestions ?? offered.suggestions;
    const docs = diagnostic.docs ?? offered.docs;
    return {
      ...diagnostic,
      ...(suggestions === undefined ? {} : { suggestions }),
      ...(docs === undefined ? {} : { docs }),
    };
  });
}

const placeKey = ({ path, rule, line, column }: Diagnostic): string =>
  [path, rule, line, column].join('\0');
