import { HUNK_STATES } from '../core/ledger.js';
import type { NoteRecord } from '../generated/shapes.js';
import { validateNote } from '../generated/validate-note.js';

/**
 * A line of a note may come from anybody. Undefined unless every field is what it must be; unknown
 * fields are removed from `value`.
 */
export function readRecord(value: unknown): NoteRecord | undefined {
  return isRecord(value) && isSound(value) ? value : undefined;
}

const isRecord = (value: unknown): value is NoteRecord => validateNote(value);

/** What a schema can't express. */
const isSound = ({ ledger, findings }: NoteRecord): boolean =>
  ledger.total === HUNK_STATES.reduce((sum, state) => sum + ledger[state], 0) &&
  findings.every(({ line, endLine }) => line <= endLine);
