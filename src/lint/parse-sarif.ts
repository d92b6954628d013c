import type { Fix, OffsetRange, TextEdit, Unit } from '../core/diagnostic.js';
import { jsonReport } from './json-report.js';
import {
  countOf,
  type JsonObject,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from './json-value.js';
import { placeEdit, wholeFix } from './read-fix.js';
import { rawReport, type Sighting } from './report.js';
import { messageOf, ruleIdOf, type SarifRun, sarifRun, severityOf } from './sarif-run.js';

/** SARIF 2.1.0 and its drafts, as far as a linter needs it. */
export const parseSarif = jsonReport({ tool: 'sarif', format: 'sarif' }, value => {
  const runs = objectOf(value)['runs'];
  if (!Array.isArray(runs)) return 'holds no runs';
  const all = objectsOf(runs);
  const broken = all.filter(run => !Array.isArray(run['results'] ?? []));
  if (broken.length > 0) return 'has results that are no list';
  const problems = all.flatMap(troubles);
  return rawReport(sarifRun(all[0] ?? {}).tool, unitOf(all[0] ?? {}), {
    sightings: all.flatMap(run => {
      const facts = sarifRun(run);
      return objectsOf(run['results'])
        .filter(isComplaint)
        .map(result => sighting(result, facts));
    }),
    problems,
    isWhole: problems.length === 0,
  });
});

const unitOf = (run: JsonObject): Unit =>
  run['columnKind'] === 'unicodeCodePoints' ? 'codepoint' : 'utf16';

/** Passed checks, what people have suppressed and what is gone since the baseline are no complaints. */
function isComplaint(result: JsonObject): boolean {
  const kind = result['kind'] ?? 'fail';
  if (kind !== 'fail' && kind !== 'review' && kind !== 'open') return false;
  if (result['level'] === 'none' || result['baselineState'] === 'absent') return false;
  return !objectsOf(result['suppressions']).some(isInForce);
}

const isInForce = (suppression: JsonObject): boolean => {
  const status = suppression['status'] ?? suppression['state'] ?? 'accepted';
  return status === 'accepted';
};

/** What the tool says about its own run. */
function troubles(run: JsonObject): string[] {
  return objectsOf(run['invocations']).flatMap(invocation => {
    const notes = [
      ...objectsOf(invocation['toolExecutionNotifications']),
      ...objectsOf(invocation['toolConfigurationNotifications']),
    ];
    const errors = notes
      .filter(note => note['level'] === 'error')
      .flatMap(note => wordsOf(objectOf(note['message'])['text']) ?? []);
    const isFailed = invocation['executionSuccessful'] === false;
    return errors.length === 0 && isFailed ? ['the tool says that its run failed'] : errors;
  });
}

function sighting(result: JsonObject, run: SarifRun): Sighting {
  const rule = run.ruleOf(result);
  const place = objectOf(objectsOf(result['locations'])[0]?.['physicalLocation']);
  const region = objectOf(place['region']);
  const file = run.fileOf(objectOf(place['artifactLocation'] ?? place['fileLocation']));
  const id = ruleIdOf(result) ?? wordsOf(rule['id']) ?? null;
  const startLine = placeOf(region['startLine']);
  return {
    file,
    rule: id,
    severity: severityOf(result, rule),
    message: messageOf(result, rule) ?? shortDescription(rule) ?? id ?? '',
    line: startLine,
    column: placeOf(region['startColumn']),
    // A region without an end line ends where it begins.
    endLine: placeOf(region['endLine']) ?? startLine,
    endColumn: placeOf(region['endColumn']),
    span: startLine === undefined ? characterSpan(region) : undefined,
    docs: shortDescription(rule) ?? wordsOf(rule['helpUri']),
    suggestions: objectsOf(result['fixes']).flatMap(fix => fixFrom(fix, file, run) ?? []),
  };
}

const shortDescription = (rule: JsonObject): string | undefined =>
  wordsOf(objectOf(rule['shortDescription'])['text']);

function characterSpan(region: JsonObject): OffsetRange | undefined {
  const start = countOf(region['charOffset']);
  if (start === undefined) return undefined;
  return { start, end: start + (countOf(region['charLength']) ?? 0) };
}

/** Only a fix of the file itself; one that reaches into others is left to people. */
function fixFrom(fix: JsonObject, file: string | undefined, run: SarifRun): Fix | undefined {
  const changes = objectsOf(fix['artifactChanges']);
  const [change] = changes;
  if (changes.length !== 1 || change === undefined) return undefined;
  if (run.fileOf(objectOf(change['artifactLocation'])) !== file) return undefined;
  const description = wordsOf(objectOf(fix['description'])['text']) ?? 'suggestion';
  return wholeFix(description, objectsOf(change['replacements']).map(editFrom));
}

function editFrom(replacement: JsonObject): TextEdit | undefined {
  const region = objectOf(replacement['deletedRegion']);
  const text = objectOf(replacement['insertedContent'])['text'];
  const range = region['startLine'] === undefined ? characterSpan(region) : undefined;
  if (range !== undefined) return { range, text: textOf(text) ?? '' };
  const { startLine, startColumn = 1, endLine = startLine, endColumn } = region;
  return placeEdit({ startLine, startColumn, endLine, endColumn }, text);
}
