import { createHash } from 'node:crypto';
import type { FrontMatter } from '../trigger/parse-rule.js';
import { syntaxYaml } from './syntax/syntax-yaml.js';

/** Three keys need no more; and what is small cannot be nested deeply. */
const MOST_CHARACTERS = 4096;

/** The YAML block between two lines of `---`, all its values as text, and what follows it. */
export async function frontMatter(text: string): Promise<FrontMatter> {
  const digest = createHash('sha256').update(text).digest('hex');
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines[0]?.trimEnd() !== '---') {
    return { values: {}, body: lines.join('\n').trim(), problems: [], digest };
  }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  const block = lines.slice(1, end).join('\n');
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  const broken = (problem: string): FrontMatter => ({
    values: {},
    body,
    problems: [problem],
    digest,
  });
  if (end === -1)
    return { ...broken('the front matter has no second line of ---'), body: 'unknown' };
  if (block.length > MOST_CHARACTERS) {
    return broken(
      `the front matter has ${block.length} characters, at most ${MOST_CHARACTERS} are allowed`,
    );
  }
  const problem = await syntaxYaml(block);
  if (problem !== undefined) {
    return broken(
      `line ${problem.line + 1}: the front matter is not valid YAML: ${problem.message}`,
    );
  }
  const values = await parse(block);
  return isRecord(values)
    ? { values, body, problems: [], digest }
    : broken('the front matter must hold keys and values such as severity: error');
}

async function parse(block: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    // In this schema nothing is guessed: `no`, `1.0` and `null` stay what was written.
    return parse(block, { schema: 'failsafe', logLevel: 'silent' }) ?? {};
  } catch {
    // An alias too many or a key that is a mapping: no front matter of ours has either.
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
