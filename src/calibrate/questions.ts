/** A tool as the model sees it. Nothing is ever executed. */
interface QuestionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, QuestionParameter>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  readonly example: Readonly<Record<string, string | number>>;
}

interface QuestionParameter {
  readonly type: 'string' | 'integer';
  readonly description: string;
}

export interface Question {
  readonly tool: QuestionTool;
  readonly arguments: Readonly<Record<string, string | number>>;
  /** Asks for it without naming the tool. */
  readonly neutral: string;
  /** The same, and names it. */
  readonly directive: string;
}

const GET_TIME: QuestionTool = {
  name: 'get_time',
  description: 'Get the current date and time. Takes no arguments.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  example: {},
};

const READ_FILE: QuestionTool = {
  name: 'read_file',
  description: 'Read a text file from a line on.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'the file, from the top of the repository' },
      startLine: { type: 'integer', description: 'the first line to read, from 1' },
    },
    required: ['path', 'startLine'],
    additionalProperties: false,
  },
  example: { path: 'docs/guide.md', startLine: 1 },
};

/** Both are offered each time, so that the model has to choose. */
export const QUESTION_TOOLS: readonly QuestionTool[] = [GET_TIME, READ_FILE];

const PATHS = ['src/app.ts', 'lib/parse.py', 'README.md', 'test/run.sh', 'Sources/main.swift'];

/**
 * The question for a seed: the time for odd ones, a file for even ones. Files and lines vary too,
 * because not every server uses the seed.
 */
export function questionFor(seed: number): Question {
  return seed % 2 === 1 ? timeQuestion() : fileQuestion(seed / 2);
}

function timeQuestion(): Question {
  const neutral = 'What time is it right now?';
  return {
    tool: GET_TIME,
    arguments: {},
    neutral,
    directive: `${neutral} Use the ${GET_TIME.name} tool.`,
  };
}

function fileQuestion(number: number): Question {
  const path = PATHS[number % PATHS.length] ?? 'README.md';
  const startLine = 10 + 3 * number;
  const neutral = `What does the file ${path} say from line ${startLine} on?`;
  return {
    tool: READ_FILE,
    arguments: { path, startLine },
    neutral,
    directive: `${neutral} Use the ${READ_FILE.name} tool.`,
  };
}
