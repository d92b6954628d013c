import { type Finding, SEVERITIES, type Suggestion } from '../core/finding.js';
import { redact } from '../secrets/redact.js';
import type { FoundAgent, ReviewAgent } from './agent.js';
import { answerKey } from './cache.js';
import type { ChunkPart, PartResult } from './chunk.js';
import type { FoundSandbox, SandboxOptions, SuggestionSandbox } from './suggestion-sandbox.js';
import type { ReviewContext } from './work.js';

interface Suggesting {
  readonly findings: readonly Finding[];
  readonly parts: readonly PartResult[];
  readonly change: { readonly base: string | null; readonly head: string };
  readonly found: FoundAgent;
  /** Time left until the run's deadline. */
  readonly leftMs: number;
}

export type SuggestContext = Pick<ReviewContext, 'answers' | 'clock' | 'signal' | 'progress'> & {
  /** Only where linters may run; never in a hook. */
  readonly openSuggestionSandbox?: (options: SandboxOptions) => Promise<FoundSandbox>;
};

/** Copying the project and running a linter take seconds; with less time left it isn't worth starting. */
const MIN_MS = 20_000;
/** Only for the most severe findings: each takes a question and a linter run or two. */
const MAX_SUGGESTIONS = 10;

/** Adds suggestions that pass the linters to findings; other findings are unchanged. */
export async function suggest(asked: Suggesting, context: SuggestContext) {
  const { findings, parts, change, found: model, leftMs } = asked;
  const wanted = worstFirst(findings.filter(isModels)).slice(0, MAX_SUGGESTIONS);
  const nothing = { findings, notices: [] };
  if (!model.available || wanted.length === 0 || context.openSuggestionSandbox === undefined)
    return nothing;
  if (leftMs < MIN_MS || context.signal.aborted) return nothing;
  const { agent } = model;
  const paths = [...new Set(wanted.map(finding => finding.path))];
  const endsAt = context.clock.now() + leftMs / 2;
  const { base, head } = change;
  const opened = await context.openSuggestionSandbox({ base, head, paths, forMs: leftMs / 2 });
  const { sandbox } = opened;
  if (sandbox === undefined) return { findings, notices: opened.notices };
  const found = new Map<Finding, Suggestion>();
  let rejected = 0;
  try {
    await context.progress.stage('Asking for suggestions', async ({ update }) => {
      for (const [at, finding] of wanted.entries()) {
        if (context.clock.now() >= endsAt || context.signal.aborted) return;
        update(`${at} of ${wanted.length}`);
        const tried = await tryOne(finding, { parts, agent, context, sandbox });
        if (tried.suggestion !== undefined) found.set(finding, tried.suggestion);
        rejected += tried.rejected;
      }
    });
  } finally {
    await sandbox.close();
  }
  return {
    findings: findings.map(finding => withSuggestion(finding, found.get(finding))),
    notices: [...opened.notices, ...(rejected === 0 ? [] : [droppedNotice(rejected)])],
  };
}

const isModels = ({ source, suggestion }: Finding): boolean =>
  (source === 'model' || source === 'rule') && suggestion === undefined;

const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted(
    (one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity),
  );

const withSuggestion = (finding: Finding, suggestion: Suggestion | undefined): Finding =>
  suggestion === undefined ? finding : { ...finding, suggestion };

const droppedNotice = (count: number): string =>
  count === 1
    ? "1 suggestion of the model was dropped: it didn't pass verification"
    : `${count} suggestions of the model were dropped: they didn't pass verification`;

async function tryOne(
  finding: Finding,
  place: {
    readonly parts: readonly PartResult[];
    readonly agent: ReviewAgent;
    readonly context: SuggestContext;
    readonly sandbox: SuggestionSandbox;
  },
): Promise<{ readonly suggestion?: Suggestion | undefined; readonly rejected: number }> {
  const { parts, agent, context, sandbox } = place;
  const { path, line } = finding;
  const part = parts.find(each => isIn(each.part, finding))?.part;
  const text = part === undefined ? undefined : await sandbox.text(path);
  if (part === undefined || text === undefined) return { rejected: 0 };
  let suggestion: Suggestion | undefined;
  const judge = async (after: string): Promise<string | undefined> => {
    const change = suggestionOf({ before: text, after, line, part });
    if (!change.ok) return change.reason;
    const objection = await sandbox.judge(path, after);
    if (objection === undefined) suggestion = change.suggestion;
    return objection;
  };
  const key = answerKey(part, questionAbout(finding, part, agent));
  const known = context.answers.get(key);
  if (known !== undefined) {
    const remembered = moved(known.said, line);
    // The model's answer is cached, the linter's isn't: the rest of the project may have changed.
    if (remembered !== undefined) await judge(takeSuggestion(text, remembered));
    return { suggestion, rejected: 0 };
  }
  const { rejected, isAnswered } = await agent.fixFinding({ finding, text, judge });
  if (isAnswered) context.answers.put(key, { findings: [], ...relativeTo(suggestion, line) });
  return { suggestion, rejected };
}

