import { type Html, html } from './html.js';
import { numeral } from './words.js';

/** A text that the page shows once and points to from then on. */
interface Shown {
  readonly id: string;
  readonly where: string;
}

/** Less than this is quicker read again than looked up. */
const LEAST_SHARED = 160;
/** What fits on a screen needs no scrolling of its own. */
const LONG_TEXT = 1500;
/** All texts of a page together; a page of five megabytes still opens at once. */
const PAGE_CHARACTERS = 2_500_000;
const MOST_CHARACTERS = 40_000;
const LEAST_CHARACTERS = 600;

/**
 * Each request repeats all that was said before. The pool shows a text where it first stands, and
 * a link to that place afterwards; so a page stays readable, and as small as what was really said.
 */
export class TextPool {
  readonly #shown = new Map<string, Shown>();
  readonly #most: number;

  /** `pieces`: about how many texts there will be. */
  constructor(pieces: number) {
    const share = Math.floor(PAGE_CHARACTERS / Math.max(1, pieces));
    this.#most = Math.max(LEAST_CHARACTERS, Math.min(MOST_CHARACTERS, share));
  }

  /** Whether this very text has been shown before. */
  knows(text: string): boolean {
    return this.#shown.has(text);
  }

  /** `label` says what it is, `where` in which place it stands. */
  show(text: string, label: string, where: string): Html {
    const known = this.#shown.get(text);
    if (known !== undefined) {
      const link = html`<a href="#${known.id}">${known.where}</a>`;
      return html`<p class="again">as in ${link}: <q>${opening(text)}</q></p>`;
    }
    const id = `text-${this.#shown.size + 1}`;
    const isShared = text.length >= LEAST_SHARED;
    if (isShared) this.#shown.set(text, { id, where });
    return this.#block(text, label, isShared ? id : undefined);
  }

  /** The same without a place of its own. */
  plain(text: string, label: string): Html {
    return this.#block(text, label, undefined);
  }

  #block(text: string, label: string, id: string | undefined): Html {
    const cut = text.length - this.#most;
    const shown = cut > 0 ? text.slice(0, this.#most) : text;
    const rest =
      cut > 0
        ? html`<p class="muted">${numeral(cut)} more characters are in the transcript</p>`
        : undefined;
    const place = id === undefined ? undefined : html` id="${id}"`;
    // What scrolls must be reachable by keyboard, and then it needs a name.
    const scrolls = html` class="long" tabindex="0" role="region" aria-label="${label}"`;
    const isLong = shown.length > LONG_TEXT;
    return html`<pre${place}${isLong ? scrolls : undefined}>${shown}</pre>${rest}`;
  }
}

function opening(text: string): string {
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.length > 80 ? `${first.slice(0, 80)}…` : first;
}
