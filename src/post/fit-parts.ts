export interface Fitting {
  readonly text: string;
  /** How many parts did not fit. */
  readonly left: number;
}

/** As many of the parts as fit, in order, and how many do not. */
export function fitParts(parts: readonly string[], room: number): Fitting {
  let used = 0;
  let taken = 0;
  for (const part of parts) {
    if (used + part.length > room) break;
    used += part.length;
    taken += 1;
  }
  return { text: parts.slice(0, taken).join(''), left: parts.length - taken };
}