const isIn = ({ path, lines }: ChunkPart, finding: Finding): boolean =>
  path === finding.path &&
  finding.side === 'new' &&
  lines.some(each => each.kind === 'added' && each.newLine === finding.line);

function questionAbout({ rule, message, line }: Finding, part: ChunkPart, { facts }: ReviewAgent) {
  const at = part.lines.findIndex(each => each.kind === 'added' && each.newLine === line);
  return { question: JSON.stringify(['fix', at, rule, message]), model: facts.name };
}

/** Relative to the finding's line, so that it survives a rebase. */
function relativeTo(suggestion: Suggestion | undefined, line: number): { said?: string } {
  if (suggestion === undefined) return {};
  const { startLine, endLine, text } = suggestion;
  return { said: JSON.stringify([startLine - line, endLine - line, text]) };
}

function moved(said: string | undefined, line: number): Suggestion | undefined {
  if (said === undefined) return undefined;
  const [from, to, text]: unknown[] = JSON.parse(said);
  if (typeof from !== 'number' || typeof to !== 'number' || typeof text !== 'string') {
    return undefined;
  }
  return { startLine: line + from, endLine: line + to, text };
}

interface Replacement {
  readonly before: string;
  readonly after: string;
  /** The line that the finding is on. */
  readonly line: number;
  /** The part of the file that the model was shown. */
  readonly part: ChunkPart;
}

type FoundSuggestion =
  | { readonly ok: true; readonly suggestion: Suggestion }
  /** Written for the model that proposed the text. */
  | { readonly ok: false; readonly reason: string };

/** More would be a rewrite, which nobody reads in a comment. */
const MAX_LINES = 10;
/** A fix farther away than this is for something else. */
const MAX_DISTANCE = 5;

/** Two versions of a file → the lines to replace, if the change is small and near the finding. */
export function suggestionOf(options: Replacement): FoundSuggestion {
  const { before, after, line, part } = options;
  if (isWindows(before)) {
    // Shown with line feeds; the file's own line endings come back when it is applied.
    if (!isWindows(after)) return not("its line endings differ from the file's");
    return suggestionOf({ ...options, before: withLineFeeds(before), after: withLineFeeds(after) });
  }
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const { from, to } = differing(old, fresh);
  const end = fresh.length - (old.length - to);
  const lines = fresh.slice(from, end);
  if (from === to && from === end) return not('it changes nothing');
  if (lines.join('').trim() === '') return not('it only deletes lines');
  if (Math.max(to - from, lines.length) > MAX_LINES) {
    return not(`it changes more than ${MAX_LINES} lines`);
  }
  if (from + 1 > line + MAX_DISTANCE || to < line - MAX_DISTANCE)
    return not(`it is not about line ${line}`);
  const isShown = shownIn(part);
  if (!old.slice(from, to).every((_, at) => isShown(from + at + 1))) {
    return not('it changes lines that were not shown');
  }
  const text = lines.join('\n');
  // Other line endings would be lost.
  if (text.includes('\r') || redact(text) !== text)
    return not("its lines can't be shown unchanged");
  return { ok: true, suggestion: { startLine: from + 1, endLine: to, text } };
}

/** Every line ends with a carriage return and a line feed. */
const isWindows = (text: string): boolean =>
  text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const not = (reason: string): FoundSuggestion => ({ ok: false, reason });

/**
 * The old lines in question, from 0; at least one, because a position between lines can't be named.
 */
function differing(
  old: readonly string[],
  fresh: readonly string[],
): { readonly from: number; readonly to: number } {
  const shorter = Math.min(old.length, fresh.length);
  let from = 0;
  while (from < shorter && old[from] === fresh[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const to = old.length - tail;
  if (to > from || old.length === fresh.length) return { from, to };
  return from > 0 ? { from: from - 1, to } : { from, to: to + 1 };
}

function shownIn({ lines }: ChunkPart): (line: number) => boolean {
  const shown = new Set(lines.flatMap(line => (line.kind === 'removed' ? [] : [line.newLine])));
  return line => shown.has(line);
}

/** The text with the suggestion applied, in the file's line endings. */
export function takeSuggestion(before: string, suggestion: Suggestion): string {
  if (isWindows(before)) {
    return takeSuggestion(withLineFeeds(before), suggestion).replaceAll('\n', '\r\n');
  }
  const { startLine, endLine, text } = suggestion;
  const lines = before.split('\n');
  return [...lines.slice(0, startLine - 1), text, ...lines.slice(endLine)].join('\n');
}
