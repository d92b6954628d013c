import { chance } from '../../../fixtures/apfel/chance.js';
import { ask } from '../../../src/ask/ask.js';
import { fixDiagnostic } from '../../../src/fix/model-fixes.js';
import type { ProtocolName } from '../../../src/model/calibration.js';
import type { Model, ModelRequest } from '../../../src/model/model.js';
import { nodeClock } from '../../../src/platform/clock.js';
import { review } from '../../../src/review/ask-chunks.js';
import { splitHunk } from '../../../src/review/split.js';
import { DEFAULT_LIMITS } from '../../agent/default-limits.js';
import { memorySource } from '../../agent/tools/memory-source.js';
import { fieldsIn, newLinesIn, textIn } from '../../support/closed-questions.js';

/** What became of one task, by the truth. */
interface Done {
  readonly isRight: boolean;
  readonly saysComplete: boolean;
}

export interface BenchTask {
  readonly name: string;
  /** Requests that a model without faults needs. */
  readonly least: number;
  /** The right answer to any request of this task. */
  right(request: ModelRequest, seed: number): Record<string, string>;
  run(model: Model, protocol: ProtocolName, seed: number): Promise<Done>;
}

const WORDS = 'order price cart user token limit page count retry cache event queue'.split(' ');
const word = (seed: number, what: string): string =>
  WORDS[Math.floor(chance(seed, what) * WORDS.length)] ?? 'order';

const setupFor = (model: Model, protocol: ProtocolName) => ({
  model,
  protocol,
  limits: DEFAULT_LIMITS,
  clock: { now: () => 0 },
  signal: new AbortController().signal,
});

/** A function of some lines, one of which reads past the end of a list. */
function program(seed: number): { lines: string[]; bug: number } {
  const name = word(seed, 'name');
  const count = 6 + Math.floor(chance(seed, 'count') * 30);
  const lines = Array.from(
    { length: count },
    (_, at) => `  const ${name}${at} = read${word(seed, `call ${at}`)}(${at}, options.${name});`,
  );
  const bug = Math.floor(chance(seed, 'bug') * count);
  lines[bug] = `  for (let at = 0; at <= ${name}s.length; at += 1) use(${name}s[at]);`;
  return { lines, bug: bug + 1 };
}

const reviewTask: BenchTask = {
  name: 'review',
  least: 2,
  right: request => {
    const lines = newLinesIn(textIn(request));
    const reason = `reads options and uses ${lines[0]?.text.trim().slice(0, 30) ?? ''}`;
    if (fieldsIn(request).includes('ruling')) return { reason, ruling: 'real_bug' };
    const bug = lines.find(({ text }) => text.includes('<='));
    if (bug === undefined) return { reason, verdict: 'nothing' };
    const quote = bug.text.trim().slice(0, 40);
    const message = 'reads past the end';
    const line = String(bug.line);
    return { reason, verdict: 'problem', line, quote, severity: 'error', message, more: 'no' };
  },
  run: async (model, protocol, seed) => {
    const { lines, bug } = program(seed);
    const hunk = {
      path: `src/${word(seed, 'path')}-${seed}.ts`,
      number: 1,
      section: '',
      blob: undefined,
      lines: lines.map((text, at) => ({ kind: 'added' as const, text, newLine: at + 1 })),
    };
    const parts = [...splitHunk(hunk, 3000)].map(({ part }) => part);
    const chunk = { number: 1, parts, tokens: 0, risk: 0 };
    const draft = await review(
      { chunks: [chunk], votes: 1, rulesFor: () => [] },
      { ...setupFor(model, protocol), about: { subject: undefined, source: undefined } },
    );
    const candidates = draft.parts.flatMap(part => part.candidates);
    return {
      isRight: candidates.some(({ line }) => line === bug),
      saysComplete: draft.parts.every(({ state }) => state === 'reviewed'),
    };
  },
};

const fixTask: BenchTask = {
  name: 'fix',
  least: 1,
  right: request => {
    const [, line, text] = /^(\d+)\| (.*<=.*)$/m.exec(textIn(request)) ?? [];
    const newText = (text ?? '').replace('<=', '<');
    return {
      reason: 'one step less',
      decision: 'edit',
      from: line ?? '1',
      to: line ?? '1',
      newText,
    };
  },
  run: async (model, protocol, seed) => {
    const { lines, bug } = program(seed);
    const text = `${lines.join('\n')}\n`;
    const wanted = text.replace('<=', '<');
    const path = `src/${word(seed, 'path')}-${seed}.ts`;
    const message = 'reads past the end of the list';
    const about = { tool: 'bounds', rule: 'past-the-end', path, line: bug, message } as const;
    const diagnostics = [{ ...about, unit: 'utf16', severity: 'error' } as const];
    const tryEdit = async (after: string): Promise<string | undefined> =>
      after === wanted ? undefined : 'bounds still reports past-the-end';
    let isKept = false;
    // As `fix-lint` does where chance may help.
    const rejections: string[] = [];
    let requests = 0;
    for (let rounds = 0; rounds < 3 && !isKept; rounds += 1) {
      const request = {
        diagnostics,
        text,
        tryEdit,
        before: { rounds, requests, rejections },
      };
      const answer = await fixDiagnostic(request, setupFor(model, protocol));
      isKept = answer.isKept;
      rejections.push(...answer.rejections);
      ({ requests } = answer);
      const { reason } = answer.end;
      if (answer.isLast || reason === 'turns' || (reason === 'server-failed' && rounds > 0)) break;
    }
    return { isRight: isKept, saysComplete: isKept };
  },
};

const limitFor = (seed: number): string => String(100 + Math.floor(chance(seed, 'value') * 800));

const askTask: BenchTask = {
  name: 'ask',
  least: 1,
  right: (request, seed) => {
    const shown = textIn(request);
    const [, value] = new RegExp(`${word(seed, 'name')}Limit = (\\d+)`).exec(shown) ?? [];
    return value === undefined
      ? { reason: 'look', action: 'search_code', query: `${word(seed, 'name')}Limit` }
      : { reason: 'found', action: 'finish', answer: `It is ${value}.` };
  },
  run: async (model, protocol, seed) => {
    const name = `${word(seed, 'name')}Limit`;
    const path = `src/${word(seed, 'path')}.ts`;
    const source = memorySource({
      [path]: `// limits\nexport const ${name} = ${limitFor(seed)};\n`,
      'src/other.ts': `export const other = ${Number(limitFor(seed)) + 7};\n`,
    });
    const { conversation, grounding } = await ask({
      ...setupFor(model, protocol),
      question: `What is the value of ${name} (question ${seed})?`,
      source,
      preferred: undefined,
      tokenScale: 1,
      clock: nodeClock,
      onEntry: () => undefined,
    });
    const saysComplete =
      conversation.end.reason === 'finished' &&
      grounding.proven.length > 0 &&
      grounding.unproven.length === 0;
    return { isRight: (conversation.answer ?? '').includes(limitFor(seed)), saysComplete };
  },
};

export const TASKS: readonly BenchTask[] = [reviewTask, fixTask, askTask];
