/**
 * A copy with memory of its own. A slice keeps the whole text alive that it was cut from, so a few
 * kept words per file would keep the entire diff in memory.
 */
export const ownText = (text: string): string =>
  text === '' ? text : DECODER.decode(ENCODER.encode(text));

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
