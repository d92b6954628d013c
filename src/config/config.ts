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
      turns: file.limits?.turns ?? 8,
      requests: file.limits?.requests ?? 12,
      badReplies: file.limits?.badReplies ?? 3,
      tokens: file.limits?.tokens ?? 100_000,
      resultTokens: file.limits?.resultTokens ?? 800,
      replyTokens: 512,
    },
    review: {
      failOn: file.review?.failOn ?? 'error',
      ignore: file.review?.ignore ?? [],
      maxFindings: file.review?.maxFindings ?? 200,
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
      deadlineMs: durationOr(file.hooks?.deadline, 8_000),
      failOn: file.hooks?.failOn ?? file.review?.failOn ?? 'error',
      failClosed: file.hooks?.failClosed ?? false,
      background: file.hooks?.background ?? true,
      notify: file.hooks?.notify ?? false,
      draft: file.hooks?.draft ?? 'comment',
    },
    publish: {
      notes: file.publish?.notes ?? false,
      maxComments: file.publish?.maxComments ?? 20,
      author: file.publish?.author,
    },
  };
}

function durationOr<Other>(text: string | undefined, other: Other): number | Other {
  return text === undefined ? other : (parseDuration(text) ?? other);
}
