import type { Config } from '../config/config.js';
import { BotError } from '../core/bot-error.js';
import type { Severity } from '../core/finding.js';
import { suggestion } from '../core/nearest.js';
import { secretKinds } from '../secrets/formats.js';
import type { LineCheck } from './check.js';
import { ciDangerous } from './ci-dangerous.js';
import { conflictMarker } from './conflict-marker.js';
import { focusedTest, skippedTest } from './disabled-tests.js';
import { hiddenUnicode } from './hidden-unicode.js';
import { absolutePath, debuggerStatement, debugOutput } from './left-behind.js';
import { insecureLockfile, installScript } from './packages.js';
import { secretCheck } from './secret.js';
import { mixedLineEndings, whitespace } from './whitespace.js';

/** Findings on the same line are shown in this order. */
const LINE_CHECKS: readonly LineCheck[] = [
  secretCheck,
  conflictMarker,
  hiddenUnicode,
  focusedTest,
  ciDangerous,
  skippedTest,
  debuggerStatement,
  debugOutput,
  insecureLockfile,
  installScript,
  mixedLineEndings,
  absolutePath,
  whitespace,
];

/** Rules that need whole files or the whole tree. */
const FILE_RULES: Readonly<Record<string, Severity>> = {
  'invalid/json': 'error',
  'invalid/yaml': 'error',
  'invalid/toml': 'error',
  'invalid/plist': 'error',
  'invalid/xml': 'error',
  'invalid/strings': 'error',
  'invalid/pbxproj': 'error',
  'duplicate-key': 'warning',
  'case-collision': 'error',
  'private-file': 'error',
  'junk-file': 'warning',
  'portable-name': 'warning',
  'broken-symlink': 'warning',
  'exec-bit': 'warning',
  'lfs-pointer': 'warning',
  'lockfile/missing': 'warning',
  'large-file': 'warning',
  'new-binary': 'warning',
};

const SEVERITY_OF: ReadonlyMap<string, Severity> = new Map(
  [...LINE_CHECKS.map(check => check.rules), FILE_RULES].flatMap(rules => Object.entries(rules)),
);

/** Every rule id; families end in `/*`, and their members are listed too. */
export const knownRules = (): string[] => [
  ...SEVERITY_OF.keys(),
  ...secretKinds().map(kind => `secret/${kind}`),
];

export const isCheckRule = (rule: string): boolean =>
  SEVERITY_OF.has(rule) || SEVERITY_OF.has(`${rule.split('/', 1)[0]}/*`);

export function severityOf(rule: string): Severity {
  const severity = SEVERITY_OF.get(rule) ?? SEVERITY_OF.get(`${rule.split('/', 1)[0]}/*`);
  if (severity === undefined) throw new BotError('bug', `rule ${rule} has no severity`);
  return severity;
}

/** The checks with at least one rule that isn't off. */
export const activeChecks = ({ checks }: Config): LineCheck[] =>
  LINE_CHECKS.filter(({ rules }) =>
    Object.keys(rules).some(rule => {
      const [family = ''] = rule.split('/', 1);
      const isOff = (checks.get(rule) ?? checks.get(family))?.grade === 'off';
      return !isOff || (rule.endsWith('/*') && hasOwnSetting(family, checks));
    }),
  );

/** A single rule may be on while its family is off. */
const hasOwnSetting = (family: string, checks: Config['checks']): boolean =>
  [...checks].some(([rule, { grade }]) => rule.startsWith(`${family}/`) && grade !== 'off');

const MARK = 'apfel-bot-ignore';
/** A rule id and the author's reason. */
const DIRECTIVE = /apfel-bot-ignore\s+([a-z][a-z0-9/*-]*)((?:(?!apfel-bot-ignore).)*)/g;

/** The rules that a line silences for itself and for the line below it. */
export function ignoredRules(line: string): string[] {
  // Hardly any line has one, and this runs for every line of the diff.
  if (!line.includes(MARK)) return [];
  return [...line.matchAll(DIRECTIVE)].flatMap(([, rule]) => (rule === undefined ? [] : [rule]));
}

/** `secret/*` silences the family, `secret/aws-access-key` just that rule. */
export const silences = (named: string, rule: string): boolean =>
  named === rule || (named.endsWith('/*') && rule.startsWith(named.slice(0, -1)));

/** A rule that doesn't exist, and a reason that is missing. */
export const ignoreProblems = (line: string, place: string): string[] =>
  [...line.matchAll(DIRECTIVE)].flatMap(([, rule = '', rest = '']) => {
    if (!isKnownRule(rule)) {
      const hint = suggestion(rule, knownRules());
      return [`${place}: apfel-bot-ignore names no rule ${JSON.stringify(rule)}${hint}`];
    }
    if (/\p{L}{2}/u.test(rest)) return [];
    return [`${place}: apfel-bot-ignore ${rule} gives no reason; write one after the rule`];
  });

/**
 * Findings of the model and of the user's own rules have other ids; linters have their own
 * comments.
 */
export const isKnownRule = (rule: string): boolean =>
  /^(?:model|rule)\//.test(rule) ||
  knownRules().includes(rule) ||
  (rule.endsWith('/*') && knownRules().some(known => known.startsWith(rule.slice(0, -1))));
