import type { OptionSpec } from './parse-argv.js';

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** What follows the name, for the help. */
  readonly synopsis: string;
  readonly options: readonly OptionSpec[];
}

export const FORMATS = ['text', 'json', 'sarif', 'rdjson', 'github', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

const SELECTORS: readonly OptionSpec[] = [
  { name: 'staged', help: 'what is staged, exactly as it would be committed' },
  { name: 'range', value: 'A..B', help: 'from A to B; A...B from their merge base' },
  { name: 'commit', value: 'REV', help: 'one commit against its parent' },
  { name: 'stdin', help: 'a unified diff on standard input; no repository needed' },
];

const GENERAL: readonly OptionSpec[] = [
  { name: 'config', value: 'FILE', help: 'read this configuration instead of .apfel-bot.json' },
  {
    name: 'deadline',
    value: 'DURATION',
    help: 'wall clock for the run: 8s, 2m (10m; 8s in a hook)',
  },
  { name: 'quiet', help: 'no progress' },
  { name: 'verbose', help: 'say more on standard error' },
  { name: 'no-color', help: 'no colours (also NO_COLOR; FORCE_COLOR asks for them)' },
  { name: 'help', help: 'this text' },
];

const REPORTING: readonly OptionSpec[] = [
  { name: 'format', value: 'FORMAT', choices: FORMATS, help: `${FORMATS.join(', ')} (text)` },
  { name: 'out', value: 'FILE', help: 'also write the outcome there, as JSON' },
  {
    name: 'fail-on',
    value: 'SEVERITY',
    choices: ['error', 'warning', 'info', 'never'],
    help: 'severity from which findings give exit 1 (error)',
  },
  { name: 'strict', help: 'exit 6 when the run is incomplete' },
  { name: 'no-model', help: 'deterministic checks only' },
];

const VOTES: OptionSpec = {
  name: 'votes',
  value: 'N',
  help: 'ask N times, keep what a majority agrees on (1)',
};

const MODEL: readonly OptionSpec[] = [
  {
    name: 'base-url',
    value: 'URL',
    help: 'an OpenAI-compatible server (http://127.0.0.1:11434/v1)',
  },
  { name: 'model', value: 'NAME', help: "the model's name there" },
  {
    name: 'protocol',
    value: 'PROTOCOL',
    choices: ['auto', 'guided', 'native', 'text'],
    help: 'how actions are asked for: auto, guided, native, text (auto)',
  },
  { name: 'allow-remote', help: 'allow a base URL that is not on this machine' },
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'review',
    summary: 'review a change',
    synopsis: '[--staged | --range A..B | --commit REV | --stdin] [options] [-- PATH…]',
    options: [...SELECTORS, ...REPORTING, ...MODEL, VOTES, ...GENERAL],
  },
  {
    name: 'plan',
    summary: 'what a review would look at, with no model call',
    synopsis: '[--staged | --range A..B | --commit REV | --stdin] [options] [-- PATH…]',
    options: [
      ...SELECTORS,
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      ...GENERAL,
    ],
  },
  {
    name: 'ask',
    summary: 'answer a question about the repository (needs a model)',
    synopsis: '"QUESTION" [--commit REV] [options]',
    options: [
      { name: 'commit', value: 'REV', help: 'look at this commit (HEAD)' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown (text)',
      },
      { name: 'out', value: 'FILE', help: 'also write the outcome there, as JSON' },
      { name: 'strict', help: 'exit 6 when no answer could be confirmed' },
      ...MODEL,
      ...GENERAL,
    ],
  },
  {
    name: 'doctor',
    summary: 'what works here, and how to mend the rest',
    synopsis: '[options]',
    options: [
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      ...MODEL.filter(option => option.name !== 'protocol'),
      ...GENERAL,
    ],
  },
  {
    name: 'calibrate',
    summary: "measure this machine's model and pick the best protocol (needs a model)",
    synopsis: '[--runs N] [options]',
    options: [
      { name: 'runs', value: 'N', help: 'runs of each variant (15)' },
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      { name: 'strict', help: 'exit 6 when it could not be finished' },
      ...MODEL.filter(option => option.name !== 'protocol'),
      ...GENERAL,
    ],
  },
];

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { name: 'help', help: 'this text' },
  { name: 'version', help: 'the version' },
];
