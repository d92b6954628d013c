import { offsetFix } from '../read-fix.js';
import { type JsonObject, jsonReport, linesOf, objectsOf, textOf, wordsOf } from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `--formatter json`. */
export const parseStylelint = jsonReport({ tool: 'stylelint', format: 'stylelint-json' }, value => {
  if (!Array.isArray(value)) {
    return 'holds no list of results';
  }
  const results = objectsOf(value);
  return rawReport('stylelint', 'utf16', {
    rawDiagnostics: results.flatMap(each => [
      ...objectsOf(each['warnings']).map(warning => rawDiagnostic(textOf(each['source']), warning)),
      ...objectsOf(each['parseErrors']).map(error => parseError(textOf(each['source']), error)),
    ]),
    problems: invalidOptions(results),
    notLinted: results
      .filter(each => each['ignored'] === true)
      .map(each => textOf(each['source']) ?? ''),
  });
});

/** Stylelint's rule name for a file that it can't parse. */
const SYNTAX = 'CssSyntaxError';

function rawDiagnostic(file: string | undefined, warning: JsonObject): RawDiagnostic {
  const rule = wordsOf(warning['rule']) ?? null;
  const fix = offsetFix(warning['fix'], 'fix');
  return {
    file,
    rule: rule === SYNTAX ? null : rule,
    severity: warning['severity'] === 'warning' ? 'warning' : 'error',
    message: (textOf(warning['text']) ?? '').replace(` (${SYNTAX})`, ''),
    ...linesOf(warning),
    docs: wordsOf(warning['url']),
    isFixable: fix === undefined ? undefined : true,
    fix,
  };
}

const parseError = (file: string | undefined, error: JsonObject): RawDiagnostic => ({
  file,
  rule: null,
  severity: 'error',
  message: textOf(error['text']) ?? 'cannot be parsed',
  ...linesOf(error),
});

/** The same complaint about the configuration is repeated for every file. */
function invalidOptions(results: readonly JsonObject[]): string[] {
  const texts = results
    .flatMap(each => objectsOf(each['invalidOptionWarnings']))
    .flatMap(each => wordsOf(each['text']) ?? []);
  return [...new Set(texts)];
}
