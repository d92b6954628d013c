import type { FileChange } from '../core/change.js';
import type { Hit, LineJudge } from './check.js';
import { NO_HITS } from './check.js';
import { codeText } from './code-text.js';
import { fileRole } from './file-role.js';
import { includesAny } from './includes-any.js';
import type { LineMemory } from './line-memory.js';
import { lineMemory } from './line-memory.js';
import type { Aliases, TestCall } from './test-call.js';
import { learnAliases, mayRename, testCalls } from './test-call.js';

/** A line of JavaScript with the calls on it, under the names the runner knows them by. */
export interface TestLine {
  readonly calls: readonly TestCall[];
  readonly code: string;
  readonly isTest: boolean;
  /** What stood above in the hunk. */
  readonly memory: LineMemory;
}

export interface TestCallRule {
  /** One of these is on every line that is judged, unless the file renames the runner's functions. */
  readonly hints: readonly string[];
  /** Those that count outside test files, where only the unmistakable does. */
  readonly hintsElsewhere: readonly string[];
  readonly judge: (line: TestLine) => readonly Hit[];
}

/** Reads a JavaScript or TypeScript file for calls that define tests. */
export function judgeTestCalls(file: FileChange, rule: TestCallRule): LineJudge {
  const read = codeText('javascript');
  const { isTest } = fileRole(file.path);
  const hints = isTest ? rule.hints : rule.hintsElsewhere;
  const aliases: Aliases = new Map();
  const memory = lineMemory();
  return line => {
    const { text } = line;
    if (line.startsHunk) memory.forget();
    const renames = isTest && mayRename(text);
    const isHinted = aliases.size > 0 || includesAny(text, hints);
    const code = read(line, renames || isHinted);
    if (renames) learnAliases(code, aliases);
    const hits =
      isHinted || aliases.size > 0
        ? rule.judge({ calls: testCalls(code, aliases), code, isTest, memory })
        : NO_HITS;
    memory.remember(text);
    return hits;
  };
}
