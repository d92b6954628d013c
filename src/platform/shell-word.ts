/** A word of a command line that people paste into a shell, quoted where it has to be. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
