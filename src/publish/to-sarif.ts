import type { Finding, Severity } from '../core/finding.js';
import { reveal, wellFormed } from '../core/neutralise.js';
import type { Outcome } from '../core/outcome.js';
import { pathToBytes } from '../core/path-bytes.js';
import { jsonText } from './json-text.js';
import { listFacts } from './list-facts.js';
import { orderFindings } from './order-findings.js';
import { ruleTitle } from './rule-title.js';
import { isChecksOnly, summaryLine } from './summary-line.js';
import { isFix } from './to-fix-words.js';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

const ROOT = '%SRCROOT%';

/** SARIF 2.1.0, one run. What was silenced in the code is there too, marked as suppressed. */
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

const ruleOf = ({ rule, severity }: Finding): object => ({
  id: wellFormed(rule),
  shortDescription: { text: plain(ruleTitle(rule)) },
  defaultConfiguration: { level: LEVELS[severity] },
});

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
  // A line of the old side is no place in the file as it is now.
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
  // What was fixed is in no result; a whole review is nothing but its results.
  const isTold = !outcome.complete || isChecksOnly(outcome) || isFix(outcome);
  const summary = {
    level: outcome.complete ? 'note' : 'warning',
    message: { text: summaryLine(outcome) },
  };
  return {
    executionSuccessful: outcome.complete,
    startTimeUtc: outcome.startedAt,
    toolExecutionNotifications: isTold ? [summary, ...notes] : notes,
  };
}

/** A message of SARIF may hold links, `[text](target)`; text from outside may not. */
const plain = (text: string): string => reveal(text, '\n\t').replaceAll('](', '] (');

/** A relative URI, byte for byte what git calls the file. */
function uriOf(path: string): string {
  return [...pathToBytes(path)]
    .map(byte => {
      const char = String.fromCharCode(byte);
      if (/[\w.~/-]/.test(char)) return char;
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
