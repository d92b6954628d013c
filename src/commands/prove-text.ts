import type { StdinLinter } from '../adapters/linter/linter-stdin.js';
import { syntaxOf } from '../checks/invalid-syntax.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { isBotError } from '../core/failure.js';
import type { ProofRoom } from '../core/review-draft.js';
import { compareDiagnostics } from '../lint/compare.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import { lineMap } from '../lint/line-map.js';
import type { Syntax } from '../world.js';

interface Judging {
  readonly linter: StdinLinter;
  readonly before: readonly Diagnostic[];
}

export interface ProofPlace {
  readonly linters: readonly StdinLinter[];
  /** The files as reviewed. */
  readonly texts: ReadonlyMap<string, string>;
  readonly syntax: Syntax;
  readonly signal: AbortSignal;
}

/** Whether another text of a file holds: it parses, hides nothing, and no linter says more than before. */
export function proveText(place: ProofPlace): Pick<ProofRoom, 'text' | 'judge'> {
  const { linters, texts, syntax, signal } = place;
  const judges = new Map<string, Judging[]>();
  const judgesOf = async (path: string, text: string): Promise<Judging[]> => {
    const known = judges.get(path) ?? (await readyFor(path, text, linters));
    judges.set(path, known);
    return known;
  };
  const look = async (path: string): Promise<string | undefined> => {
    const text = texts.get(path);
    if (text === undefined || !linters.some(linter => linter.isFor(path))) return undefined;
    return (await judgesOf(path, text)).length === 0 ? undefined : text;
  };
  const judge = async (path: string, after: string): Promise<string | undefined> => {
    const before = texts.get(path);
    if (before === undefined) return `${path} cannot be read`;
    const objection =
      forbidEdit({ path, before, after, diagnostics: [] }) ??
      (await brokenSyntax(path, after, syntax));
    if (objection !== undefined) return objection;
    return firstObjection(await judgesOf(path, before), { path, before, after });
  };
  return {
    text: path => unlessInTheWay(signal, look(path), () => undefined),
    judge: (path, after) => unlessInTheWay(signal, judge(path, after), reason => reason),
  };
}

/** A full disk or the end of the time cost a suggestion, not the review. */
async function unlessInTheWay<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
  otherwise: (reason: string) => Value,
): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (signal.aborted) return otherwise('there is no time left to try it');
    if (isBotError(thrown)) return otherwise(thrown.message);
    throw thrown;
  }
}

/** Linters that can say all they have to say of the file; the silence of the others proves nothing. */
async function readyFor(
  path: string,
  text: string,
  linters: readonly StdinLinter[],
): Promise<Judging[]> {
  const ready: Judging[] = [];
  for (const linter of linters.filter(each => each.isFor(path))) {
    const { isWhole, diagnostics } = await linter.check(path, text);
    if (isWhole) ready.push({ linter, before: diagnostics });
  }
  return ready;
}

async function brokenSyntax(
  path: string,
  after: string,
  syntax: Syntax,
): Promise<string | undefined> {
  const kind = syntaxOf(path);
  const problem = kind === undefined ? undefined : await syntax.problem(kind, after);
  return problem && `the file no longer parses: ${problem.message}`;
}

async function firstObjection(
  judges: readonly Judging[],
  { path, before, after }: { path: string; before: string; after: string },
): Promise<string | undefined> {
  const map = lineMap(before, after);
  const lineNow = (where: string, line: number): number | undefined =>
    where === path ? map(line) : line;
  for (const { linter, before: said } of judges) {
    const { isWhole, diagnostics, problems } = await linter.check(path, after);
    if (!isWhole) return `${linter.title} can no longer judge the file: ${problems[0] ?? ''}`;
    const [fresh] = compareDiagnostics(said, diagnostics, lineNow).introduced;
    if (fresh !== undefined) {
      return `${linter.title} says of line ${fresh.line ?? 1}: ${fresh.message}`;
    }
  }
  return undefined;
}
