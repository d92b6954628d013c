import type { Globs } from '../world.js';

/** Globs by picomatch, loaded only where somebody has written one. */
export const picomatchGlobs: Globs = {
  async matcher(globs) {
    if (globs.length === 0) return () => false;
    const { default: picomatch } = await import('picomatch');
    return picomatch([...globs], { dot: true });
  },
};
