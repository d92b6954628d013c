/** A test for repository paths. picomatch is loaded only if there are globs. */
export async function globMatcher(globs: readonly string[]): Promise<(path: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import('picomatch');
  return picomatch([...globs], { dot: true });
}
