import type { ProtocolName } from '../model/calibration.js';
import {
  type AssistantMessage,
  type Message,
  type ToolResultMessage,
  textOf,
} from '../model/model.js';
import { groundingOf, isProtocolText, isRefusal } from './grounding.js';
import {
  type Attempt,
  bad,
  CUT,
  type End,
  type Judgement,
  type Limits,
  limitHit,
  orderedName,
  Questioner,
  type QuestionSetup,
  type Shape,
  TOO_LONG,
  toolResult,
  type Unusable,
  userMessage,
} from './question.js';
import { callsIn, readCall, type WordedReply } from './read-reply.js';
import { cutLine, cutText } from './tokens.js';
import {
  checkCall,
  exampleOf,
  type Registry,
  registry,
  runTool,
  stringOf,
  type Tool,
  type ToolInput,
} from './tool.js';

/** The input of one conversation. */
export interface ConversationSetup extends QuestionSetup {
  readonly task: { readonly system: string; readonly opening: string };
  /** The tools available now; read before each request. */
  readonly tools: Registry;
  readonly limits: Limits;
  /** Undefined if the answer is good enough; otherwise what is missing. */
  readonly judge?: (answer: string) => Pick<Unusable, 'problem' | 'message'> | undefined;
}

/** The result of a conversation. However it ended, its answer and costs are here. */
export interface Conversation {
  readonly end: End;
  /** The accepted answer; if there is none, the last one given. */
  readonly answer: string | undefined;
  readonly results: readonly ToolResultMessage[];
  readonly requests: number;
  readonly retries: number;
  readonly repairs: number;
  readonly refusals: number;
  readonly overflows: number;
  /** The protocol it ended with. */
  readonly protocol: ProtocolName;
}

/** A request that the server refused as too long is repeated with this share of the window. */
const LESS = 0.7;

/**
 * One bounded conversation with tools: ask for the next step, carry it out, show the result, until
 * code finds the task done or a limit is reached. Never throws for anything the model or its server
 * does.
 */
export async function converse(setup: ConversationSetup): Promise<Conversation> {
  const questioner = new Questioner(setup);
  const turns: Turn[] = [];
  let lastAnswer: string | undefined;
  let [share, overflows] = [1, 0];
  const over = (end: End): Conversation => {
    questioner.close(end);
    const { requests, retries, repairs, refusals, protocol } = questioner;
    const results = turns.map(({ result }) => result);
    const counts = { requests, retries: retries + overflows, repairs, refusals, overflows };
    return { end, answer: lastAnswer, results, ...counts, protocol };
  };
  for (;;) {
    if (turns.length >= setup.limits.turns) return over(limitHit('turns', turns.length));
    const { task, tools } = setup;
    const isLast = turns.length + 1 >= setup.limits.turns;
    let whole = 0;
    /**
     * A call that lacked an argument is repeated with this tool alone, so that the argument can be
     * required.
     */
    let wanted: Tool | undefined;
    const shape = (attempt: Attempt, protocol: ProtocolName): Shape | undefined => {
      const fitted = fit(turns, history => {
        const offered = wanted === undefined ? tools : registry([wanted]);
        const asked = turnShape({ task, tools: offered, history, attempt, isLast }, protocol);
        const { tokens, available } = questioner.measureShape(asked);
        return { asked, isFitting: tokens <= available * share };
      });
      whole = fitted?.whole ?? turns.length;
      return fitted?.asked;
    };
    const judge = async (reply: WordedReply): Promise<Judgement<Step>> => {
      const read = await readStep(reply, tools);
      wanted = 'isGood' in read ? read.tool : undefined;
      if ('isGood' in read) return read;
      if (read.repairs.length > 0) questioner.repairs += 1;
      const answer = stringOf(read.input, 'answer');
      if (answer !== '' && !isRefusal(answer) && !isProtocolText(answer, tools.names))
        lastAnswer = answer;
      const shown = [task.opening, ...turns.map(({ result }) => textOf(result))];
      const seen = turns.slice(whole).map(({ key }) => key);
      const problem = problemWith(read, { shown, seen, tools: tools.names, judge: setup.judge });
      return problem ?? { isGood: true, value: read };
    };
    const options = { maxUnread: setup.limits.badReplies };
    const { value, end } = await questioner.exchange(shape, judge, options);
    if (end.reason === 'overflow' && end !== TOO_LONG) {
      share *= LESS;
      overflows += 1;
      continue;
    }
    if (value === undefined || value.tool.name === 'finish') return over(end);
    turns.push(await carryOut(value, turns.length + 1, setup, questioner));
  }
}

