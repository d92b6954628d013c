import type { FileChange } from '../core/change.js';
import type { Hit, LineJudge } from './check.js';
import { NO_HITS } from './check.js';
import type { CodeView } from './code-view.js';
import { fileRole } from './file-role.js';
import { includesAny } from './includes-any.js';
import type { LineMemory } from './line-memory.js';
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
export function judgeTestCalls(file: FileChange, view: CodeView, rule: TestCallRule): LineJudge {
  const { isTest } = fileRole(file.path);
  const hints = isTest ? rule.hints : rule.hintsElsewhere;
  const aliases: Aliases = new Map();
  const { memory } = view;
  return ({ text }) => {
    const renames = isTest && mayRename(text);
    if (renames) learnAliases(view.code(), aliases);
    if (aliases.size === 0 && !includesAny(text, hints)) return NO_HITS;
    const code = view.code();
    return rule.judge({ calls: testCalls(code, aliases), code, isTest, memory });
  };
}
