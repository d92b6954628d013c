import { readFileSync } from 'node:fs';
import type { Linter } from 'eslint';
import type { Policy } from '../../../fixtures/apfel/stand-in.js';
import { fixReply } from '../../support/closed-questions.js';
import type { ProjectFile } from './case-project.js';
import { shownIn } from './right-model.js';

const PER_FILE = 10;

/** Files with so many complaints that only a model can fix, each on a line of its own. */
export function manyFaults(count: number): ProjectFile[] {
  const rules: Linter.Config['rules'] = { 'no-undef': 'error' };
  return Array.from({ length: Math.ceil(count / PER_FILE) }, (_, at) => {
    const path = `many/file-${at}.js`;
    const faults = Math.min(PER_FILE, count - at * PER_FILE);
    const rows = Array.from(
      { length: faults },
      (__, row) => `exports.value${row} = given => given ?? nul;\n// ${'-'.repeat(40)}\n`,
    );
    const config = { files: [path], languageOptions: { sourceType: 'commonjs' as const }, rules };
    return { path, text: rows.join(''), config };
  });
}

/** Fixes the line that it is asked about. */
export const fixesAnyLine: Policy = conversation => {
  const { rows, lines } = shownIn(conversation);
  const line = rows.get(lines[0] ?? 0) ?? '';
  return fixReply(conversation, { oldText: line, newText: line.replace(/\bnul\b/, 'null') });
};

/** Peak memory in megabytes and the number of children now, where the system tells. */
export function lookAt(pid: number | undefined): { megabytes: number; children: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return {
      megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      children: children.split(' ').filter(Boolean).length,
    };
  } catch {
    // Gone already, or not Linux.
    return { megabytes: 0, children: 0 };
  }
}
