/** Compares versions figure by figure; what is missing counts as 0, what follows is not looked at. */
export function isAtLeast(version: string, oldest: string): boolean {
  const found = figuresOf(version);
  for (const [at, wanted] of figuresOf(oldest).entries()) {
    const figure = found[at] ?? 0;
    if (figure !== wanted) return figure > wanted;
  }
  return true;
}

const figuresOf = (version: string): number[] =>
  (/\d{1,9}(?:\.\d{1,9}){0,3}/.exec(version)?.[0] ?? '').split('.').map(Number);
