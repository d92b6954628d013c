import type { Fix } from '../../core/diagnostic.js';
import { placeEdit, wholeFix } from '../read-fix.js';
import {
  type JsonObject,
  jsonReport,
  levelOf,
  linesOf,
  objectOf,
  objectsOf,
  placeOf,
  textOf,
} from '../read-json.js';
import { type RawDiagnostic, rawReport } from '../report.js';

/** `--format=json1`: unlike `json` it counts a tab as one column. */
export const parseShellcheck = jsonReport(
  { tool: 'shellcheck', format: 'shellcheck-json' },
  value => {
    const comments = objectOf(value)['comments'];
    if (!Array.isArray(comments)) {
      return 'holds no comments';
    }
    return rawReport('shellcheck', 'codepoint', {
      rawDiagnostics: objectsOf(comments).map(rawDiagnostic),
    });
  },
);

function rawDiagnostic(comment: JsonObject): RawDiagnostic {
  const fix = fixFrom(comment['fix']);
  const code = placeOf(comment['code']);
  return {
    file: textOf(comment['file']),
    rule: code === undefined ? null : `SC${code}`,
    severity: levelOf(comment['level']),
    message: textOf(comment['message']) ?? '',
    ...linesOf(comment),
    isFixable: fix !== undefined,
    fix,
  };
}

function fixFrom(value: unknown): Fix | undefined {
  const edits = objectsOf(objectOf(value)['replacements']).map(each =>
    placeEdit(
      {
        startLine: each['line'],
        startColumn: each['column'],
        endLine: each['endLine'],
        endColumn: each['endColumn'],
      },
      each['replacement'],
    ),
  );
  return wholeFix('fix', edits);
}
