import type { OptionSpec } from './argv.js';
import {
  AS_EVERYWHERE,
  DRY_RUN,
  FIXING,
  GENERAL,
  HELP,
  HOOK_OPTIONS,
  MODEL,
  NOT_SPLIT,
  REPORTING,
  SELECTORS,
  SHARD,
  VOTES,
} from './options.js';

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** Follows the name in the usage line. */
  readonly synopsis: string;
  /** What the first argument can be, if known. */
  readonly words?: readonly string[];
  readonly options: readonly OptionSpec[];
}

export const SHELLS = ['bash', 'zsh', 'fish'];

/** In the order of use: what people need first comes first. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'review',
    summary: 'review a change',
    synopsis: '[--staged | --range A..B | --commit REV | --pr N | --stdin] [options] [-- PATH…]',
    options: [...SELECTORS, ...REPORTING, ...MODEL, VOTES, SHARD, DRY_RUN, ...GENERAL],
  },
  {
    name: 'fix-lint',
    summary:
      "fix linter diagnostics on a branch (runs the checkout's linters, as npm run lint does)",
    synopsis: '[--range A..B | --all] [options] [-- PATH…]',
    options: [...FIXING, ...REPORTING, ...MODEL, ...NOT_SPLIT, ...GENERAL],
  },
  {
    name: 'describe',
    summary: 'title and description for a change (needs a model)',
    synopsis: '[--staged | --range A..B | --commit REV | --pr N | --stdin] [options] [-- PATH…]',
    options: [
      ...SELECTORS,
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown (text)',
      },
      { name: 'out', value: 'FILE', help: 'also write the outcome to this file, as JSON' },
      { name: 'strict', help: 'exit 6 if parts were described without the model' },
      ...AS_EVERYWHERE,
      DRY_RUN,
      ...MODEL,
      ...NOT_SPLIT,
      ...GENERAL,
    ],
  },
  {
    name: 'ask',
    summary: 'answer a question about the repository (needs a model)',
    synopsis: '"QUESTION" [--commit REV] [options]',
    options: [
      { name: 'commit', value: 'REV', help: 'read the repository at this commit (HEAD)' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown (text)',
      },
      { name: 'out', value: 'FILE', help: 'also write the outcome to this file, as JSON' },
      { name: 'strict', help: 'exit 6 if no answer could be confirmed' },
      ...AS_EVERYWHERE,
      DRY_RUN,
      ...MODEL,
      ...NOT_SPLIT,
      ...GENERAL,
    ],
  },
  {
    name: 'show',
    summary: 'show the record of a run or of commits',
    synopsis: '[RUN | FILE.json | REV… | A..B] [options]',
    options: [
      {
        name: 'html',
        value: 'FILE',
        isValueOptional: true,
        help: 'write the audit page of one run, the newest unless named (in the git directory)',
      },
      { name: 'open', help: 'open that page in the browser' },
      { name: 'list', help: 'list the recorded runs, newest first' },
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      ...GENERAL,
    ],
  },
  {
    name: 'install',
    summary: 'install the git hooks',
    synopsis: '[--hooks LIST] [--print]',
    options: [
      {
        name: 'hooks',
        value: 'LIST',
        help: 'pre-commit, post-commit, post-rewrite (these), prepare-commit-msg, pre-push',
      },
      { name: 'print', help: 'write nothing; print what to add' },
      HELP,
    ],
  },
  {
    name: 'uninstall',
    summary: 'remove exactly the hooks that install wrote',
    synopsis: '',
    options: [HELP],
  },
  {
    name: 'init',
    summary: 'write a starting configuration, copy the workflows; overwrites nothing',
    synopsis: '[--workflows [--from OWNER/REPO@COMMIT]] [--hooks]',
    options: [
      {
        name: 'workflows',
        help: "copy the workflows to .github/workflows, pinned to the lockfile's commit",
      },
      { name: 'from', value: 'OWNER/REPO@COMMIT', help: 'pin this commit instead' },
      { name: 'hooks', help: 'install the git hooks too' },
      HELP,
    ],
  },
  {
    name: 'doctor',
    summary: 'check what works here, and how to fix the rest',
    synopsis: '[options]',
    options: [
      { name: 'report', help: 'one page to paste into an issue: no names, no paths, no tokens' },
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      ...MODEL.filter(option => option.name !== 'protocol'),
      ...GENERAL,
    ],
  },
  {
    name: 'demo',
    summary: 'everything in a temporary repository, scripted, no model needed',
    synopsis: '[--live] [options]',
    options: [
      { name: 'live', help: 'with the model on this machine instead of the scripted one' },
      ...MODEL.filter(option => option.name !== 'allow-remote').map(option => ({
        ...option,
        help: `with --live: ${option.help}`,
      })),
      ...GENERAL.filter(option => option.name !== 'config' && option.name !== 'verbose'),
    ],
  },
  {
    name: 'explain',
    summary: 'what a rule means, with examples and how to silence it',
    synopsis: '[RULE]',
    options: [HELP],
  },
  {
    name: 'plan',
    summary: 'show what a review would cover, with no model call',
    synopsis: '[--staged | --range A..B | --commit REV | --pr N | --stdin] [options] [-- PATH…]',
    options: [
      ...SELECTORS,
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      { name: 'no-model', help: 'accepted for consistency; a plan asks no model' },
      { name: 'shards', value: 'N', help: 'print an Actions matrix for N runners' },
      { name: 'explain', value: 'PATH', help: 'which of your own rules apply to a file, and why' },
      ...GENERAL,
    ],
  },
  {
    name: 'merge',
    summary: 'join the outcomes of several shards',
    synopsis: 'FILE… [options]',
    options: [
      ...REPORTING.filter(each => each.name !== 'no-model'),
      ...GENERAL.filter(each => each.name !== 'config' && each.name !== 'deadline'),
    ],
  },
  {
    name: 'post',
    summary:
      'publish an outcome: review, check, note (needs GITHUB_TOKEN unless it is only a note)',
    synopsis: 'FILE [--pr N] [--note] [--check] [options]',
    options: [
      {
        name: 'pr',
        value: 'N',
        help: 'on this pull request (the one in the outcome, else a note)',
      },
      { name: 'note', help: 'as a note on the commit; on its own it makes no GitHub request' },
      { name: 'check', help: 'set a check on the commit, with annotations' },
      ...REPORTING.filter(option => option.name === 'fail-on').map(option => ({
        ...option,
        help: 'severity from which the check fails (error)',
      })),
      DRY_RUN,
      ...GENERAL,
    ],
  },
  {
    name: 'push',
    summary: "push an outcome's branch, open the pull request (needs GITHUB_TOKEN)",
    synopsis: 'FILE [--pr N] [--branch-only] [--answer] [options]',
    options: [
      {
        name: 'pr',
        value: 'N',
        help: 'for the branch of this pull request (the one in the outcome)',
      },
      { name: 'branch-only', help: 'open no pull request; print the link that opens one' },
      { name: 'answer', help: 'comment on the pull request even if nothing was fixed' },
      { name: 'dry-run', help: 'check everything, print what would be pushed, write nothing' },
      ...GENERAL,
    ],
  },
  {
    name: 'respond',
    summary: 'admit or refuse the command in a pull-request comment (needs GITHUB_TOKEN)',
    synopsis: '[--out REQUEST] | --failed REQUEST',
    options: [
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      { name: 'out', value: 'FILE', help: 'write the request to this file, for run' },
      {
        name: 'failed',
        value: 'REQUEST',
        help: 'report in a comment that this request failed',
      },
      DRY_RUN,
      ...GENERAL.filter(option => option.name !== 'config'),
    ],
  },
  {
    name: 'run',
    summary: 'carry out what respond admitted (no token)',
    synopsis: 'REQUEST [--out FILE] [options]',
    options: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown (text)',
      },
      ...REPORTING.filter(option => option.name !== 'format').map(option => ({
        ...option,
        help: option.help.replace('(error)', '(never)'),
      })),
      ...MODEL,
      VOTES,
      SHARD,
      DRY_RUN,
      ...GENERAL,
    ],
  },
  {
    name: 'notes',
    summary: 'fetch, push and merge the notes',
    synopsis: 'fetch|push [REMOTE] | merge REF',
    words: ['fetch', 'push', 'merge'],
    options: GENERAL,
  },
  {
    name: 'calibrate',
    summary: "measure this machine's model and pick the best protocol (needs a model)",
    synopsis: '[--runs N] [options]',
    options: [
      { name: 'runs', value: 'N', help: 'runs of each variant (15)' },
      { name: 'format', value: 'FORMAT', choices: ['text', 'json'], help: 'text, json (text)' },
      { name: 'strict', help: 'exit 6 if it could not finish' },
      ...MODEL.filter(option => option.name !== 'protocol'),
      ...GENERAL,
    ],
  },
  {
    name: 'eval',
    summary: 'planted bugs and clean hunks: precision, recall, false alarms, seconds',
    synopsis: '[--suite DIR] [options]',
    options: [
      { name: 'suite', value: 'DIR', help: 'a folder of .diff or .jsonl cases (the bundled ones)' },
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'markdown'],
        help: 'text, json, markdown for an issue (text)',
      },
      { name: 'no-model', help: 'the deterministic checks only' },
      { name: 'strict', help: 'exit 6 if it could not finish' },
      VOTES,
      ...MODEL,
      ...GENERAL.filter(option => option.name !== 'config'),
    ],
  },
  {
    name: 'hook',
    summary: 'what the installed hooks call',
    synopsis: 'pre-commit | prepare-commit-msg | post-commit | post-rewrite | pre-push [options]',
    words: ['pre-commit', 'prepare-commit-msg', 'post-commit', 'post-rewrite', 'pre-push'],
    options: HOOK_OPTIONS,
  },
  {
    name: 'completion',
    summary: 'print completions for a shell: source <(apfel-bot completion bash)',
    synopsis: SHELLS.join('|'),
    words: SHELLS,
    options: [HELP],
  },
];

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  HELP,
  { name: 'version', short: 'v', help: 'print the version' },
];
