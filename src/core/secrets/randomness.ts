/** Used again by each call: hostile lines bring tens of thousands of values. */
const counts = new Uint32Array(128);

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  counts.fill(0);
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const slot = text.charCodeAt(index) & 127;
    const count = counts[slot] ?? 0;
    counts[slot] = count + 1;
    // What this character adds to the sum of count * log2(count).
    sum += weighted(count + 1) - weighted(count);
  }
  return text.length === 0 ? 0 : Math.log2(text.length) - sum / text.length;
}

const WEIGHTED = Float64Array.from({ length: 512 }, (_, count) =>
  count < 2 ? 0 : count * Math.log2(count),
);

const weighted = (count: number): number => WEIGHTED[count] ?? count * Math.log2(count);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SEPARATORS = /[^A-Za-z0-9]+/;

/**
 * Tells a value drawn at random from one a person wrote. Names, versions and paths are made of
 * words and numbers, so they change rarely between letters and digits; random text does so all
 * the time, in at least one stretch without separators.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 14 || entropy(value) < leastEntropy(value)) return false;
  if (UUID.test(value)) return true;
  if (/^[0-9]+$/.test(value)) return value.length >= 24;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const stretches = value.split(SEPARATORS);
  const switches = stretches.map(countSwitches);
  const total = switches.reduce((sum, count) => sum + count, 0);
  const isMixed = stretches.some(
    (stretch, index) => stretch.length >= 8 && (switches[index] ?? 0) >= 2,
  );
  // Random letters and digits switch at 0.4 of all places; chance takes few below a third of that.
  return isMixed && total / value.length >= 0.13;
}

/** Sixteen random letters and digits reach 3.6 on average; hexadecimal never gets past 4. */
const leastEntropy = (value: string): number =>
  value.length < 20 && /[g-z]/i.test(value) ? 3.5 : 3;

/** Changes between lower case, upper case and digits; a capital before a small letter is no change. */
function countSwitches(stretch: string): number {
  let switches = 0;
  for (let index = 1; index < stretch.length; index += 1) {
    const before = characterClass(stretch.charCodeAt(index - 1));
    const now = characterClass(stretch.charCodeAt(index));
    if (before !== now && !(before === 'upper' && now === 'lower')) switches += 1;
  }
  return switches;
}

function characterClass(code: number): 'digit' | 'upper' | 'lower' {
  if (code < 58) return 'digit';
  return code < 91 ? 'upper' : 'lower';
}
