/** What HFS+ ignores in a name, as git lists it. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Two names are the same on a disk that ignores case and Unicode form, as macOS does, if this is
 * the same. Upper case comes in between because it unites what lower case keeps apart: ß and ss,
 * the ligature ﬁ and fi, both small sigmas.
 */
export const foldName = (name: string): string =>
  ASCII.test(name)
    ? name.toLowerCase()
    : name.normalize('NFD').replace(IGNORED, '').toLowerCase().toUpperCase().toLowerCase();

const ASCII = /^[\x00-\x7f]*$/;
