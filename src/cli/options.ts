import { FORMATS } from '../config/options.js';
import type { OptionSpec } from './argv.js';

export const SELECTORS: readonly OptionSpec[] = [
  { name: 'staged', help: 'staged changes, exactly as they would be committed' },
  { name: 'range', value: 'A..B', help: 'from A to B; A...B from their merge base' },
  { name: 'commit', value: 'REV', help: 'one commit against its parent' },
  { name: 'pr', value: 'N', help: 'a pull request, fetched from the remote by git alone' },
  {
    name: 'base',
    value: 'REV',
    help: "with --pr: what it is compared with (the event's base, else the default branch)",
  },
  { name: 'stdin', help: 'a unified diff on standard input; no repository needed' },
];

export const HELP: OptionSpec = { name: 'help', short: 'h', help: 'print this help' };

export const GENERAL: readonly OptionSpec[] = [
  { name: 'config', value: 'FILE', help: 'read this configuration instead of .apfel-bot.json' },
  {
    name: 'deadline',
    value: 'DURATION',
    help: 'wall clock for the run: 8s, 2m (10m; 8s in a hook)',
  },
  { name: 'quiet', help: 'no progress' },
  { name: 'verbose', help: 'print more on standard error' },
  { name: 'no-color', help: 'no colours (also NO_COLOR; FORCE_COLOR turns them on)' },
  HELP,
];

/** Not in the table of commands, because a hook doesn't load that. */
export const HOOK_OPTIONS: readonly OptionSpec[] = [
  { name: 'no-model', help: 'deterministic checks only' },
  ...GENERAL,
];

const SEVERITIES = ['error', 'warning', 'info', 'never'];

export const REPORTING: readonly OptionSpec[] = [
  { name: 'format', value: 'FORMAT', choices: FORMATS, help: `${FORMATS.join(', ')} (text)` },
  { name: 'out', value: 'FILE', help: 'also write the outcome to this file, as JSON' },
  {
    name: 'fail-on',
    value: 'SEVERITY',
    choices: SEVERITIES,
    help: 'severity from which findings give exit 1 (error)',
  },
  { name: 'strict', help: 'exit 6 when the run is incomplete' },
  { name: 'no-model', help: 'deterministic checks only' },
];

/** Options of every working command, for the commands where they have little effect. */
export const AS_EVERYWHERE: readonly OptionSpec[] = [
  {
    name: 'fail-on',
    value: 'SEVERITY',
    choices: SEVERITIES,
    help: 'accepted for consistency; there are no findings here',
  },
  { name: 'no-model', help: 'ask no model; this command then exits 4' },
];

export const DRY_RUN: OptionSpec = {
  name: 'dry-run',
  help: 'do the work, write nothing: no --out file, no record, no cache',
};

export const VOTES: OptionSpec = {
  name: 'votes',
  value: 'N',
  help: 'ask N times, keep what a majority agrees on (1)',
};

export const SHARD: OptionSpec = {
  name: 'shard',
  value: 'I/N',
  help: "this runner's part of the plan",
};

/** For commands that ask one question at a time and are done by one runner. */
export const NOT_SPLIT: readonly OptionSpec[] = [
  { name: 'votes', value: 'N', help: 'accepted for consistency; only review takes votes' },
  { name: 'shard', value: 'I/N', help: 'accepted for consistency; only review is split' },
];

export const MODEL: readonly OptionSpec[] = [
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
    help: 'how the model is asked to act: auto, guided, native, text (auto)',
  },
  { name: 'allow-remote', help: 'allow a base URL that is not on this machine' },
];

export const FIXING: readonly OptionSpec[] = [
  {
    name: 'range',
    value: 'A..B',
    help: 'fix diagnostics on the lines changed from A to B',
  },
  { name: 'all', help: 'fix everything, even if an event or --range names a change' },
  {
    name: 'rule',
    value: 'ID',
    help: 'only diagnostics of this rule; separate several with commas',
  },
  { name: 'max-fixes', value: 'N', help: 'stop after N fixes' },
  { name: 'single-commit', help: 'one commit for everything instead of one per rule' },
  {
    name: 'diagnostics',
    value: 'FILE',
    help: 'fix what this report lists instead of running the linters',
  },
  { name: 'plan', help: 'print which linters would run, on what and why; change nothing' },
  { name: 'dry-run', help: 'print the diff; create no branch' },
];
