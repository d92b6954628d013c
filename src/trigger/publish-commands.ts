import type { CommandSpec } from './commands.js';
import { DRY_RUN, GENERAL, REPORTING } from './option-tables.js';

/** What holds the token and never talks to a model. */
export const PUBLISH_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'post',
    summary: 'publish an outcome: review, check, note (needs GITHUB_TOKEN, but for a note)',
    synopsis: 'FILE [--pr N] [--note] [--check] [options]',
    options: [
      {
        name: 'pr',
        value: 'N',
        help: 'on this pull request (the one in the outcome, else a note)',
      },
      { name: 'note', help: 'as a note on the commit; alone it asks nothing of GitHub' },
      { name: 'check', help: 'set the check of the commit, with annotations' },
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
      { name: 'branch-only', help: 'open no pull request; print the link to open it by' },
      { name: 'answer', help: 'tell the pull request also that nothing was fixed' },
      { name: 'dry-run', help: 'check everything, print what would be pushed, write nothing' },
      ...GENERAL,
    ],
  },
];
