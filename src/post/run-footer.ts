import type { ModelUse } from '../core/outcome.js';

export interface FooterFacts {
  readonly time: string;
  readonly runUrl: string | undefined;
}

/** What a run took. Plain words and numbers of our own, and one link to where it ran. */
export function footerOf(
  outcome: {
    readonly run: string;
    readonly model: ModelUse;
    readonly change?: { readonly head: string };
    readonly ledger?: { readonly cached: number };
  },
  { time, runUrl }: FooterFacts,
): string[] {
  const { run, model, change, ledger } = outcome;
  return [
    ...(change === undefined ? [] : [change.head.slice(0, 7)]),
    ...(time === '' ? [] : [time]),
    ...(ledger === undefined || ledger.cached === 0 ? [] : [`${ledger.cached} from the cache`]),
    ...(model.requests === 0 ? [] : [`${model.requests} requests to the model`]),
    costOf(model),
    runUrl === undefined ? `run ${run}` : `[run ${run}](${runUrl})`,
  ];
}

/** On the machine itself nothing is paid for; what a server elsewhere takes is not known here. */
const costOf = ({ baseUrl = '', requests }: ModelUse): string =>
  requests === 0 || /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(baseUrl)
    ? 'cost 0'
    : 'cost unknown';
