import type { BitePart, ShownPart } from './bite.js';
import type { Line } from './change.js';
import { showLine } from './line-mark.js';
import { reveal } from './neutralise.js';
import { redact } from './secrets/redact.js';

/** Longer lines are cut: no reviewer reads them, and one could fill the window. */
const MOST_CHARACTERS = 400;

/** A part as text: secrets masked, hidden characters made visible, added lines numbered and marked. */
export function showPart({ path, section, lines }: BitePart): ShownPart {
  const added = new Map<number, string>();
  const rows = lines.map(line => {
    if (line.kind === 'added') added.set(line.newLine, line.text);
    return showOne(line);
  });
  // A name may hold line ends and worse; it must not look like a line of the change.
  const name = reveal(path);
  const head = section === '' ? `file ${name}` : `file ${name}, in: ${clean(section)}`;
  return { path, text: redact([head, ...rows].join('\n')), added };
}

function showOne(line: Line): string {
  const text = clean(line.text);
  if (line.kind === 'removed') return `-| ${text}`;
  // The mark is that of the line as it stands, not as it is shown.
  if (line.kind === 'added')
    return `${showLine('+', line.newLine, line.text).split('| ', 1)[0]}| ${text}`;
  return ` ${line.newLine}| ${text}`;
}

const clean = (text: string): string => {
  const whole = reveal(text.replace(/\r$/, ''), '\t');
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
};