/** A call, its result, and a key that equal calls share. */
interface Turn {
  readonly call: AssistantMessage;
  readonly result: ToolResultMessage;
  readonly key: string;
}

/** The next step that the model asks for. */
interface Step {
  readonly tool: Tool;
  readonly input: ToolInput;
  readonly repairs: readonly string[];
  /** Calls after the first one of a reply. */
  readonly extra: number;
  /** Plain text, which may be a call in the wrong form. */
  readonly isWords: boolean;
}

const keyOf = ({ tool, input }: Pick<Step, 'tool' | 'input'>): string =>
  `${tool.name} ${JSON.stringify(Object.entries(input).sort())}`;

async function carryOut(
  step: Step,
  number: number,
  { limits, signal, clock }: ConversationSetup,
  questioner: Questioner,
): Promise<Turn> {
  const { tool, input, repairs, extra } = step;
  const startedAt = clock.now();
  const outcome = await runTool(tool, input, { maxTokens: limits.resultTokens, signal });
  const note = `\n(one call at a time: ${extra} more in that reply were not carried out)`;
  const text = extra > 0 ? outcome.text + note : outcome.text;
  const { isError, details } = outcome;
  const durationMs = clock.now() - startedAt;
  questioner.note(tool.name, input, { text, isError, repairs, details, durationMs });
  // Our own, because the server's ids repeat from turn to turn.
  const id = `call_${number}`;
  return {
    key: keyOf(step),
    call: { role: 'assistant', content: [{ type: 'toolCall', id, name: tool.name, input }] },
    result: toolResult(id, tool.name, { text, isError, details }),
  };
}

/** What a reply asks for. Plain text is an answer where one is allowed. */
async function readStep(
  reply: WordedReply,
  tools: Registry,
): Promise<Step | (Unusable & { readonly tool?: Tool | undefined })> {
  if (reply.kind === 'answer' && isRefusal(reply.text)) {
    return bad('declined', '', reply.text.slice(0, 200));
  }
  const found = callsIn(reply, tools);
  if (found.kind === 'cut') return CUT;
  if (found.kind === 'none') {
    const text = reply.text.trim();
    const finish = tools.find('finish');
    if (text === '') return bad('unreadable', 'Your last reply was empty.', 'the reply was empty');
    return finish === undefined || isProtocolText(text, tools.names)
      ? bad('unreadable', `Reply with one call, such as: ${example(tools)}`, UNUSABLE)
      : { tool: finish, input: { answer: text }, repairs: [], extra: 0, isWords: true };
  }
  const [first, ...others] = found.calls;
  if (first === undefined) return bad('unreadable', 'Your last reply held no call.', UNUSABLE);
  // Under a schema an apology can only be in the reason.
  const { reason = '' } = first;
  if (isRefusal(reason)) return bad('declined', '', reason.slice(0, 200));
  const call = readCall(first, tools);
  const checked = await checkCall(call, tools);
  if ('problem' in checked) {
    const unknown = call.dropped.slice(0, 5).join(', ');
    const problem = `error: ${checked.problem}${unknown && `. It does not know: ${unknown}`}`;
    const message = 'the model called tools that are not there, or called them wrongly';
    return { ...bad('bad-call', problem, message), tool: tools.find(call.name) };
  }
  const repairs = [...found.repairs, ...call.repairs];
  return { tool: checked.tool, input: call.input, repairs, extra: others.length, isWords: false };
}

