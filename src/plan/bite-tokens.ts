/** The smallest window any supported system has (macOS 26); used until a server says otherwise. */
export const SMALLEST_WINDOW = 4096;
/** What apfel keeps free for the answer. */
const OUTPUT_RESERVE = 512;
/**
 * The open question with its format, as estimated: 842 tokens in the guided protocol, 1029 in the
 * native one; and one report of a finding, after which the change must still be there.
 */
const QUESTION = 1250;
/** A window this small holds no question at all; what is cut for it is cut no smaller. */
const LEAST = 150;

/** How many tokens of diff fit into one question; `scale` is how far the server counts above us. */
export const biteTokens = (contextWindow = SMALLEST_WINDOW, scale = 1): number =>
  Math.max(LEAST, Math.floor((contextWindow - OUTPUT_RESERVE) / Math.max(1, scale)) - QUESTION);
