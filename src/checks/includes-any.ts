/** The first look at a line. It runs on every line of every change, so it is the plainest of loops. */
export function includesAny(text: string, words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    if (text.includes(words[at] ?? '')) return true;
  }
  return false;
}