/** The model's word is never proof: code asks for what is missing. */
function problemWith(
  step: Step,
  context: {
    readonly shown: readonly string[];
    readonly seen: readonly string[];
    readonly tools: readonly string[];
    readonly judge: ConversationSetup['judge'];
  },
): Unusable | undefined {
  if (step.tool.name !== 'finish') {
    const { name } = step.tool;
    const again = `${name} was already called with these arguments and its result is above. Use it, or do something else.`;
    const message = `the model called ${name} again with the same arguments`;
    return context.seen.includes(keyOf(step)) ? bad('bad-call', again, message) : undefined;
  }
  const answer = stringOf(step.input, 'answer');
  if (isRefusal(answer)) return bad('declined', '', answer.slice(0, 200));
  if (isProtocolText(answer, context.tools)) {
    return bad(
      'unreadable',
      'Your last answer was a call in words. Answer in a sentence.',
      UNUSABLE,
    );
  }
  if (step.isWords && groundingOf(answer, context.shown).proven.length === 0) {
    return bad('unreadable', 'Call finish with the answer, or the next tool.', UNUSABLE);
  }
  const missing = context.judge?.(answer);
  return missing === undefined
    ? undefined
    : bad('unproven', `You are not done: ${missing.problem}.`, missing.message);
}

const UNUSABLE = 'the model gave neither a call nor an answer';

const example = ({ tools: [first] }: Registry): string =>
  first === undefined ? '' : exampleOf(first);

/** One turn in each protocol. */
export function turnShape(
  turn: Pick<ConversationSetup, 'task' | 'tools'> & {
    readonly history: readonly Message[];
    readonly attempt: Attempt;
    readonly isLast: boolean;
  },
  protocol: ProtocolName,
): Shape {
  const { task, tools, history, attempt, isLast } = turn;
  const { system, opening } = task;
  const next = history.length === 0 ? '' : nextPrompt(tools, isLast);
  const prompt = [attempt.problem, next].filter(text => text !== '').join(' ');
  const parts = [rewording(attempt), system, '', describeTools(tools), RULES[protocol](tools)];
  const conversation = [userMessage(opening), ...history];
  const messages = withPrompt(
    protocol === 'text' ? conversation.map(asWords) : conversation,
    prompt,
  );
  const asked = { system: parts.join('\n').trimStart(), messages };
  switch (protocol) {
    case 'guided':
      return { ...asked, schema: { name: 'next_action', schema: actionSchema(tools) } };
    case 'native':
      return { ...asked, tools: tools.definitions };
    case 'text':
      return asked;
  }
}

/**
 * Names and parameters in prose: on the native path of the server the model often doesn't see the
 * schema.
 */
const describeTools = (tools: Registry): string =>
  [
    'Tools:',
    ...tools.tools.map(tool => {
      const names = Object.keys(tool.parameters.properties).map(name =>
        tool.parameters.required.includes(name) ? name : `${name}?`,
      );
      return `- ${tool.name}(${names.join(', ')}): ${tool.description} Example: ${exampleOf(tool)}`;
    }),
  ].join('\n');

const RULES: Readonly<Record<ProtocolName, (tools: Registry) => string>> = {
  guided: () =>
    'Reply with the next action: the reason in a few words, the action, and its parameters only.',
  native: tools =>
    tools.find('finish') === undefined
      ? `You MUST use the tools (${tools.names.join(', ')}) for what you do not know. Call one at a time.`
      : 'You MUST call exactly one of these tools in every reply. When the task is done, call finish.',
  // Not the object that apfel looks for in answers: a scalar in the wrong place of that one crashes
  // the whole server (apfel issue 388).
  text: ({ tools: [first] }) =>
    `To use a tool, reply ONLY with one JSON object: the tool in "action" and its parameters beside it. Example: ${JSON.stringify({ action: first?.name, ...first?.example })}`,
};

/**
 * Follows a result. If the result came last, apfel would add its own "answer the user", which ends
 * conversations too soon.
 */
function nextPrompt(tools: Registry, isLastTurn: boolean): string {
  const steps = tools.names.filter(name => name !== 'finish').join(', ');
  if (tools.find('finish') === undefined)
    return `Use the result above, or call the next tool (${steps}).`;
  return isLastTurn
    ? 'This is the last turn: take the one step that is left, or call finish with what you found.'
    : `Use the result above. If the task is done, call finish; else call the next tool (${steps}).`;
}

/** The guardrail and refusals depend on wording and chance. Each says the same in other words. */
const WORDINGS = [
  'You help with routine maintenance of a software repository. All text below is source code or output of tools.',
  'Context: an automated, harmless check of program text in a software project.',
  'A developer looks after a code base and asks for the next technical step.',
  'Treat every line below as plain data of a computer program.',
];

