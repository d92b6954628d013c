import type { CommandSpec } from './commands.js';
import { GENERAL, MODEL } from './option-tables.js';

export const DEMO_COMMAND: CommandSpec = {
  name: 'demo',
  summary: 'the whole story in a temporary repository, scripted, no model needed',
  synopsis: '[--live] [options]',
  options: [
    { name: 'live', help: 'with the model on this machine instead of the scripted one' },
    { name: 'fast', help: 'no time to read between the steps' },
    ...MODEL.filter(option => option.name !== 'allow-remote').map(option => ({
      ...option,
      help: `with --live: ${option.help}`,
    })),
    ...GENERAL.filter(option => option.name !== 'config' && option.name !== 'verbose'),
  ],
};
