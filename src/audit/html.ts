import { reveal } from '../core/neutralise.js';

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
export const escapeText = (text: string): string =>
  reveal(text.replaceAll('\r\n', '\n'), '\n\t').replace(/[&<>"']/g, char => ENTITIES[char] ?? char);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
