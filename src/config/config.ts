import { parseDuration } from '../core/deadline.js';
import type { Severity } from '../core/finding.js';
import type { ConfigFile } from '../generated/shapes.js';

export interface CheckSetting {
  readonly grade: Severity | 'off' | undefined;
  readonly ignore: readonly string[];
}

/** The configuration with every value filled in. */
export type Config = ReturnType<typeof complete>;
export type Protocol = Config['model']['protocol'];

const DEFAULTS = {
  turns: 8,
  requests: 12,
  badReplies: 3,
  tokens: 100_000,
  resultTokens: 800,
  replyTokens: 512,
  maxFindings: 200,
  hookDeadlineMs: 8_000,
  maxComments: 20,
} as const;

export const defaultConfig = (): Config => complete({});

/** Fills in the defaults. */
export function complete(file: ConfigFile) {
  return {
    model: {
      baseUrl: file.model?.baseUrl,
      name: file.model?.name,
      protocol: file.model?.protocol ?? 'auto',
      votes: file.model?.votes ?? 1,
      start: file.model?.start ?? true,
      keepAliveMs: durationOr(file.model?.keepAlive, undefined),
      contextWindow: file.model?.contextWindow,
    },
    limits: {
      deadlineMs: durationOr(file.limits?.deadline, undefined),
      turns: file.limits?.turns ?? DEFAULTS.turns,
      requests: file.limits?.requests ?? DEFAULTS.requests,
      badReplies: file.limits?.badReplies ?? DEFAULTS.badReplies,
      tokens: file.limits?.tokens ?? DEFAULTS.tokens,
      resultTokens: file.limits?.resultTokens ?? DEFAULTS.resultTokens,
      replyTokens: DEFAULTS.replyTokens,
    },
    review: {
      failOn: file.review?.failOn ?? 'error',
      ignore: file.review?.ignore ?? [],
      maxFindings: file.review?.maxFindings ?? DEFAULTS.maxFindings,
      minSeverity: file.review?.minSeverity ?? 'info',
      rules: file.review?.rules ?? [],
    },
    checks: new Map<string, CheckSetting>(
      Object.entries(file.checks ?? {}).map(([rule, setting]) => [
        rule.replace(/\/\*$/, ''),
        typeof setting === 'string'
          ? { grade: setting, ignore: [] }
          : { grade: setting.grade, ignore: setting.ignore ?? [] },
      ]),
    ),
    lint: file.lint ?? [],
    verify: { commands: file.verify?.commands ?? [] },
    branch: { prefix: file.branch?.prefix ?? 'apfel-bot', protect: file.branch?.protect ?? [] },
    hooks: {
      deadlineMs: durationOr(file.hooks?.deadline, DEFAULTS.hookDeadlineMs),
      failOn: file.hooks?.failOn ?? file.review?.failOn ?? 'error',
      failClosed: file.hooks?.failClosed ?? false,
      background: file.hooks?.background ?? true,
      notify: file.hooks?.notify ?? false,
      draft: file.hooks?.draft ?? 'comment',
    },
    publish: {
      notes: file.publish?.notes ?? false,
      maxComments: file.publish?.maxComments ?? DEFAULTS.maxComments,
      author: file.publish?.author,
    },
  };
}

function durationOr<Other>(text: string | undefined, other: Other): number | Other {
  return text === undefined ? other : (parseDuration(text) ?? other);
}
