import type { AnswerOutcome, DescriptionOutcome } from '../core/outcome.js';
import { forMarkdown } from '../platform/safe-markdown.js';
import { forTerminal, forTerminalLines, guardLineStart } from '../platform/safe-text.js';
import { jsonText } from './json.js';

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

/** `describe` for people: the title, the body, then what the reader should know of how it came about. */
export const descriptionText = ({ description, notices }: DescriptionOutcome): string =>
  guardLineStart(
    [
      forTerminal(description.title),
      '',
      forTerminalLines(description.body),
      ...(notices.length === 0 ? [] : ['']),
      ...notices.map(notice => `note: ${forTerminal(notice)}`),
      '',
    ].join('\n'),
  );

export const descriptionMarkdown = ({ description, notices }: DescriptionOutcome): string =>
  guardLineStart(
    [
      `# ${forMarkdown(description.title)}`,
      '',
      ...description.body.split('\n').map(markdownLine),
      ...notices.map(notice => `\n_${forMarkdown(notice)}_`),
      '',
    ].join('\n'),
  );

/** Lists are ours, what stands in them is not. */
const markdownLine = (line: string): string =>
  line.startsWith('- ') ? `- ${forMarkdown(line.slice(2))}` : forMarkdown(line);

export const descriptionJson = (outcome: DescriptionOutcome): string => jsonText(outcome);
