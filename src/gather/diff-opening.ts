import { GitHeader } from './diff-git-header.js';
import type { FileHeader } from './diff-header.js';
import type { DiffPiece } from './diff-piece.js';
import { PlainHeader } from './diff-plain-header.js';
import { BinaryRemark, IndexRemark, UnmergedRemark } from './diff-remark.js';

const OPENINGS: ReadonlyArray<readonly [string, new (line: string) => FileHeader]> = [
  ['diff --git ', GitHeader],
  ['diff --cc ', GitHeader],
  ['diff --combined ', GitHeader],
  ['--- ', PlainHeader],
  ['Binary file', BinaryRemark],
  ['Index: ', IndexRemark],
  ['* Unmerged path ', UnmergedRemark],
];

/** The header that the line at `at` begins, if it begins one. */
export function diffOpening(piece: DiffPiece, at: number): FileHeader | undefined {
  for (const [prefix, Header] of OPENINGS) {
    if (piece.text.startsWith(prefix, at)) return new Header(piece.byteLine(at));
  }
  return undefined;
}
