/**
 * A regular expression in RE2 syntax as one that Node 20 knows: the flags RE2 can switch on and off
 * inside an expression are spelt out, letter by letter. Covers what the rules of the corpus use.
 */
export function fromRe2(source: string): RegExp {
  const reader = { source, at: 0 };
  return new RegExp(readAlternatives(reader, { isAnyCase: false, isDotAll: false }), 'u');
}

interface Reader {
  readonly source: string;
  at: number;
}

interface Flags {
  isAnyCase: boolean;
  isDotAll: boolean;
}

function readAlternatives(reader: Reader, outer: Flags): string {
  const flags = { ...outer };
  let out = '';
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    out += readPiece(reader, flags);
  }
  return out;
}

function readPiece(reader: Reader, flags: Flags): string {
  const sign = reader.source[reader.at] ?? '';
  if (sign === '(') return readGroup(reader, flags);
  if (sign === '[') return readClass(reader, flags);
  if (sign === '\\') return readEscape(reader);
  reader.at += 1;
  if (sign === '.') return flags.isDotAll ? '[^]' : '.';
  if (sign === '{' && !/^\{[0-9]+(?:,[0-9]*)?\}/.test(reader.source.slice(reader.at - 1))) {
    return '\\{';
  }
  if (sign === '}' && !/\{[0-9]+(?:,[0-9]*)?$/.test(reader.source.slice(0, reader.at - 1))) {
    return '\\}';
  }
  return flags.isAnyCase && /[a-z]/i.test(sign) ? bothCases(sign) : sign;
}

function readGroup(reader: Reader, flags: Flags): string {
  const head = /^\((?:\?(?:P<(\w+)>|(-?[ims]+)(:|\))|:))?/.exec(reader.source.slice(reader.at));
  reader.at += head?.[0].length ?? 1;
  if (head?.[2] !== undefined && head[3] === ')') {
    Object.assign(flags, changed(flags, head[2]));
    return '';
  }
  const inner = head?.[2] === undefined ? flags : changed(flags, head[2]);
  const isCapturing = head?.[0] === '(' || head?.[1] !== undefined;
  const body = readAlternatives(reader, inner);
  reader.at += 1;
  return `${isCapturing ? '(' : '(?:'}${body})`;
}

function changed(flags: Flags, letters: string): Flags {
  const isOn = !letters.startsWith('-');
  return {
    isAnyCase: letters.includes('i') ? isOn : flags.isAnyCase,
    isDotAll: letters.includes('s') ? isOn : flags.isDotAll,
  };
}

function readEscape(reader: Reader): string {
  const whole = /^\\(?:x[0-9a-fA-F]{2}|.)/s.exec(reader.source.slice(reader.at))?.[0] ?? '';
  reader.at += whole.length;
  if (whole === '\\z') return '$';
  if (/^\\(?:x..|[wdsWDSbBnrt])$/.test(whole)) return whole;
  return escaped(whole.slice(1));
}

function readClass(reader: Reader, flags: Flags): string {
  const whole =
    /^\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/s.exec(reader.source.slice(reader.at))?.[0] ?? '[]';
  reader.at += whole.length;
  const isNegated = whole.startsWith('[^');
  const members: string[] = [];
  const inside = whole.slice(isNegated ? 2 : 1, -1).replaceAll('[:alnum:]', 'A-Za-z0-9');
  const pattern = /(\\(?:x[0-9a-fA-F]{2}|.)|[^\\])(?:-(\\.|[^\\\]]))?/gsu;
  for (const [, from = '', to] of inside.matchAll(pattern)) {
    members.push(classMember(from, to));
    const isLetterRange = /^[a-z]$/i.test(from) && (to === undefined || /^[a-z]$/i.test(to));
    if (flags.isAnyCase && isLetterRange) {
      members.push(classMember(otherCase(from), to === undefined ? undefined : otherCase(to)));
    }
  }
  return `[${isNegated ? '^' : ''}${members.join('')}]`;
}

const classMember = (from: string, to: string | undefined): string =>
  classUnit(from) + (to === undefined ? '' : `-${classUnit(to)}`);

function classUnit(unit: string): string {
  if (/^\\(?:x..|[wdsWDSnrt])$/.test(unit)) return unit;
  return escaped(unit.length === 2 ? unit.slice(1) : unit);
}

const escaped = (sign: string): string =>
  /[\^$\\.*+?()[\]{}|/-]/.test(sign) ? (sign === '-' ? '\\x2d' : `\\${sign}`) : sign;

const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

const bothCases = (letter: string): string => `[${letter}${otherCase(letter)}]`;
