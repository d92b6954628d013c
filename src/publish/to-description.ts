import type { DescriptionOutcome } from '../core/description.js';
import { forTerminal, forTerminalLines, guardLineStart } from '../core/neutralise.js';
import { forMarkdown } from '../core/neutralise-markdown.js';
import { jsonText } from './json-text.js';

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
