import { answerKey } from '../core/answer-key.js';
import type { BitePart } from '../core/bite.js';
import { type Finding, SEVERITIES, type Suggestion } from '../core/finding.js';
import type {
  FoundAgent,
  OpenProofRoom,
  PartResult,
  ProofRoom,
  ReviewAgent,
} from '../core/review-draft.js';
import type { World } from '../world.js';
import { suggestionOf, takeSuggestion } from './suggestion-of.js';

export interface Suggesting {
  readonly findings: readonly Finding[];
  readonly parts: readonly PartResult[];
  readonly change: { readonly base: string | null; readonly head: string };
  readonly found: FoundAgent;
  /** Until the run must be over. */
  readonly leftMs: number;
}

export type SuggestWorld = Pick<World, 'answers' | 'clock' | 'signal' | 'progress'> & {
  /** Only where linters may be run; never in a hook. */
  readonly openProofRoom?: OpenProofRoom;
};

export interface Suggested {
  readonly findings: readonly Finding[];
  readonly notices: readonly string[];
}

/** A copy of the project and a run of a linter take seconds; with less time left nobody begins. */
const LEAST_MS = 20_000;
/** The most severe are served; each takes a question and a run of a linter or two. */
const MOST_SUGGESTIONS = 10;

/** Findings → the same, some with a text that a linter has nothing against. The rest is as good as before. */
export async function suggest(asked: Suggesting, world: SuggestWorld): Promise<Suggested> {
  const { findings, parts, change, found: model, leftMs } = asked;
  const wanted = worstFirst(findings.filter(isModels)).slice(0, MOST_SUGGESTIONS);
  const nothing = { findings, notices: [] };
  if (!model.available || wanted.length === 0 || world.openProofRoom === undefined) return nothing;
  if (leftMs < LEAST_MS || world.signal.aborted) return nothing;
  const { agent } = model;
  const paths = [...new Set(wanted.map(finding => finding.path))];
  const endsAt = world.clock.now() + leftMs / 2;
  const { base, head } = change;
  const opened = await world.openProofRoom({ base, head, paths, forMs: leftMs / 2 });
  const { room } = opened;
  if (room === undefined) return { findings, notices: opened.notices };
  const found = new Map<Finding, Suggestion>();
  let rejected = 0;
  try {
    await world.progress.stage('Asking for suggestions', async ({ tell }) => {
      for (const [at, finding] of wanted.entries()) {
        if (world.clock.now() >= endsAt || world.signal.aborted) return;
        tell(`${at} of ${wanted.length}`);
        const tried = await tryOne(finding, { parts, agent, world, room });
        if (tried.suggestion !== undefined) found.set(finding, tried.suggestion);
        rejected += tried.rejected;
      }
    });
  } finally {
    await room.close();
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
    ? "1 suggestion of the model's was dropped: it did not hold"
    : `${count} suggestions of the model's were dropped: they did not hold`;

interface Trying {
  readonly parts: readonly PartResult[];
  readonly agent: ReviewAgent;
  readonly world: SuggestWorld;
  readonly room: ProofRoom;
}

interface Tried {
  readonly suggestion: Suggestion | undefined;
  readonly rejected: number;
}

const NOTHING: Tried = { suggestion: undefined, rejected: 0 };

async function tryOne(finding: Finding, { parts, agent, world, room }: Trying): Promise<Tried> {
  const { path, line } = finding;
  const part = parts.find(each => isIn(each.part, finding))?.part;
  const text = part === undefined ? undefined : await room.text(path);
  if (part === undefined || text === undefined) return NOTHING;
  let suggestion: Suggestion | undefined;
  const judge = async (after: string): Promise<string | undefined> => {
    const change = suggestionOf({ before: text, after, line, part });
    if (!change.ok) return change.reason;
    const objection = await room.judge(path, after);
    if (objection === undefined) suggestion = change.suggestion;
    return objection;
  };
  const key = answerKey(part, questionAbout(finding, part, agent));
  const known = world.answers.get(key);
  if (known !== undefined) {
    const remembered = moved(known.said, line);
    // The model's word is remembered, the linter's is not: the project around it may have changed.
    if (remembered !== undefined) await judge(takeSuggestion(text, remembered));
    return { suggestion, rejected: 0 };
  }
  const { rejected, isAnswered } = await agent.mend({ finding, part, text, judge });
  if (isAnswered) world.answers.put(key, { findings: [], ...told(suggestion, line) });
  return { suggestion, rejected };
}

const isIn = ({ path, lines }: BitePart, finding: Finding): boolean =>
  path === finding.path &&
  lines.some(each => each.kind === 'added' && each.newLine === finding.line);

function questionAbout({ rule, message, line }: Finding, part: BitePart, { facts }: ReviewAgent) {
  const at = part.lines.findIndex(each => each.kind === 'added' && each.newLine === line);
  return { question: JSON.stringify(['mend', at, rule, message]), model: facts.name };
}

/** Told from the finding's line, so that it survives a rebase. */
function told(suggestion: Suggestion | undefined, line: number): { said?: string } {
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
