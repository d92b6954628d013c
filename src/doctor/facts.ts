import type { InstalledHooks } from '../hooks/installed.js';
import type { ModelFailure } from '../model/model.js';

/** What is known about the machine. Outside text is one short line each; no secrets. */
export interface DoctorFacts {
  readonly platform: string;
  readonly nodeVersion: string;
  readonly git: GitFact;
  readonly repository: RepositoryFact;
  readonly config: ConfigFact;
  /** Undefined outside a repository. */
  readonly hooks: InstalledHooks | undefined;
  /** `apfel` on the PATH. */
  readonly program: ProgramFact | undefined;
  readonly server: ServerFact;
  readonly model: ModelFact;
  /** apfel's own count of some texts, in percent of our estimate. */
  readonly tokenShare: number | undefined;
  readonly power: PowerFact;
  readonly language: string | undefined;
  readonly github: GithubFact;
  readonly remotes: readonly RemoteFact[];
}

export type GitFact =
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'missing'; readonly message: string; readonly hint: string | undefined };

export type RepositoryFact =
  | { readonly kind: 'found'; readonly place: string; readonly isShallow: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'unasked' }
  | { readonly kind: 'unusable'; readonly message: string; readonly hint: string | undefined };

export type ConfigFact =
  /** Its file; undefined when everything is default. */
  | {
      readonly kind: 'valid';
      readonly origin: string | undefined;
      /** Another file with settings, which are not used. */
      readonly unused: string | undefined;
      /** `hooks.notify` is on, and there is no `osascript` to notify with. */
      readonly cannotNotify: boolean;
    }
  | { readonly kind: 'broken'; readonly message: string; readonly hint: string | undefined };

export interface ProgramFact {
  readonly path: string;
  readonly version: string | undefined;
}

export type ServerFact =
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string | undefined }
  | {
      readonly kind: 'apfel' | 'ollama' | 'other' | 'nothing' | 'silent';
      readonly baseUrl: string;
      /** By flag, environment or configuration; never replaced by another server. */
      readonly isNamed: boolean;
      readonly isLocal: boolean;
      readonly version: string | undefined;
      /** Whether apfel may be started when nothing answers. */
      readonly mayStart: boolean;
      /** Whether it then stays for the next run. */
      readonly isKept: boolean;
    };

export type ModelFact =
  /** The server's address is unusable. */
  | { readonly kind: 'unasked' }
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'late'; readonly afterMs: number }
  | {
      readonly kind: 'found';
      readonly name: string;
      readonly isApfel: boolean;
      readonly contextWindow: number;
      readonly isWindowAssumed: boolean;
      /** An apfel that we didn't start: it may have MCP tools. */
      readonly mayRunTools: boolean;
      readonly languages: readonly string[];
      readonly schema: 'honoured' | 'ignored' | 'unknown';
      readonly reply: ReplyFact;
      /** What `calibrate` picked for it. */
      readonly calibrated: string | undefined;
    };

/** The result of a tiny question. */
export type ReplyFact =
  | { readonly kind: 'answered'; readonly ms: number }
  | { readonly kind: ModelFailure; readonly message: string };

export type PowerFact = 'mains' | 'battery' | 'unknown' | 'not-limited';

/** GitHub's answer about the token in `GITHUB_TOKEN`. */
export type TokenAnswer =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'scopes'; readonly scopes: readonly string[] }
  /** It is valid; GitHub doesn't list the permissions of tokens of this kind. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly message: string };

export interface GithubFact {
  readonly token: TokenAnswer;
  /** The kind of token by its prefix; undefined when `GITHUB_TOKEN` isn't set. */
  readonly tokenKind: string | undefined;
  /** Of `GITHUB_API_URL`; undefined when that isn't a URL. */
  readonly apiHost: string | undefined;
}

export interface RemoteFact {
  readonly name: string;
  /** Undefined for a folder on this machine. */
  readonly host: string | undefined;
}
