import { reveal } from '../../platform/safe-text.js';
import { numeral } from './words.js';

/** Safe markup. Only `html` can create it, and that escapes everything inserted. */
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

/** The literal text is markup; inserted parts are escaped unless they are markup themselves. */
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

/** One of our own styles or scripts, unescaped: it must not contain its own end tag. */
export function inline(element: 'style' | 'script', text: string): Html {
  if (/<\/|<!--/.test(text)) throw new Error(`our own ${element} contains its end tag`);
  return new Html(new Markup(`<${element}>${text}</${element}>`));
}

/** Invisible characters are shown as escapes; characters that HTML treats specially are escaped. */
const escapeText = (text: string): string =>
  reveal(text.replaceAll('\r\n', '\n'), '\n\t').replace(/[&<>"']/g, char => ENTITIES[char] ?? char);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that the page shows once and links to after that. */
interface Shown {
  readonly id: string;
  readonly where: string;
}

/** Shorter texts are quicker to read again than to look up. */
const MIN_SHARED = 160;
/** A text that fits on a screen doesn't scroll. */
const LONG_TEXT = 1500;
/** For all texts of a page together; a page of five megabytes still opens quickly. */
const PAGE_CHARACTERS = 2_500_000;
const MAX_CHARACTERS = 40_000;
const MIN_CHARACTERS = 600;

/**
 * Each request repeats everything before it. The pool shows a text where it first appears, and a
 * link to it afterwards, so that a page stays readable and no larger than the conversation itself.
 */
export class TextPool {
  readonly #shown = new Map<string, Shown>();
  readonly #most: number;

  /** `pieces`: the approximate number of texts. */
  constructor(pieces: number) {
    const share = Math.floor(PAGE_CHARACTERS / Math.max(1, pieces));
    this.#most = Math.max(MIN_CHARACTERS, Math.min(MAX_CHARACTERS, share));
  }

  /** Whether this exact text has been shown before. */
  knows(text: string): boolean {
    return this.#shown.has(text);
  }

  /** `label` describes the text, `where` says in which turn it is. */
  show(text: string, label: string, where: string): Html {
    const known = this.#shown.get(text);
    if (known !== undefined) {
      const link = html`<a href="#${known.id}">${known.where}</a>`;
      return html`<p class="again">as in ${link}: <q>${opening(text)}</q></p>`;
    }
    const id = `text-${this.#shown.size + 1}`;
    const isShared = text.length >= MIN_SHARED;
    if (isShared) this.#shown.set(text, { id, where });
    return this.#block(text, label, isShared ? id : undefined);
  }

  /** The same without a link target. */
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
    // A scrolling element must be reachable by keyboard, and then it needs a name.
    const scrolls = html` class="long" tabindex="0" role="region" aria-label="${label}"`;
    const isLong = shown.length > LONG_TEXT;
    return html`<pre${place}${isLong ? scrolls : undefined}>${shown}</pre>${rest}`;
  }
}

function opening(text: string): string {
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.length > 80 ? `${first.slice(0, 80)}…` : first;
}
