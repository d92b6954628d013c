import type { Fix, OffsetRange, TextEdit, Unit } from '../../core/diagnostic.js';
import type { Severity } from '../../core/finding.js';
import { placeEdit, wholeFix } from '../read-fix.js';
import {
  countOf,
  isObject,
  type JsonObject,
  jsonReport,
  levelOf,
  listOf,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { decode, type RawDiagnostic, rawReport } from '../report.js';

/** SARIF 2.1.0 and its drafts, as far as a linter needs it. */
export const parseSarif = jsonReport({ tool: 'sarif', format: 'sarif' }, value => {
  const runs = objectOf(value)['runs'];
  if (!Array.isArray(runs)) return 'holds no runs';
  const all = objectsOf(runs);
  const broken = all.filter(run => !Array.isArray(run['results'] ?? []));
  if (broken.length > 0) return "has results that aren't a list";
  const problems = all.flatMap(troubles);
  return rawReport(sarifRun(all[0] ?? {}).tool, unitOf(all[0] ?? {}), {
    rawDiagnostics: all.flatMap(run => {
      const facts = sarifRun(run);
      return objectsOf(run['results'])
        .filter(isFailure)
        .map(result => rawDiagnostic(result, facts));
    }),
    problems,
    isWhole: problems.length === 0,
  });
});

const unitOf = (run: JsonObject): Unit =>
  run['columnKind'] === 'unicodeCodePoints' ? 'codepoint' : 'utf16';

/** Passed checks, suppressed results and results fixed since the baseline don't count. */
function isFailure(result: JsonObject): boolean {
  const kind = result['kind'] ?? 'fail';
  if (kind !== 'fail' && kind !== 'review' && kind !== 'open') return false;
  if (result['level'] === 'none' || result['baselineState'] === 'absent') return false;
  return !objectsOf(result['suppressions']).some(isInForce);
}

const isInForce = (suppression: JsonObject): boolean => {
  const status = suppression['status'] ?? suppression['state'] ?? 'accepted';
  return status === 'accepted';
};

/** What the tool reports about its own run. */
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
    return errors.length === 0 && isFailed ? ['the tool reports that its run failed'] : errors;
  });
}

function rawDiagnostic(result: JsonObject, run: SarifRun): RawDiagnostic {
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

/** Only a fix of the file itself, not one that changes other files. */
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

/** A limit, because bases can refer to each other in a loop. */
const MAX_BASES = 10;

/** What a result only refers to: the rule and the file, stored once per run. */
interface SarifRun {
  readonly tool: string;
  ruleOf(result: JsonObject): JsonObject;
  /** A path or file address; undefined when the location has none. */
  fileOf(artifactLocation: JsonObject): string | undefined;
}

function sarifRun(run: JsonObject): SarifRun {
  const tool = objectOf(run['tool']);
  const components = [objectOf(tool['driver']), ...objectsOf(tool['extensions'])];
  const rules = components.flatMap(each => objectsOf(each['rules']));
  const byId = new Map(rules.map(rule => [textOf(rule['id']) ?? '', rule]));
  return {
    tool: wordsOf(components[0]?.['name']) ?? 'sarif',
    ruleOf: result => ruleOf(result, components, byId),
    fileOf: location => fileOf(location, run),
  };
}

function ruleOf(
  result: JsonObject,
  components: readonly JsonObject[],
  byId: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const reference = objectOf(result['rule']);
  const component = objectOf(reference['toolComponent'])['index'];
  const rules = components[typeof component === 'number' ? component + 1 : 0]?.['rules'];
  const index = reference['index'] ?? result['ruleIndex'];
  const atIndex = typeof index === 'number' ? listOf(rules)[index] : undefined;
  if (isObject(atIndex)) return atIndex;
  const id = ruleIdOf(result) ?? '';
  // `CA1000/1` refines `CA1000`.
  return byId.get(id) ?? byId.get(id.split('/', 1)[0] ?? '') ?? {};
}

const ruleIdOf = (result: JsonObject): string | undefined =>
  wordsOf(result['ruleId']) ?? wordsOf(objectOf(result['rule'])['id']);

function fileOf(location: JsonObject, run: JsonObject): string | undefined {
  const index = location['index'];
  const artifact = typeof index === 'number' ? listOf(run['artifacts'])[index] : undefined;
  const known = objectOf(objectOf(artifact)['location']);
  const uri = wordsOf(location['uri']) ?? wordsOf(known['uri']);
  if (uri === undefined) return undefined;
  const base = wordsOf(location['uriBaseId']) ?? wordsOf(known['uriBaseId']);
  return join(baseOf(base, run), uri);
}

/** A base without an address, such as `%SRCROOT%`, is the top of the repository. */
function baseOf(first: string | undefined, run: JsonObject): string {
  const bases = objectOf(run['originalUriBaseIds']);
  let path = '';
  let id = first;
  for (let step = 0; id !== undefined && step < MAX_BASES; step += 1) {
    const base = objectOf(bases[id]);
    path = join(wordsOf(base['uri']) ?? '', path);
    id = wordsOf(base['uriBaseId']);
  }
  return path;
}

function join(base: string, uri: string): string {
  if (/^[a-z][a-z\d+.-]{1,20}:/i.test(uri)) return uri;
  const path = decode(uri);
  if (base === '' || path.startsWith('/')) return path;
  return `${base.replace(/\/$/, '')}/${path}`;
}

/** The message with its placeholders filled in; undefined when the log doesn't contain it. */
function messageOf(result: JsonObject, rule: JsonObject): string | undefined {
  const message = objectOf(result['message']);
  const id = textOf(message['id']) ?? '';
  const known = objectOf(objectOf(rule['messageStrings'])[id]);
  const template = wordsOf(message['text']) ?? wordsOf(known['text']);
  const values = listOf(message['arguments']);
  return template?.replace(
    /\{(\d{1,3})\}/g,
    (written, at: string) => textOf(values[Number(at)]) ?? written,
  );
}

function severityOf(result: JsonObject, rule: JsonObject): Severity {
  const usual = objectOf(rule['defaultConfiguration'])['level'];
  return levelOf(result['level'] ?? usual ?? 'warning');
}
