import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { CachedAnswer } from '../../core/answer-key.js';
import type { AnswerCache } from '../../world.js';

/** A busy repository asks a few thousand questions a month; an answer is some hundred bytes. */
const MOST_ANSWERS = 20_000;

/** One small file an answer, in the git directory; written in one step, so runs may share it. */
export function openAnswerCache(gitDir: string): AnswerCache {
  const root = join(gitDir, 'apfel-bot', 'answers');
  const fileOf = (key: string): string => join(root, key.slice(0, 2), key.slice(2));
  return {
    get: key => read(fileOf(key)),
    put: (key, answer) => {
      const file = fileOf(key);
      const beside = `${file}.${process.pid}`;
      mkdirSync(join(root, key.slice(0, 2)), { recursive: true });
      writeFileSync(beside, JSON.stringify(answer));
      renameSync(beside, file);
    },
    trim: () => trim(root),
  };
}

/** Whatever is wrong with a stored answer, the question can be asked again. */
function read(file: string): CachedAnswer | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isAnswer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isAnswer = (value: unknown): value is CachedAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'findings' in value &&
  Array.isArray(value.findings) &&
  value.findings.every(
    finding =>
      Number.isInteger(finding?.at) &&
      typeof finding.message === 'string' &&
      typeof finding.quote === 'string' &&
      typeof finding.rule === 'string' &&
      ['model', 'rule'].includes(finding.source) &&
      typeof finding.confidence === 'number' &&
      ['info', 'warning', 'error'].includes(finding.severity),
  );

function trim(root: string): void {
  const files = list(root).flatMap(folder =>
    list(join(root, folder)).map(name => join(root, folder, name)),
  );
  if (files.length <= MOST_ANSWERS) return;
  const aged = files
    .map(file => ({ file, at: ageOf(file) }))
    .sort((one, other) => one.at - other.at);
  for (const { file } of aged.slice(0, files.length - MOST_ANSWERS)) rmSync(file, { force: true });
}

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const ageOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
