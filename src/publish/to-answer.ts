import { forTerminal, forTerminalLines, guardLineStart } from '../core/neutralise.js';
import { forMarkdown } from '../core/neutralise-markdown.js';
import type { AnswerOutcome } from '../core/outcome.js';
import { jsonText } from './json-text.js';

/** `ask` for people: the answer, then where it comes from. */
export function answerText({ answer, notices }: AnswerOutcome): string {
  const sources = answer.sources.map(({ path, line }) => `  ${forTerminal(path)}:${line}`);
  return guardLineStart(
    [
      forTerminalLines(answer.text.trim()),
      ...(sources.length === 0 ? [] : ['', 'sources:', ...sources]),
      ...notices.map(notice => `note: ${forTerminal(notice)}`),
      '',
    ].join('\n'),
  );
}

export function answerMarkdown({ answer, notices }: AnswerOutcome): string {
  const sources = answer.sources.map(({ path, line }) => `- ${forMarkdown(`${path}:${line}`)}`);
  return guardLineStart(
    [
      forMarkdown(answer.text.trim()),
      ...(sources.length === 0 ? [] : ['', 'Sources:', '', ...sources]),
      ...notices.map(notice => `\n_${forMarkdown(notice)}_`),
      '',
    ].join('\n'),
  );
}

export const answerJson = (outcome: AnswerOutcome): string => jsonText(outcome);
