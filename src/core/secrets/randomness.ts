/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Uint32Array(128);
  for (let index = 0; index < text.length; index += 1) {
    const slot = text.charCodeAt(index) & 127;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  }
  return bits;
}

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
