/** What a model's finding is about, read from its own words; the first that fits. */
const CATEGORIES: ReadonlyArray<readonly [name: string, words: RegExp]> = [
  [
    'security',
    /inject|xss|csrf|sanitiz|escap|travers|credential|secret|vulnerab|untrusted|permission/i,
  ],
  ['off-by-one', /off[- ]by[- ]one|past the end|out of (range|bounds)|<=|boundary|fencepost/i],
  ['null', /\bnull\b|undefined|\bnil\b|none\b|missing value|not defined|dereferenc/i],
  ['async', /await|promise|async|race|concurren|deadlock|thread/i],
  ['error-handling', /error|exception|catch|throw|swallow|reject|unhandled/i],
  ['resource', /leak|close[sd]?\b|release|dispose|timeout|listener/i],
  ['condition', /condition|invert|negat|always (true|false)|wrong (operator|comparison)|compar/i],
];

/** `model/<category>`; plain `model/bug` when the words say nothing more. */
export const categoryOf = (message: string): string =>
  `model/${CATEGORIES.find(([, words]) => words.test(message))?.[0] ?? 'bug'}`;
