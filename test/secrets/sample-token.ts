/**
 * A text that a shape of the table describes, drawn with the given numbers. Knows the part of the
 * syntax of regular expressions that the table uses; what looks around draws nothing.
 */
export function sampleToken(source: string, random: () => number): string {
  return drawAlternatives({ source, at: 0, random });
}

/** The same sequence in each run, so that a failure can be seen again. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 0x7fffff;
  };
}

interface Cursor {
  readonly source: string;
  at: number;
  readonly random: () => number;
}

function drawAlternatives(cursor: Cursor): string {
  const drawn = [''];
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ')') {
    if (cursor.source[cursor.at] === '|') {
      cursor.at += 1;
      drawn.push('');
    } else drawn.push(`${drawn.pop() ?? ''}${drawRepeated(cursor)}`);
  }
  return pick(drawn, cursor.random);
}

function drawRepeated(cursor: Cursor): string {
  const start = cursor.at;
  const first = drawAtom(cursor);
  const end = cursor.at;
  const repeat = /^(?:\{([0-9]+)(?:,([0-9]+))?\}|\?)/.exec(cursor.source.slice(end));
  if (repeat === null) return first;
  const least = Number(repeat[1] ?? 0);
  const max = repeat[0] === '?' ? 1 : Math.min(Number(repeat[2] ?? least), least + 6);
  const times = least + Math.floor(cursor.random() * (max - least + 0.999));
  let text = '';
  for (let time = 0; time < times; time += 1) {
    cursor.at = start;
    text += drawAtom(cursor);
  }
  cursor.at = end + repeat[0].length;
  return text;
}

function drawAtom(cursor: Cursor): string {
  const rest = cursor.source.slice(cursor.at);
  const group = /^\((\?(?:[:=!]|<[=!]))?/.exec(rest);
  if (group !== null) {
    cursor.at += group[0].length;
    const inside = drawAlternatives(cursor);
    cursor.at += 1;
    return group[1] === undefined || group[1] === '?:' ? inside : '';
  }
  const atom = /^(?:\[(?:\\.|[^\]\\])+\]|\\.|.)/s.exec(rest)?.[0] ?? '';
  cursor.at += atom.length;
  if (atom.startsWith('[')) return pick(members(atom.slice(1, -1)), cursor.random);
  return atom.startsWith('\\') ? pick(escapeMembers(atom), cursor.random) : atom;
}

const WORD = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'];

function escapeMembers(atom: string): string[] {
  if (atom === '\\w') return WORD;
  return atom === '\\t' ? ['\t'] : [atom.slice(1)];
}

function members(inside: string): string[] {
  const found: string[] = [];
  for (const [, from = '', to] of inside.matchAll(/(\\.|[^\\])(?:-([^\\\]]))?/gs)) {
    if (to === undefined) found.push(...(from.startsWith('\\') ? escapeMembers(from) : [from]));
    else
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1)
        found.push(String.fromCharCode(code));
  }
  return found;
}

const pick = (from: readonly string[], random: () => number): string =>
  from[Math.floor(random() * from.length) % from.length] ?? '';
