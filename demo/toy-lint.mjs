// A linter for `apfel-bot demo` only: three of ESLint's rules, by regular expression.
// node toy-lint.mjs [--json] [--fix] FILE..., or --stdin FILE for a text on standard input
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const RULES = [
  {
    ruleId: 'no-var',
    pattern: /\bvar(?= )/g,
    message: 'Unexpected var, use let or const instead.',
    // Fixed automatically.
    fix: () => 'let',
  },
  {
    ruleId: 'eqeqeq',
    pattern: /(?<= )[=!]=(?= )/g,
    message: "Expected '===' and instead saw '=='.",
    // Only suggested: the code may mean it.
    suggest: found => `${found}=`,
  },
  {
    ruleId: 'no-template-curly-in-string',
    pattern: /'[^'\n]*\$\{[^'\n]*'/g,
    message: 'Template in plain quotes.',
  },
];

const args = process.argv.slice(2);
const files = args.filter(arg => !arg.startsWith('--'));
if (args.includes('--fix')) for (const file of files) fixFile(file);
const results = files.map(file => ({ filePath: resolve(file), messages: lint(file) }));
console.log(args.includes('--json') ? JSON.stringify(results) : forPeople());
process.exitCode = results.some(({ messages }) => messages.length > 0) ? 1 : 0;

function lint(file) {
  const text = readFileSync(args.includes('--stdin') ? 0 : file, 'utf8');
  return RULES.flatMap(rule =>
    [...text.matchAll(rule.pattern)].map(({ 0: found, index }) => {
      const lines = text.slice(0, index).split('\n');
      const range = [index, index + found.length];
      const { ruleId, message, fix, suggest } = rule;
      return {
        ruleId,
        severity: 2,
        message,
        line: lines.length,
        column: lines.at(-1).length + 1,
        ...(fix && { fix: { range, text: fix(found) } }),
        ...(suggest && {
          suggestions: [{ desc: 'Use that.', fix: { range, text: suggest(found) } }],
        }),
      };
    }),
  ).sort((one, other) => one.line - other.line);
}

function fixFile(file) {
  let text = readFileSync(file, 'utf8');
  for (const { pattern, fix } of RULES) if (fix) text = text.replace(pattern, fix);
  writeFileSync(file, text);
}

function forPeople() {
  const rows = files.flatMap((file, at) =>
    results[at].messages.map(
      ({ line, column, message, ruleId }) => `${file}:${line}:${column}  ${message}  ${ruleId}`,
    ),
  );
  return rows.length === 0 ? 'no problems' : rows.join('\n');
}
