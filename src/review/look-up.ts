import { KEYWORDS } from '../agent/grounding.js';
import { readSource } from '../agent/reading.js';
import { cutText } from '../agent/tokens.js';
import { sourceLanguage } from '../checks/language.js';
import { codeOnly } from '../checks/lexer.js';
import { isSecretBearing } from '../diff/secret-bearing.js';
import type { Source } from '../git/source.js';
import { reveal } from '../platform/safe-text.js';
import { redact } from '../secrets/redact.js';
import type { ChunkPart } from './chunk.js';

/** A small model copes badly with more choices. */
const MAX_NAMES = 12;
const NAME = /(?<![\w$.'"-])[A-Za-z_$][\w$]{2,40}(?=\s{0,2}[(<.{!?]|\b)/g;

const DEFINES =
  /\b(?:func|fn|def|defp|function|class|struct|enum|protocol|extension|actor|interface|trait|impl|module|namespace|object|record|fun|type|typealias|let|var|const|val)\s+$/;

/**
 * Names that the new lines use and the shown lines don't define; functions and types first. Some have no
 * definition here: to know that before each question, git would search all files, which takes longer
 * than the few questions that it would save.
 */
export function namesUsed(parts: readonly ChunkPart[]): string[] {
  const language = sourceLanguage(parts[0]?.path ?? '');
  if (language === undefined) return [];
  const textOf = (isWanted: (kind: string) => boolean): string =>
    codeOnly(
      parts
        .flatMap(({ lines }) => lines.filter(line => isWanted(line.kind)).map(line => line.text))
        .join('\n'),
      language,
    );
  const shown = textOf(kind => kind !== 'removed');
  const defined = new Set<string>();
  for (const found of shown.matchAll(NAME)) {
    if (DEFINES.test(shown.slice(Math.max(0, found.index - 20), found.index)))
      defined.add(found[0]);
  }
  const uses = new Map<string, number>();
  const added = textOf(kind => kind === 'added');
  for (const found of added.matchAll(NAME)) {
    const [name] = found;
    if (KEYWORDS.has(name.toLowerCase()) || defined.has(name)) continue;
    const isCalled = /^\s{0,2}[(<{]/.test(
      added.slice(found.index + name.length, found.index + name.length + 3),
    );
    const weight = isCalled ? 2 : /^[A-Z]/.test(name) ? 1 : 0;
    if (weight > 0) uses.set(name, Math.max(weight, uses.get(name) ?? 0));
  }
  return [...uses.entries()]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}

const SHOWN_LINES = 14;
const SHOWN_TOKENS = 250;

/** The definition of a name in the reviewed files, as text for the model. */
export async function lookUp(name: string, path: string, source: Source): Promise<string> {
  const { matches } = await source.search(name, undefined);
  const candidates = matches
    .filter(match => isDefinition(match.text, name) && !isSecretBearing(match.path))
    .toSorted((one, other) => distance(one.path, path) - distance(other.path, path));
  for (const { path: place, line } of candidates.slice(0, 3)) {
    const file = await readSource(source, place);
    if (!file.ok) continue;
    const rows = file.text.split('\n').slice(line - 1, line - 1 + SHOWN_LINES);
    const text = blockOf(rows).map((row, at) => `${line + at}| ${reveal(row, '\t')}`);
    return redact(`${reveal(place)}\n${cutText(text.join('\n'), SHOWN_TOKENS).text}`);
  }
  return `There is no definition of ${name} in this repository.`;
}

function isDefinition(text: string, name: string): boolean {
  const at = text.search(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`));
  if (at === -1) return false;
  const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
  if (DEFINES.test(before)) return true;
  if (/^\s*#\s*define\s+$/.test(before)) return true;
  // `name = function`, `name: (a) => …`, `Type name(…) {`
  if (/^\s*[:=]\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>)/.test(after)) return true;
  return /^\s*(?:[\w<>[\],*&?.@]+\s+)*$/.test(before) && /^\s*\([^;]*\)[^;]*\{\s*$/.test(after);
}

/** Files that are similar in type and near the reviewed one come first. */
function distance(one: string, other: string): number {
  const ending = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const folder = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
  return (ending(one) === ending(other) ? 0 : 2) + (folder(one) === folder(other) ? 0 : 1);
}

/** Up to where the indentation returns to that of the first line. */
function blockOf(rows: readonly string[]): readonly string[] {
  const depth = (rows[0] ?? '').search(/\S|$/);
  const end = rows.findIndex(
    (row, at) =>
      at > 0 && row.trim() !== '' && row.search(/\S/) <= depth && !/^\s*[)\]{]/.test(row),
  );
  return end === -1
    ? rows
    : rows.slice(0, /^\s*(?:\}|end\b)/.test(rows[end] ?? '') ? end + 1 : end);
}
