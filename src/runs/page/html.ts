import { reveal } from '../../platform/safe-text.js';
import { numeral } from './words.js';

/** Markup of ours. There is no way to make it but `html`, and that escapes whatever is put in. */
export class Html {
  readonly #markup: string;

  constructor(markup: Markup) {
    this.#markup = markup.text;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Not exported: only this file can make markup from text. */
class Markup {
  constructor(readonly text: string) {}
}

export type Part = Html | string | number | undefined | readonly Part[];

/** Text between the parts is markup; the parts are text, unless they are markup themselves. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = literals[0] ?? '';
  parts.forEach((part, at) => {
    text += render(part) + (literals[at + 1] ?? '');
  });
  return new Html(new Markup(text));
}

export const NOTHING = html``;

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map(render).join('');
}

/** A style or script of ours as it is: it must not hold what would end it. */
export function inline(element: 'style' | 'script', text: string): Html {
  if (/<\/|<!--/.test(text)) throw new Error(`our own ${element} would end too early`);
  return new Html(new Markup(`<${element}>${text}</${element}>`));
}

/** What cannot be seen is shown as an escape; what means something to a browser means nothing. */
const escapeText = (text: string): string =>
  reveal(text.replaceAll('\r\n', '\n'), '\n\t').replace(/[&<>"']/g, char => ENTITIES[char] ?? char);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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
