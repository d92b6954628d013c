/** Quotes are compared without white space, which models and formatters change freely. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
