import type { Line } from '../core/change.js';
import type { AuditFacts, AuditHunk, DiffHunk, HostUse, StageTime } from '../core/diary.js';
import { HUNK_STATES } from '../core/ledger.js';
import { amountOf, fieldsOf, listOf, textOf } from './plain-fields.js';

/** More than a run of ours ever keeps. */
const MOST = { stages: 200, hunks: 5000, hosts: 100, texts: 2000, lines: 2000 };

/** Facts as they were kept, or what of them can be read. A git directory may come from anybody. */
export function readFacts(value: unknown): AuditFacts {
  const facts = fieldsOf(value);
  return {
    asked: textOf(facts['asked']),
    stages: listOf(facts['stages']).slice(0, MOST.stages).map(readStage),
    hunks: listOf(facts['hunks']).slice(0, MOST.hunks).flatMap(readHunk),
    hosts: listOf(facts['hosts']).slice(0, MOST.hosts).map(readHost),
    texts: listOf(facts['texts']).slice(0, MOST.texts).map(readText),
  };
}

export const NO_FACTS: AuditFacts = readFacts(undefined);

function readStage(value: unknown): StageTime {
  const { title, atMs, durationMs } = fieldsOf(value);
  return { title: textOf(title), atMs: amountOf(atMs), durationMs: amountOf(durationMs) };
}

function readHost(value: unknown): HostUse {
  const { host, times } = fieldsOf(value);
  return { host: textOf(host), times: amountOf(times) };
}

function readHunk(value: unknown): AuditHunk[] {
  const { path, hunk, line, added, removed, state, reason, bite, tokens } = fieldsOf(value);
  const known = HUNK_STATES.find(each => each === state);
  if (known === undefined) return [];
  return [
    {
      path: textOf(path),
      hunk: amountOf(hunk),
      line: amountOf(line),
      added: amountOf(added),
      removed: amountOf(removed),
      state: known,
      reason: textOf(reason),
      bite: amountOf(bite) || null,
      tokens: amountOf(tokens),
    },
  ];
}

function readText(value: unknown): DiffHunk {
  const { path, hunk, section, lines } = fieldsOf(value);
  return {
    path: textOf(path),
    hunk: amountOf(hunk),
    section: textOf(section),
    lines: listOf(lines).slice(0, MOST.lines).map(readLine),
  };
}

function readLine(value: unknown): Line {
  const fields = fieldsOf(value);
  const text = textOf(fields['text']);
  const newLine = amountOf(fields['newLine']);
  const oldLine = amountOf(fields['oldLine']);
  if (fields['kind'] === 'added') return { kind: 'added', text, newLine };
  if (fields['kind'] === 'removed') return { kind: 'removed', text, oldLine };
  return { kind: 'context', text, newLine, oldLine };
}
