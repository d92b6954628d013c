import type { Hit, LineCheck, NewSideLine } from './check.js';
import { NO_HITS } from './check.js';
import { codePointName } from './code-point-name.js';
import type { Invisible } from './invisible-characters.js';
import { invisibleCharacters } from './invisible-characters.js';
import type { LookAlike } from './look-alikes.js';
import { lookAlikes } from './look-alikes.js';

/** Characters that make a line read other than it runs. The characters themselves are never shown. */
export const hiddenUnicode: LineCheck = {
  rules: {
    'hidden-unicode/bidi': 'error',
    'hidden-unicode/zero-width': 'warning',
    'hidden-unicode/mixed-script': 'warning',
  },
  guards: true,
  open: file => {
    const isProse = PROSE.test(file.path);
    return line => (NOT_ASCII.test(line.text) ? judge(line, isProse) : NO_HITS);
  },
};

const NOT_ASCII = /[^\x00-\x7f]/;
const PROSE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|html?|xhtml|tex|po|pot|properties|strings|srt|vtt)$/i;

/** At most one hit per rule and line: the first, with the number of the others. */
function judge({ text, number }: NewSideLine, isProse: boolean): readonly Hit[] {
  const invisible = invisibleCharacters(text, { isFirstLine: number === 1, isProse });
  const hits: Hit[] = [];
  for (const rule of ['hidden-unicode/bidi', 'hidden-unicode/zero-width'] as const) {
    const [first, ...others] = invisible.filter(found => found.rule === rule);
    if (first !== undefined) hits.push(invisibleHit(first, others.length));
  }
  const [first, ...others] = lookAlikes(text);
  if (first !== undefined) hits.push(lookAlikeHit(first, others.length));
  return hits;
}

const WHY: Readonly<Record<Invisible['rule'], string>> = {
  'hidden-unicode/bidi':
    'can show this line in another order than it runs. Remove it, or write it as an escape.',
  'hidden-unicode/zero-width': 'cannot be seen here. Remove it, or write it as an escape.',
};

const invisibleHit = ({ rule, index, length, codePoint }: Invisible, others: number): Hit => ({
  rule,
  message: `${codePointName(codePoint)}${more(others)} ${WHY[rule]}`,
  column: index + 1,
  endColumn: index + length + 1,
});

const lookAlikeHit = ({ start, end, codePoint }: LookAlike, others: number): Hit => ({
  rule: 'hidden-unicode/mixed-script',
  message: `This word reads as Latin but holds ${codePointName(codePoint)}${more(others)}. Type it in one script.`,
  column: start + 1,
  endColumn: end + 1,
});

const more = (others: number): string => (others === 0 ? '' : ` (and ${others} more on this line)`);
