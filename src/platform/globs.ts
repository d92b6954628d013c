export interface Globs {
  /** A test for repository paths. No package is loaded for an empty list. */
  matcher(globs: readonly string[]): Promise<(path: string) => boolean>;
}

/** Loads picomatch only if there are globs. */
export const picomatchGlobs: Globs = {
  async matcher(globs) {
    if (globs.length === 0) return () => false;
    const { default: picomatch } = await import('picomatch');
    return picomatch([...globs], { dot: true });
  },
};
