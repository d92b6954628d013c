/**
 * Some hooks are one script for all names and look at `$0` to see which they are. Under another
 * name they would do nothing, or the wrong thing.
 */
export const asksItsOwnName = (text: string): boolean => SIGNS.test(text);

const SIGNS =
  /basename[^\n]{0,40}(?:\$0|\$\{0|argv\[0\]|__file__|PROGRAM_NAME|BASH_SOURCE)|\$\{0##|\/husky\.sh/i;
