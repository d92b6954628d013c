import { forTerminal } from '../core/neutralise.js';

export interface StreamedWords {
  /** A new reply begins. */
  restart(): void;
  add(delta: string): void;
}

/** As much as fits beside a row's title on a narrow screen. */
const SHOWN = 60;

/** Shows the end of a reply while it grows. An action on its way is nothing for people. */
export function streamedWords(show: (text: string) => void): StreamedWords {
  let said = '';
  return {
    restart: () => {
      said = '';
    },
    add: delta => {
      said += delta;
      if (/^\s*(?:[{[`]|$)/.test(said)) return;
      const line = said.replace(/\s+/g, ' ').trim();
      show(forTerminal(line.length > SHOWN ? `…${line.slice(-SHOWN)}` : line));
    },
  };
}
