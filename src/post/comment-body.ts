import type { Finding } from '../core/finding.js';
import { guardLineStart, replaceHidden } from '../core/neutralise.js';
import { codeFence, codeSpan, forMarkdown, suggestionFence } from '../core/neutralise-markdown.js';
import { redact } from '../core/secrets/redact.js';
import { cutText } from './cut-text.js';
import type { AnchoredFinding } from './decide-inline.js';
import { markOf, writeMark } from './finding-mark.js';

/** A message is a sentence or two; a model that does not stop is stopped here. */
const MOST_MESSAGE = 4000;
/** A suggestion of more than this is no suggestion; GitHub takes 65,536 in all. */
const MOST_SUGGESTED = 10_000;

/** A comment at a line: what is wrong, a fix that was verified, and how to be left alone. */
export function commentBody(
  { finding, anchor }: AnchoredFinding,
  ignoreLine: (finding: Finding) => string,
): string {
  const head = `**${finding.severity}** · ${forMarkdown(cutText(redact(finding.message), MOST_MESSAGE))}`;
  const silence = [
    `<sub>${codeSpan(finding.rule)} · silence it with ${codeSpan(ignoreLine(finding))}`,
    `or comment ${codeSpan(`/apfel ignore ${finding.id}`)}</sub>`,
  ].join(' ');
  const parts = [head, suggested(finding, anchor.canSuggest), silence];
  const text = guardLineStart(parts.filter(part => part !== '').join('\n\n'));
  return `${writeMark(markOf(finding, anchor.texts))}\n${text}\n`;
}

/** Only what can be taken over exactly as it is shown becomes a button. */
function suggested({ suggestion }: Finding, canSuggest: boolean): string {
  if (suggestion === undefined || suggestion.text.length > MOST_SUGGESTED) return '';
  const { text } = suggestion;
  if (redact(text) !== text) return '';
  if (canSuggest && isPlain(text)) return suggestionFence(text);
  const lines =
    suggestion.startLine === suggestion.endLine
      ? `line ${suggestion.startLine}`
      : `lines ${suggestion.startLine} to ${suggestion.endLine}`;
  return `Instead of ${lines}:\n\n${codeFence(text)}`;
}

/** Nothing hidden in it, and no line that a bot or a runner would take for a command. */
const isPlain = (text: string): boolean =>
  replaceHidden(text, char => (char === '\n' || char === '\t' ? char : '')) === text &&
  guardLineStart(text) === text &&
  !/^[^\S\n]*\/[a-z]/im.test(text);
