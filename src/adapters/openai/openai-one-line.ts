const MOST_CHARACTERS = 300;

/** What a server says goes to terminals and reports: one short line without control characters. */
export function oneLine(text: string): string {
  const plain = text
    .slice(0, 4 * MOST_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)}...` : plain;
}
