import { type Handler, withServer } from '../model/openai-harness.js';

const words = (content: string): [number, object] => [
  200,
  { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] },
];
const SORRY = "I'm sorry, but I can't assist with that.";
const TUT_MIR_LEID = 'Es tut mir leid, aber dabei kann ich nicht helfen.';
const BLOCKED = { message: 'blocked by the guardrails', type: 'content_policy_violation' };

/** What a server replies to whatever is asked; each key is what a test's title says of it. */
const REPLIES = {
  fails: [500, { error: { message: 'no', type: 'server_error' } }],
  'blocks everything': [400, { error: BLOCKED }],
  redirects: [302, {}],
  apologises: words(JSON.stringify({ a_reason: SORRY, d_newText: SORRY })),
  'declines in another language': words(JSON.stringify({ a_reason: TUT_MIR_LEID })),
  'sends junk': words('%$ {{{'),
  hangs: undefined,
} satisfies Record<string, [status: number, body: object] | undefined>;

export type Broken = keyof typeof REPLIES;

export const BROKEN_SERVERS = Object.keys(REPLIES) as Broken[];

/** Lists its models as a good server does; `asked` counts the questions. */
export function withBrokenServer(
  broken: Broken,
  body: (args: readonly string[], asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  const [status, reply] = REPLIES[broken] ?? [];
  const handler: Handler = ({ url }, response) => {
    const headers = { 'content-type': 'application/json', location: '/evil' };
    if (url !== '/v1/chat/completions') {
      response.writeHead(200, headers).end(JSON.stringify({ data: [{ id: 'm' }] }));
      return;
    }
    asked += 1;
    if (status !== undefined) response.writeHead(status, headers).end(JSON.stringify(reply));
  };
  return withServer(handler, baseUrl =>
    body(['--base-url', baseUrl, '--model', 'm', '--strict'], () => asked),
  );
}
