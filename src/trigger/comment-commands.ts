import type { CommandSpec } from './commands.js';
import { DRY_RUN, GENERAL, MODEL, VOTES } from './option-tables.js';

/** The two halves of a command in a pull request: one holds the token, the other does the work. */
export const COMMENT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'respond',
    summary: 'admit or refuse the command in a pull-request comment (needs GITHUB_TOKEN)',
    synopsis: '[--out REQUEST] | --failed REQUEST',
    options: [
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      { name: 'out', value: 'FILE', help: 'write the request there, for run' },
      {
        name: 'failed',
        value: 'REQUEST',
        help: 'say in a comment that this request came to nothing',
      },
      DRY_RUN,
      ...GENERAL.filter(option => option.name !== 'config'),
    ],
  },
  {
    name: 'run',
    summary: 'execute what respond admitted (no token)',
    synopsis: 'REQUEST [--out FILE] [options]',
    options: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown (text)',
      },
      { name: 'out', value: 'FILE', help: 'also write the outcome there, as JSON' },
      { name: 'no-model', help: 'deterministic checks only' },
      VOTES,
      ...MODEL,
      ...GENERAL,
    ],
  },
];
