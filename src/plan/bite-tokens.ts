/** The smallest window any supported system has (macOS 26); used until a server says otherwise. */
export const SMALLEST_WINDOW = 4096;
/** What apfel keeps free for the answer. */
const OUTPUT_RESERVE = 512;
/** The question itself, its rules and the format of the answer. */
const QUESTION = 700;

/** How many tokens of diff fit into one question. */
export const biteTokens = (contextWindow = SMALLEST_WINDOW): number =>
  contextWindow - OUTPUT_RESERVE - QUESTION;
