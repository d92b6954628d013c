import { fingerprint } from '../core/fingerprint.js';

const MARK = /^<!-- apfel-bot:fix-lint ([0-9a-f]{16}) -->\n/;

export interface PullText {
  readonly title: string;
  readonly body: string;
}

/** The same text with a hidden first line by which a later run knows it. */
export const markPull = ({ title, body }: PullText): PullText => ({
  title,
  body: `<!-- apfel-bot:fix-lint ${digestOf({ title, body })} -->\n${body.trim()}\n`,
});

/** Whether title and description are ours and as we wrote them: what people edited is theirs. */
export function isUntouched({ title, body }: PullText): boolean {
  const text = body.replaceAll('\r\n', '\n');
  const mark = MARK.exec(text);
  if (mark === null) return false;
  return mark[1] === digestOf({ title, body: text.slice(mark[0].length) });
}

export const isSamePull = (one: PullText, other: PullText): boolean =>
  one.title === other.title && settled(one.body) === settled(other.body);

const settled = (body: string): string => body.replaceAll('\r\n', '\n').trim();

const digestOf = ({ title, body }: PullText): string => fingerprint(`${title}\n${settled(body)}`);
