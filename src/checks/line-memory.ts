/** What stood above in the same hunk: enough to tell whether a statement stands under a condition. */
export interface LineMemory {
  /** At the start of a hunk: what came before is not adjacent. */
  forget(): void;
  remember(text: string): void;
  previous(): string;
  /** True when a line that encloses a text of this indent, up to the next function, is a condition. */
  isUnderCondition(text: string): boolean;
}

export function lineMemory(): LineMemory {
  // A ring: it is written for every line and read for very few.
  const ring: string[] = [];
  let count = 0;
  const recent = (): string[] => {
    const kept = Math.min(count, KEPT_LINES);
    return Array.from({ length: kept }, (_, at) => ring[(count - kept + at) % KEPT_LINES] ?? '');
  };
  return {
    forget() {
      count = 0;
    },
    remember(text) {
      ring[count % KEPT_LINES] = text;
      count += 1;
    },
    previous: () => (count === 0 ? '' : (ring[(count - 1) % KEPT_LINES] ?? '')),
    isUnderCondition: text => isUnderCondition(text, recent()),
  };
}

/** A block longer than this is no guard clause. */
const KEPT_LINES = 40;

const CONDITION =
  /^[\s})\]]*(?:else\b|elsif\b|elif\b|if\b|unless\b|guard\b|when\b|case\b|catch\b|except\b|rescue\b|switch\b|default:)/;
const CLOSING = /^\s*[)\]]/;
const FUNCTION = /=>|\b(?:function|def|func|fn|do|class)\b/;

function isUnderCondition(text: string, lines: readonly string[]): boolean {
  let indent = indentOf(text);
  for (let at = lines.length - 1; at >= 0 && indent > 0; at -= 1) {
    const above = lines[at] ?? '';
    const aboveIndent = indentOf(above);
    if (aboveIndent >= indent || aboveIndent === above.length) continue;
    if (CONDITION.test(above)) return true;
    if (CLOSING.test(above)) {
      // The end of a head over several lines; its beginning stands as far left.
      indent = aboveIndent + 1;
      continue;
    }
    if (FUNCTION.test(above)) return false;
    indent = aboveIndent;
  }
  return false;
}

function indentOf(text: string): number {
  let indent = 0;
  while (text.charCodeAt(indent) === 32 || text.charCodeAt(indent) === 9) indent += 1;
  return indent;
}
