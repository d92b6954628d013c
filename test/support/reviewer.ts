import type { Conversation, Policy, PolicyReply } from '../../fixtures/apfel/stand-in.js';

export interface Reviewer {
  /** Text of lines it takes for bugs. */
  readonly sees: readonly string[];
  /** What it says when asked to refute a claim. */
  readonly refutes?: boolean;
  /** Spoils what it reports: a wrong number, a quote that is not there, a line that did not change. */
  readonly spoil?: 'number' | 'quote' | 'mark';
}

/** A scripted model for reviews: reports each line it knows for a bug once, then is done. */
export const reviewer =
  (skill: Reviewer): Policy =>
  conversation => {
    const said = conversation.messages.map(message => message.text).join('\n');
    if (/Is the claim wrong/.test(said)) {
      return act(conversation, 'finish', { answer: skill.refutes ? 'wrong, it is fine' : 'holds' });
    }
    const opening = conversation.messages.find(message => message.role === 'user')?.text ?? '';
    const reports = conversation.messages.filter(({ text }) =>
      /noted at|^error: /.test(text),
    ).length;
    const next = bugsIn(opening, skill.sees)[reports];
    if (next === undefined) return act(conversation, 'finish', { answer: 'nothing' });
    return act(conversation, 'report_finding', { ...next, ...spoiled(next, skill.spoil) });
  };

interface Report {
  readonly line: string;
  readonly quote: string;
  readonly severity: string;
  readonly message: string;
  readonly path: string;
}

function bugsIn(opening: string, sees: readonly string[]): Report[] {
  let path = '';
  const found: Report[] = [];
  for (const row of opening.split('\n')) {
    path = /^file ([^,]+)/.exec(row)?.[1] ?? path;
    const [, mark, text] = /^\+(\d+#\w+)\| (.*)$/.exec(row) ?? [];
    const quote = sees.find(each => text?.includes(each));
    if (mark === undefined || quote === undefined) continue;
    found.push({ line: mark, quote, severity: 'error', message: 'reads past the end', path });
  }
  return found;
}

function spoiled(report: Report, how: Reviewer['spoil']): Partial<Report> {
  const [number = '', check = ''] = report.line.split('#');
  if (how === 'number') return { line: `${Number(number) + 1}#${check}` };
  if (how === 'mark') return { line: `${number}#zz` };
  return how === 'quote' ? { quote: 'text that is not there' } : {};
}

/** The action in whatever protocol was asked for. */
export function act(
  { schema, tools }: Conversation,
  name: string,
  values: Readonly<Record<string, unknown>>,
): PolicyReply {
  if (schema === undefined) {
    return tools.length > 0
      ? { kind: 'call', name, arguments: { ...values } }
      : { kind: 'text', text: JSON.stringify({ action: name, ...values }) };
  }
  const properties = schema['properties'] as Record<string, { enum?: string[] }>;
  const value = Object.entries(properties).map(([key, { enum: choices }]) => {
    const bare = key.replace(/^[a-z]_/, '');
    if (bare === 'action') return [key, name];
    return [key, values[bare] ?? choices?.[0] ?? ''];
  });
  return { kind: 'object', value: Object.fromEntries(value) };
}
