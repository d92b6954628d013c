/** A suppression comment and the rules it names; without names it suppresses everything. */
interface Suppression {
  readonly mark: string;
  readonly names: ReadonlySet<string>;
}

/** Longer lists of rules are cut, so that no line takes long to parse. */
const MAX_RULE_LIST = 500;

/**
 * The marker by which `after` suppresses more than `before`, or undefined. Existing markers may
 * move, be removed, or name fewer rules.
 */
export function addedSuppression(before: string, after: string): string | undefined {
  const [old, fresh] = [suppressionsIn(before), suppressionsIn(after)];
  const known = new Map<string, number>();
  for (const each of old) count(known, each, 1);
  const added = fresh.filter(each => count(known, each, -1) < 0);
  const gone = old.filter(each => count(known, each, -1) >= 0);
  for (const each of added) {
    const at = gone.findIndex(other => isNarrower(each, other));
    if (at === -1) return each.mark;
    gone.splice(at, 1);
  }
  return lostEnd(before, after) && fresh.length >= old.length ? 'its end is removed' : undefined;
}

function suppressionsIn(text: string): Suppression[] {
  return [...text.matchAll(SUPPRESSION)].map(match => {
    const start = match.index + match[0].length;
    const [rest = ''] = text.slice(start, start + MAX_RULE_LIST).split('\n', 1);
    return { mark: match[0].toLowerCase().replace(/\s+/g, ' '), names: namesIn(rest) };
  });
}

/** Up to the end of the comment, or to a reason after two dashes. */
function namesIn(behind: string): Set<string> {
  const [list = ''] = behind.split(/\*\/|-->|\s--\s|\s#|\)\]/, 1);
  return new Set(list.split(/[^\w@/.:-]+/).filter(name => /\w/.test(name)));
}

/** Adds to the count of a marker and returns the sum. */
function count(known: Map<string, number>, { mark, names }: Suppression, step: number): number {
  const key = [mark, ...names].join('\0');
  const sum = (known.get(key) ?? 0) + step;
  known.set(key, sum);
  return sum;
}

function isNarrower(fresh: Suppression, old: Suppression): boolean {
  if (fresh.mark !== old.mark) return false;
  if (old.names.size === 0) return true;
  return fresh.names.size > 0 && [...fresh.names].every(name => old.names.has(name));
}

const lostEnd = (before: string, after: string): boolean =>
  [...after.matchAll(SUPPRESSION_END)].length < [...before.matchAll(SUPPRESSION_END)].length;

/**
 * Comments that suppress diagnostics. Each pattern matches only the marker; the rules follow it on
 * the line. Repetitions are bounded, because the text isn't trusted.
 */
const MARKS: readonly RegExp[] = [
  // JavaScript and TypeScript
  /eslint-disable(?:-next-line|-line)?/,
  /\/\*\s{0,9}(?:eslint|eslint-env|globals?|exported|jshint|jslint)(?=\s)/,
  /@ts-(?:ignore|expect-error|nocheck)/,
  /@vue-(?:ignore|expect-error|skip)/,
  /\$Flow(?:FixMe|Ignore|Issue|ExpectedError)|@noflow/,
  /(?:biome|rome|dprint|svelte|deno-lint)-ignore(?:-all|-start|-file)?/,
  /oxlint-disable(?:-next-line|-line)?/,
  /tslint:disable(?:-next-line|-line)?/,
  /jshint\s{1,9}ignore/,
  /(?:istanbul|c8|v8)\s{1,9}ignore/,
  // Styles, text, formatting
  /stylelint-disable(?:-next-line|-line)?/,
  /prettier-ignore(?:-start)?/,
  /markdownlint-(?:disable(?:-next-line|-line|-file)?|configure-file|capture)/,
  /(?:textlint|vale)[- ](?:disable|off)/,
  /cspell:\s{0,9}(?:disable|ignore)|codespell:ignore|spell-checker:\s{0,9}disable/,
  /(?:clang-format|@formatter)[: ]\s{0,3}off/,
  /#\s{0,9}(?:fmt|yapf|isort|autopep8|black):\s{0,9}(?:off|skip|disable|skip_file)/,
  // Python
  /(?:#|--)\s{0,9}(?:(?:flake8|ruff|sqlfluff):\s{0,9})?noqa\b/,
  /#\s{0,9}type:\s{0,9}ignore/,
  /#\s{0,9}(?:pyright|mypy|pyre|pytype|pylint|bandit|pyrefly|ty):\s{0,9}(?:ignore(?:-errors)?|disable(?:-next)?|basic)/,
  /#\s{0,9}pyre-(?:ignore|fixme)|pragma:\s{0,9}no\s?(?:cover|branch)/,
  // Shells, Go, Swift, Ruby, Rust
  /shellcheck\s{1,9}(?:disable=|source=\/dev\/null)/,
  /\/\/\s{0,9}(?:nolint|lint:ignore|lint:file-ignore|revive:disable|exhaustive:ignore)/,
  /#\s{0,9}nosec|nosemgrep|gitleaks:allow|checkov:skip|(?:tfsec|trivy|snyk|kics):ignore/,
  /swiftlint:disable(?::next|:this|:previous)?|swift-?format[:-](?:disable|ignore)/,
  /(?:rubocop|standard|erblint):(?:disable|todo)|steep:ignore|:nocov:|typed:\s{0,9}ignore/,
  /#!?\[\s{0,9}(?:allow|expect)\s{0,9}\(|#!?\[\s{0,9}cfg_attr\([^\]]{0,200}\b(?:allow|expect)\(|#!?\[\s{0,9}rustfmt::skip/,
  // C and similar languages, the JVM, PHP, configuration files
  /\bNOLINT(?:NEXTLINE|BEGIN)?\b|\bNOSONAR\b|\bNOPMD\b|cppcheck-suppress|CHECKSTYLE:OFF/,
  /#\s{0,9}pragma\s{1,9}(?:(?:GCC|clang)\s{1,9}diagnostic\s{1,9}ignored|warning\s{0,9}\(?\s{0,9}disable)/,
  /@Suppress(?:Warnings|FBWarnings|Lint)?\s{0,9}\(|\bnoinspection\b|ktlint-disable/,
  /phpcs:(?:ignore|disable)|@phpstan-ignore|@psalm-suppress|@codeCoverageIgnore/,
  /(?:yamllint|ansible-lint|hadolint|haml-lint|slim-lint)[: ]\s{0,9}(?:disable|ignore|skip)/,
  // Skipped tests
  /@(?:pytest\.mark|unittest)\.(?:skip|xfail|expectedFailure)|\bpytest\.skip\(|\bt\.Skip(?:Now|f)?\(|#\[\s{0,9}ignore|@(?:Disabled|Ignore)\b/,
  // Ours
  /apfel-bot-ignore/,
];

const SUPPRESSION = new RegExp(MARKS.map(mark => mark.source).join('|'), 'gi');

/** What ends a suppressed range; without it the range continues. */
const SUPPRESSION_END =
  /(?:eslint|oxlint|stylelint|tslint|markdownlint|textlint|yamllint)[:\s-]{1,3}enable|(?:swiftlint|rubocop|standard):enable|(?:prettier|biome|dprint)-ignore-end|clang-format\s{1,3}on|@formatter:on|\bfmt:\s{0,3}on|\bNOLINTEND\b|CHECKSTYLE:ON|markdownlint-restore/gi;
