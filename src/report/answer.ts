import type { AnswerOutcome, DescriptionOutcome } from '../core/outcome.js';
import { forMarkdown } from '../platform/safe-markdown.js';
import { forTerminal, forTerminalLines, guardLineStart } from '../platform/safe-text.js';
import { jsonText } from './json.js';
import { type Report, type ReportOptions, tryToWrite } from './report.js';

/** The outcome of `ask` or `describe`: what to print, the exit code, and the file to write. */
export async function publishAnswer(
  outcome: AnswerOutcome | DescriptionOutcome,
  { format, out, isStrict }: Pick<ReportOptions, 'format' | 'out' | 'isStrict'>,
): Promise<Report> {
  const json = jsonText(outcome);
  const failure = out === undefined ? undefined : await tryToWrite(out, json);
  const ending = isStrict && !outcome.complete ? 'incomplete' : 'done';
  return {
    text: format === 'json' ? json : render(outcome, format === 'markdown'),
    ending,
    failure,
  };
}

function render(outcome: AnswerOutcome | DescriptionOutcome, isMarkdown: boolean): string {
  if (outcome.task === 'ask') return isMarkdown ? answerMarkdown(outcome) : answerText(outcome);
  return isMarkdown ? descriptionMarkdown(outcome) : descriptionText(outcome);
}

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

function answerMarkdown({ answer, notices }: AnswerOutcome): string {
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

/** `describe` for people: the title, the body, then the notices. */
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

const descriptionMarkdown = ({ description, notices }: DescriptionOutcome): string =>
  guardLineStart(
    [
      `# ${forMarkdown(description.title)}`,
      '',
      ...description.body.split('\n').map(markdownLine),
      ...notices.map(notice => `\n_${forMarkdown(notice)}_`),
      '',
    ].join('\n'),
  );

/** The list is ours, the text of its items isn't. */
const markdownLine = (line: string): string =>
  line.startsWith('- ') ? `- ${forMarkdown(line.slice(2))}` : forMarkdown(line);
