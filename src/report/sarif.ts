import { isCheckRule } from '../checks/rules.js';
import type { Finding, Severity } from '../core/finding.js';
import type { Outcome } from '../core/outcome.js';
import { pathToBytes } from '../core/path-bytes.js';
import { reveal, wellFormed } from '../platform/safe-text.js';
import { homepage } from '../platform/terminal.js';
import { isFix } from './fix.js';
import { jsonText } from './json.js';
import { orderFindings } from './style.js';
import { isChecksOnly, listFacts, summaryLine } from './summary-line.js';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

const ROOT = '%SRCROOT%';

/** SARIF 2.1.0, one run. Findings silenced in the code are included, marked as suppressed. */
export function toSarif(outcome: Outcome, options: { readonly toolVersion: string }): string {
  const silenced = outcome.rejected
    .filter(rejection => rejection.reason === 'ignored-inline')
    .map(rejection => rejection.finding);
  const findings = orderFindings(outcome.findings);
  const ruleFindings = firstByRule([...findings, ...silenced]);
  const ruleIds = [...ruleFindings.keys()];
  const resultOf = (finding: Finding): object => ({
    ruleId: wellFormed(finding.rule),
    ruleIndex: ruleIds.indexOf(finding.rule),
    ...resultBody(finding),
  });
  return jsonText({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'apfel-bot',
            version: options.toolVersion,
            rules: [...ruleFindings.values()].map(ruleOf),
          },
        },
        automationDetails: { id: `apfel-bot/${outcome.task}/${outcome.run}` },
        invocations: [invocation(outcome)],
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { description: { text: 'The root of the repository.' } } },
        results: [
          ...findings.map(resultOf),
          ...silenced.map(finding => ({
            ...resultOf(finding),
            suppressions: [{ kind: 'inSource' }],
          })),
        ],
      },
    ],
  });
}

function firstByRule(findings: readonly Finding[]): Map<string, Finding> {
  const rules = new Map<string, Finding>();
  for (const finding of findings) {
    if (!rules.has(finding.rule)) rules.set(finding.rule, finding);
  }
  return rules;
}

function ruleOf({ rule, severity }: Finding): object {
  const page = rulePage(rule);
  return {
    id: wellFormed(rule),
    shortDescription: { text: plain(ruleTitle(rule)) },
    ...(page !== undefined && { helpUri: page }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function resultBody(finding: Finding): object {
  const { suggestion } = finding;
  const artifactLocation = { uri: uriOf(finding.path), uriBaseId: ROOT };
  return {
    level: LEVELS[finding.severity],
    message: { text: plain(finding.message) },
    locations: [{ physicalLocation: { artifactLocation, ...regions(finding) } }],
    partialFingerprints: { 'apfelBotId/v1': finding.id },
    ...(suggestion && {
      fixes: [
        {
          artifactChanges: [
            {
              artifactLocation,
              replacements: [
                {
                  deletedRegion: { startLine: suggestion.startLine, endLine: suggestion.endLine },
                  insertedContent: { text: wellFormed(suggestion.text) },
                },
              ],
            },
          ],
        },
      ],
    }),
    properties: { source: finding.source, confidence: finding.confidence },
  };
}

function regions(finding: Finding): object {
  // A removed line isn't in the file any more.
  if (finding.side === 'old') return {};
  const { line, endLine, column, endColumn, evidence } = finding;
  const lines = { startLine: line, endLine };
  return {
    region: {
      ...lines,
      ...(column !== undefined && { startColumn: column }),
      ...(column !== undefined && endColumn !== undefined && { endColumn }),
    },
    ...(evidence !== undefined && {
      contextRegion: { ...lines, snippet: { text: wellFormed(evidence) } },
    }),
  };
}

function invocation(outcome: Outcome): object {
  const notes = listFacts(outcome).map(fact => ({
    level: 'note',
    message: { text: plain(`${fact.label}: ${fact.text}`) },
  }));
  // Fixes aren't results; a complete review has nothing but its results.
  const isReported = !outcome.complete || isChecksOnly(outcome) || isFix(outcome);
  const summary = {
    level: outcome.complete ? 'note' : 'warning',
    message: { text: summaryLine(outcome) },
  };
  return {
    executionSuccessful: outcome.complete,
    startTimeUtc: outcome.startedAt,
    toolExecutionNotifications: isReported ? [summary, ...notes] : notes,
  };
}

/** A SARIF message may contain links, `[text](target)`; untrusted text must not. */
const plain = (text: string): string => reveal(text, '\n\t').replaceAll('](', '] (');

/** A relative URI, byte for byte git's name of the file. */
function uriOf(path: string): string {
  return [...pathToBytes(path)]
    .map(byte => {
      const char = String.fromCharCode(byte);
      if (/[\w.~/-]/.test(char)) return char;
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** A short description of a rule, for formats that list rules separately from findings. */
function ruleTitle(rule: string): string {
  const family = rule.slice(0, rule.indexOf('/') + 1);
  return TITLES.get(rule) ?? TITLES.get(family) ?? `Reported as ${rule}.`;
}

const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'conflict-marker': 'A merge conflict marker was left in the file.',
    'secret/': 'The change adds something that looks like a credential.',
    'hidden-unicode/bidi':
      'Bidirectional control characters make code read differently than it runs.',
    'hidden-unicode/zero-width': 'The code contains an invisible character.',
    'hidden-unicode/mixed-script': 'A word mixes letters of look-alike scripts.',
    'invalid/': 'The file does not parse.',
    'case-collision': 'Two paths differ only in upper and lower case.',
    'focused-test': 'A focused test keeps the others from running.',
    'skipped-test': 'A test is switched off.',
    'ci/dangerous': 'A workflow gives untrusted code access to secrets or a shell.',
    'ci/pipe-to-shell': 'A workflow runs what it downloads.',
    'ci/unpinned': 'An action is not pinned to a commit.',
    'duplicate-key': 'An object has the same key twice.',
    'private-file': 'The change adds a file that usually holds secrets.',
    'junk-file': 'The change adds a file that a tool left behind.',
    'broken-symlink': 'A symbolic link is broken, or works on one machine only.',
    'exec-bit': 'An executable script has no shebang line.',
    'mixed-line-endings': 'A file mixes line endings.',
    'lfs-pointer': 'A file that belongs in Git LFS is committed directly.',
    'lockfile/missing': 'Dependencies changed without their lockfile.',
    'lockfile/insecure': 'A package is fetched over http.',
    'package/install-script': 'A script runs on every machine that installs the package.',
    'portable-name': "The change adds a name that Windows can't check out.",
    'absolute-path': "The change adds a path in somebody's home folder.",
    debugger: 'The change adds a breakpoint statement.',
    'debug-output': 'The change adds what looks like leftover debug output.',
    'large-file': 'The change adds a large file.',
    'new-binary': 'The change adds a binary file.',
    whitespace: 'White space that git warns about.',
    'model/': 'A comment by the model on a changed line.',
  }),
);

/**
 * The URL of a rule's section, as GitHub builds anchors from titles. Linters and users' own rules
 * are documented elsewhere, if at all.
 */
export function rulePage(rule: string, home = homepage()): string | undefined {
  if (home === undefined || !(isCheckRule(rule) || rule.startsWith('model/'))) return undefined;
  const family = rule.split('/', 1)[0] ?? '';
  const title = FAMILIES.has(family) ? `${family}/*` : rule;
  return `${home}/blob/main/docs/rules.md#${title.replace(/[^a-z0-9-]/g, '')}`;
}

/** Families whose rules share one section. */
const FAMILIES: ReadonlySet<string> = new Set(['secret', 'model']);
