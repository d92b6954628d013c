import { parseDuration } from '../core/deadline.js';
import type { Severity } from '../core/finding.js';

export type FailOn = Severity | 'never';
type Grade = Severity | 'off';
/** How prepare-commit-msg drafts a message: as a comment of git's, or in place. */
type Draft = 'comment' | 'text';
export type Protocol = 'auto' | 'guided' | 'native' | 'text';

/** As the user wrote it: every key is optional. Checked against `schema/config.json`. */
export interface ConfigFile {
  readonly model?: {
    readonly baseUrl?: string;
    readonly name?: string;
    readonly protocol?: Protocol;
    readonly votes?: number;
    readonly start?: boolean;
    readonly keepAlive?: string;
    readonly contextWindow?: number;
  };
  readonly limits?: {
    readonly deadline?: string;
    readonly turns?: number;
    readonly requests?: number;
    readonly badReplies?: number;
    readonly tokens?: number;
    readonly resultTokens?: number;
  };
  readonly review?: {
    readonly failOn?: FailOn;
    readonly ignore?: readonly string[];
    readonly maxFindings?: number;
    readonly minSeverity?: Severity;
    readonly rules?: readonly string[];
  };
  readonly checks?: Readonly<
    Record<string, Grade | { readonly grade?: Grade; readonly ignore?: readonly string[] }>
  >;
  readonly lint?: readonly LinterSetting[];
  readonly verify?: { readonly commands?: ReadonlyArray<readonly string[]> };
  readonly branch?: { readonly prefix?: string; readonly protect?: readonly string[] };
  readonly hooks?: {
    readonly deadline?: string;
    readonly failClosed?: boolean;
    readonly failOn?: FailOn;
    readonly background?: boolean;
    readonly notify?: boolean;
    readonly draft?: Draft;
  };
  readonly publish?: Partial<Config['publish']>;
}

/** A linter of the user's own; `{files}` in its command is replaced by the files. */
interface LinterSetting {
  readonly name: string;
  readonly command: readonly string[];
  readonly format: 'eslint-json' | 'sarif' | 'checkstyle' | 'rdjson' | 'rdjsonl' | 'gcc' | 'github';
  readonly fix?: readonly string[];
  /** Reads a file's text on standard input, as a review needs; `{path}` is replaced by its path. */
  readonly stdin?: readonly string[];
  readonly files?: readonly string[];
}

export interface CheckSetting {
  readonly grade: Grade | undefined;
  readonly ignore: readonly string[];
}

/** With every value filled in. */
export interface Config {
  readonly model: {
    readonly baseUrl: string | undefined;
    readonly name: string | undefined;
    readonly protocol: Protocol;
    readonly votes: number;
    readonly start: boolean;
    readonly keepAliveMs: number | undefined;
    readonly contextWindow: number | undefined;
  };
  readonly limits: {
    readonly deadlineMs: number | undefined;
    readonly turns: number;
    readonly requests: number;
    readonly badReplies: number;
    readonly tokens: number;
    readonly resultTokens: number;
    readonly replyTokens: number;
  };
  readonly review: {
    readonly failOn: FailOn;
    readonly ignore: readonly string[];
    readonly maxFindings: number;
    readonly minSeverity: Severity;
    readonly rules: readonly string[];
  };
  readonly checks: ReadonlyMap<string, CheckSetting>;
  readonly lint: readonly LinterSetting[];
  readonly verify: { readonly commands: ReadonlyArray<readonly string[]> };
  readonly branch: { readonly prefix: string; readonly protect: readonly string[] };
  readonly hooks: {
    readonly deadlineMs: number;
    readonly failOn: FailOn;
    readonly failClosed: boolean;
    readonly background: boolean;
    readonly notify: boolean;
    readonly draft: Draft;
  };
  readonly publish: {
    readonly notes: boolean;
    readonly maxComments: number;
    /** The user that the token writes as; GitHub is asked if it isn't set. */
    readonly author: string | undefined;
  };
}

/** Contract: 8 turns and 12 requests a conversation, 3 bad replies in a row, 800 tokens a result. */
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
export function complete(file: ConfigFile): Config {
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
    checks: new Map(
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
