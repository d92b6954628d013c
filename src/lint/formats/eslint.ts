import { offsetFix } from '../read-fix.js';
import {
  isObject,
  type JsonObject,
  jsonReport,
  linesOf,
  objectOf,
  objectsOf,
  textOf,
  wordsOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `--format json` and `json-with-metadata`, which adds the metadata of the rules. */
export const parseEslint = jsonReport({ tool: 'eslint', format: 'eslint-json' }, value => {
  const results: unknown = isObject(value) ? value['results'] : value;
  if (!Array.isArray(results)) return 'holds no results';
  // A list of something else must not look like files without problems.
  if (!results.every(isResult)) return 'has results without a path or messages';
  const rules = objectOf(objectOf(objectOf(value)['metadata'])['rulesMeta']);
  const rawDiagnostics: RawDiagnostic[] = [];
  const notLinted: string[] = [];
  for (const result of objectsOf(results)) {
    const file = textOf(result['filePath']);
    for (const message of objectsOf(result['messages'])) {
      if (isNotLinted(message)) notLinted.push(file ?? '');
      else rawDiagnostics.push(rawDiagnostic(file, message, rules));
    }
  }
  return rawReport('eslint', 'utf16', { rawDiagnostics, notLinted });
});

const isResult = (value: unknown): boolean => {
  const { filePath, messages } = objectOf(value);
  return typeof filePath === 'string' && Array.isArray(messages);
};

/** ESLint reports only a warning for a file that its configuration excludes. */
const isNotLinted = (message: JsonObject): boolean =>
  message['ruleId'] === null &&
  message['fatal'] !== true &&
  (textOf(message['message']) ?? '').startsWith('File ignored');

function rawDiagnostic(
  file: string | undefined,
  message: JsonObject,
  rules: JsonObject,
): RawDiagnostic {
  const rule = wordsOf(message['ruleId']) ?? null;
  const fix = offsetFix(message['fix'], 'fix');
  const suggestions = objectsOf(message['suggestions']).flatMap(
    each => offsetFix(each['fix'], textOf(each['desc']) ?? 'suggestion') ?? [],
  );
  return {
    file,
    rule,
    severity: message['fatal'] === true || message['severity'] === 2 ? 'error' : 'warning',
    message: textOf(message['message']) ?? '',
    ...linesOf(message),
    docs: rule === null ? undefined : docsOf(objectOf(rules[rule])),
    isFixable: fix !== undefined,
    fix,
    suggestions,
  };
}

function docsOf(meta: JsonObject): string | undefined {
  const docs = objectOf(meta['docs']);
  return wordsOf(docs['description']) ?? wordsOf(docs['url']);
}