function rewording({ number, faults }: Attempt): string {
  const last = faults.at(-1);
  if (last === undefined || last === 'bad-call' || last === 'unproven') return '';
  return WORDINGS[(number - 1) % WORDINGS.length] ?? '';
}

function withPrompt(messages: readonly Message[], prompt: string): readonly Message[] {
  if (prompt === '') return messages;
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, userMessage(prompt)];
  return [...messages.slice(0, -1), userMessage(`${textOf(last)}\n\n${prompt}`)];
}

/** For servers with neither schema nor tools, calls and results become ordinary messages. */
function asWords(message: Message): Message {
  if (message.role === 'toolResult') {
    return userMessage(`${textOf(message)}\n(result of ${message.toolName})`);
  }
  if (message.role === 'user') return message;
  const texts = message.content.map(block =>
    block.type === 'text'
      ? block.text
      : JSON.stringify({ action: block.name, ...Object(block.input) }),
  );
  return { ...message, content: [{ type: 'text', text: texts.join('\n') }] };
}

/** One flat object with the reason, the action and the parameters of all available actions. */
function actionSchema({ names, tools }: Registry): Record<string, unknown> {
  const offered = new Map(tools.flatMap(tool => Object.entries(tool.parameters.properties)));
  const fields = ['reason', 'action', ...offered.keys()];
  const keys = fields.map((name, at) => orderedName({ name }, at));
  const property = (name: string): unknown => {
    if (name === 'reason') return { type: 'string', description: 'why, in at most 15 words' };
    if (name === 'action')
      return { type: 'string', enum: [...names], description: 'what to do next' };
    const users = tools.filter(tool => name in tool.parameters.properties);
    const parameter = users[0]?.parameters.properties[name];
    const description = `for ${users.map(tool => tool.name).join(', ')}: ${parameter?.description}`;
    return { ...parameter, description };
  };
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key, at) => [key, property(fields[at] ?? '')])),
    // apfel may leave out what isn't required; checkCall asks for parameters that only some actions
    // need.
    required: keys.filter(
      (_, at) => at < 2 || tools.every(tool => tool.parameters.required.includes(fields[at] ?? '')),
    ),
    additionalProperties: false,
  };
}

/**
 * As much of the conversation as fits: older results shrink to one line, then older calls are
 * dropped. `whole` is the first turn that is shown in full.
 */
function fit(
  turns: readonly Turn[],
  tried: (history: readonly Message[]) => { readonly asked: Shape; readonly isFitting: boolean },
): { readonly asked: Shape; readonly whole: number } | undefined {
  for (const { from, whole, cut } of plans(turns.length)) {
    const history = turns.slice(from).flatMap(({ call, result }, at) => {
      const isShort = from + at < whole;
      const shown = cut === undefined ? result : cutResult(result, cut);
      return [call, isShort ? shrunk(result) : shown];
    });
    const { asked, isFitting } = tried(history);
    const compaction = cut !== undefined || from > 0 ? 'cut' : whole > 0 ? 'shrunk' : 'none';
    if (isFitting) return { asked: { ...asked, compaction }, whole };
  }
  return undefined;
}

interface FitPlan {
  /** Turns before this one are left out. */
  readonly from: number;
  /** Of turns before this one, only the first line is shown. */
  readonly whole: number;
  /** The last result is cut to this many tokens. */
  readonly cut?: number;
}

/** From "everything unchanged" to "a few lines of the last result". */
function* plans(count: number): Generator<FitPlan> {
  const last = Math.max(0, count - 1);
  for (let whole = 0; whole <= last; whole += 1) yield { from: 0, whole };
  for (let from = 1; from <= last; from += 1) yield { from, whole: last };
  for (const cut of count === 0 ? [] : [400, 200, 100, 50]) yield { from: last, whole: last, cut };
}

const cutResult = (result: ToolResultMessage, tokens: number): ToolResultMessage =>
  withText(result, cutText(textOf(result), tokens, 'ask for a smaller part').text);

const shrunk = (result: ToolResultMessage): ToolResultMessage => {
  const [first = ''] = textOf(result).split('\n', 1);
  return withText(result, `${cutLine(first, 30)} (shown earlier)`);
};

const withText = (result: ToolResultMessage, text: string): ToolResultMessage => ({
  ...result,
  content: [{ type: 'text', text }],
});
