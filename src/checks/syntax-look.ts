import type { Syntax } from '../world.js';
import { type Blobs, textOf } from './blob-look.js';
import { type FileSurvey, MOST_PARSED_BYTES } from './file-survey.js';
import { judgeSyntax, syntaxOf } from './invalid-syntax.js';
import { type Raised, raise } from './raise.js';

/** Parses a file that must parse, and the one it replaces when the new one does not. */
export async function lookAtSyntax(
  seen: FileSurvey,
  blobs: Blobs,
  syntax: Syntax,
): Promise<Raised | 'too large' | undefined> {
  const { file } = seen;
  const kind = syntaxOf(file.path);
  if (kind === undefined || seen.addedLines.length === 0) return undefined;
  const newBlob = blobs.get(file.newBlob ?? '');
  if ((newBlob?.size ?? seen.addedBytes) > MOST_PARSED_BYTES) return 'too large';
  const text = seen.whole === undefined ? textOf(newBlob) : `${seen.whole.join('\n')}\n`;
  // A diff on standard input shows parts of files; those cannot be parsed.
  if (text === undefined) return undefined;
  const newProblem = await syntax.problem(kind, text);
  if (newProblem === undefined) return undefined;
  const oldText = file.oldPath === undefined ? undefined : textOf(blobs.get(file.oldBlob ?? ''));
  const oldProblem = oldText === undefined ? undefined : await syntax.problem(kind, oldText);
  const hit = judgeSyntax({ kind, newProblem, oldProblem, addedLines: seen.addedLines });
  if (hit === undefined) return undefined;
  const line = text.split('\n')[hit.line - 1]?.replace(/\r$/, '');
  return raise(
    {
      path: file.path,
      line: hit.line,
      ...(hit.column === undefined ? {} : { column: hit.column, endColumn: hit.column + 1 }),
      ...(line === undefined ? {} : { text: line }),
    },
    hit,
    false,
  );
}
