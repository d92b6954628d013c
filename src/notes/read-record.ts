import { type Finding, SEVERITIES, type Suggestion } from '../core/finding.js';
import { HUNK_STATES, type Ledger, type LedgerItem } from '../core/ledger.js';
import type { NoteRecord } from './record.js';

/** More than a run of ours ever reports. */
const MOST_FINDINGS = 10_000;
const MOST_ITEMS = 10_000;
const MOST_TEXT = 20_000;
const MOST_PATH = 4096;

const TASKS = ['review', 'fix-lint', 'ask', 'describe'] as const;
const SOURCES = ['check', 'linter', 'model', 'rule'] as const;
const SIDES = ['new', 'old'] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A line of a note may come from anybody. Undefined unless every field is what it must be; fields
 * that nobody knows are left behind.
 */
export function readRecord(value: unknown): NoteRecord | undefined {
  if (!isFields(value) || value['v'] !== 1) return undefined;
  const run = textLike(value['run'], /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/);
  const commit = textLike(value['commit'], OBJECT_ID);
  const tree = textLike(value['tree'], OBJECT_ID);
  const task = oneOf(TASKS, value['task']);
  const startedAt = textLike(
    value['startedAt'],
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/,
  );
  const { complete } = value;
  const ledger = readLedger(value['ledger']);
  const findings = readList(value['findings'], MOST_FINDINGS, readFinding);
  if (run === undefined || commit === undefined || tree === undefined) return undefined;
  if (task === undefined || startedAt === undefined || typeof complete !== 'boolean') {
    return undefined;
  }
  if (ledger === undefined || findings === undefined) return undefined;
  return { v: 1, run, commit, tree, task, startedAt, complete, ledger, findings };
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function readLedger(value: unknown): Ledger | undefined {
  if (!isFields(value)) return undefined;
  const items = readList(value['items'], MOST_ITEMS, readItem);
  const counts = HUNK_STATES.map(state => [state, value[state]] as const);
  if (items === undefined || !counts.every(([, amount]) => isCount(amount))) return undefined;
  const total = counts.reduce((sum, [, amount]) => sum + Number(amount), 0);
  if (value['total'] !== total) return undefined;
  const { reviewed, cached, checked, skipped, outOfTime, refused, failed } = Object.fromEntries(
    counts.map(([state, amount]) => [state, Number(amount)]),
  );
  return {
    total,
    reviewed: reviewed ?? 0,
    cached: cached ?? 0,
    checked: checked ?? 0,
    skipped: skipped ?? 0,
    outOfTime: outOfTime ?? 0,
    refused: refused ?? 0,
    failed: failed ?? 0,
    items,
  };
}

function readItem(value: unknown): LedgerItem | undefined {
  if (!isFields(value)) return undefined;
  const path = pathIn(value['path']);
  const state = oneOf(HUNK_STATES, value['state']);
  const reason = textUpTo(value['reason'], MOST_TEXT);
  const { hunk } = value;
  if (path === undefined || state === undefined || reason === undefined) return undefined;
  return isCount(hunk) ? { path, hunk, state, reason } : undefined;
}

function readFinding(value: unknown): Finding | undefined {
  if (!isFields(value)) return undefined;
  const id = textLike(value['id'], /^[0-9a-f]{16}$/);
  const path = pathIn(value['path']);
  const side = oneOf(SIDES, value['side']);
  const severity = oneOf(SEVERITIES, value['severity']);
  const rule = textLike(value['rule'], /^[^\s\p{Cc}]{1,200}$/u);
  const message = textUpTo(value['message'], MOST_TEXT);
  const source = oneOf(SOURCES, value['source']);
  const { line, endLine, confidence } = value;
  if (id === undefined || path === undefined || side === undefined) return undefined;
  if (severity === undefined || rule === undefined || message === undefined) return undefined;
  if (source === undefined || typeof confidence !== 'number') return undefined;
  if (!isLine(line) || !isLine(endLine) || endLine < line) return undefined;
  if (!(confidence >= 0 && confidence <= 1)) return undefined;
  const more = readOptional(value);
  if (more === undefined) return undefined;
  return { id, path, line, endLine, side, severity, rule, message, source, confidence, ...more };
}

type Optional = Pick<Finding, 'column' | 'endColumn' | 'evidence' | 'suggestion'>;

function readOptional(value: Fields): Optional | undefined {
  const { column, endColumn, evidence, suggestion } = value;
  if (column !== undefined && !isLine(column)) return undefined;
  if (endColumn !== undefined && !isLine(endColumn)) return undefined;
  const quote = evidence === undefined ? undefined : textUpTo(evidence, MOST_TEXT);
  if (evidence !== undefined && quote === undefined) return undefined;
  const better = suggestion === undefined ? undefined : readSuggestion(suggestion);
  if (suggestion !== undefined && better === undefined) return undefined;
  return {
    ...(column !== undefined && { column }),
    ...(endColumn !== undefined && { endColumn }),
    ...(quote !== undefined && { evidence: quote }),
    ...(better !== undefined && { suggestion: better }),
  };
}

function readSuggestion(value: unknown): Suggestion | undefined {
  if (!isFields(value)) return undefined;
  const { startLine, endLine } = value;
  const text = textUpTo(value['text'], MOST_TEXT);
  if (text === undefined || !isLine(startLine) || !isLine(endLine)) return undefined;
  return { startLine, endLine, text };
}

/** All or nothing: half a list would look like a whole one. */
function readList<Item>(
  value: unknown,
  most: number,
  read: (item: unknown) => Item | undefined,
): Item[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const items: Item[] = [];
  for (const each of value) {
    const item = read(each);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isLine = (value: unknown): value is number => isCount(value) && value > 0;

const textUpTo = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.length <= most ? value : undefined;

/** As git names files: from the top, and never out of it. */
function pathIn(value: unknown): string | undefined {
  const path = textUpTo(value, MOST_PATH);
  if (path === undefined || path === '' || path.startsWith('/') || path.includes('\0')) {
    return undefined;
  }
  return path.split('/').includes('..') ? undefined : path;
}

const textLike = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find(word => word === value);
