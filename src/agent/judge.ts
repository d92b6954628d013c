import { isGrounded } from './grounded.js';
import type { ToolOutcome } from './tool.js';

/** What has been done so far, as code knows it. */
export interface Work {
  /** What was asked. */
  readonly opening: string;
  readonly calls: readonly DoneCall[];
  /** What the model says; undefined while it has not said that it is done. */
  readonly answer: string | undefined;
}

export interface DoneCall {
  readonly name: string;
  readonly input: unknown;
  readonly outcome: ToolOutcome;
}

/** Undefined when the work is done; else what is missing, in words the model can act on. */
export type Judge = (work: Work) => string | undefined;

/** The edit is in the overlay, because the tool said so and not because the model did. */
export const editIsMade: Judge = ({ calls }) =>
  calls.some(call => call.name === 'edit_file' && !call.outcome.isError)
    ? undefined
    : 'nothing has been edited yet. Call edit_file';

/** An answer about the repository must come from having looked at it, and show it. */
export const hasLooked: Judge = ({ opening, calls, answer }) => {
  const shown = calls.filter(call => !call.outcome.isError).map(call => call.outcome.text);
  if (shown.length === 0) return 'nothing has been read yet. Call a tool first';
  if (answer === undefined || answer.trim() === '') return 'there is no answer yet';
  const hasSubstance = shown.some(text => !text.startsWith('0 matches'));
  return hasSubstance && !isGrounded(answer, { shown, asked: opening })
    ? 'the answer shows nothing of what was read. Name the file, the value or the code it rests on'
    : undefined;
};
