import { CORPORA } from './corpus.js';

/** Why a long test is left out of an everyday run. */
export const LONG = 'long; npm run test:all runs it';

/** Programs that some tests run and that a package of the same name brings on Debian. */
const DEBIAN = ['bash', 'chromium', 'dash', 'pre-commit', 'shellcheck', 'tmux'];

/** One line for each reason, in words that tell a newcomer how to run those tests, too. */
export function explainSkips(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const corpora = new Set<string>();
  for (const reason of reasons) {
    const corpus = /^corpus (\S+) is not here$/.exec(reason)?.[1];
    if (corpus !== undefined) corpora.add(corpus);
    const kind = corpus === undefined ? reason : 'corpus';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `skipped ${count}: ${explain(kind, corpora)}`);
}

function explain(kind: string, corpora: ReadonlySet<string>): string {
  if (kind === LONG) {
    return 'long, each a more thorough version of a test that ran; `npm run test:all` runs them';
  }
  if (kind === 'corpus') {
    return `need a corpus (third-party test data that isn't in the repository): looked for ${[...corpora].join(', ')} in ${CORPORA}; APFEL_BOT_CORPORA names another folder`;
  }
  const program = /^(\S+) is not installed$/.exec(kind)?.[1];
  if (program === undefined || !DEBIAN.includes(program)) return kind;
  return `${program} isn't installed (Debian: apt-get install ${program})`;
}
