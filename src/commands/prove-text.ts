import { syntaxOf } from '../checks/invalid-syntax.js';
import type { Diagnostic } from '../core/diagnostic.js';
import { isBotError } from '../core/failure.js';
import type { ProofRoom } from '../core/review-draft.js';
import type { Linter, Workshop } from '../fix/workshop.js';
import { compareDiagnostics } from '../lint/compare.js';
import { forbidEdit } from '../lint/forbid-edit.js';
import { lineMap } from '../lint/line-map.js';
import type { Syntax } from '../world.js';

interface Judging {
  readonly linter: Linter;
  readonly before: readonly Diagnostic[];
}

/** Whether another text of a file holds: it parses, hides nothing, and no linter says more than before. */
export function proveText(
  shop: Workshop,
  { syntax, signal }: { readonly syntax: Syntax; readonly signal: AbortSignal },
): Pick<ProofRoom, 'text' | 'judge'> {
  const judges = new Map<string, Judging[]>();
  const judgesOf = async (path: string): Promise<Judging[]> => {
    const known = judges.get(path) ?? (await readyFor(path, shop));
    judges.set(path, known);
    return known;
  };
  const look = async (path: string): Promise<string | undefined> => {
    if (!shop.linters.some(({ files }) => files.includes(path))) return undefined;
    return (await judgesOf(path)).length === 0 ? undefined : shop.read(path);
  };
  const judge = async (path: string, after: string): Promise<string | undefined> => {
    const before = await shop.read(path);
    if (before === undefined) return `${path} cannot be read`;
    const objection =
      forbidEdit({ path, before, after, diagnostics: [] }) ??
      (await brokenSyntax(path, after, syntax));
    if (objection !== undefined) return objection;
    await shop.write(path, after);
    const said = await firstObjection(await judgesOf(path), { path, before, after });
    await shop.write(path, before);
    return said;
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
async function readyFor(path: string, shop: Workshop): Promise<Judging[]> {
  const ready: Judging[] = [];
  for (const linter of shop.linters.filter(({ files }) => files.includes(path))) {
    const { isWhole, diagnostics } = await linter.check([path]);
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
    const { isWhole, diagnostics, problems } = await linter.check([path]);
    if (!isWhole) return `${linter.title} can no longer judge the file: ${problems[0] ?? ''}`;
    const [fresh] = compareDiagnostics(said, diagnostics, lineNow).introduced;
    if (fresh !== undefined) {
      return `${linter.title} says of line ${fresh.line ?? 1}: ${fresh.message}`;
    }
  }
  return undefined;
}
