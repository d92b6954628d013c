// Compiles schema/*.json to plain code, so that a hook need not load ajv to read its configuration.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

/** For users' files: reports everything that is wrong. */
const VERBOSE = { allErrors: true, verbose: true };
/** For notes: only whether a line is valid, because a hook loads it. */
const TERSE = { messages: false, removeAdditional: true };

const SCHEMAS = {
  config: ['validateConfig', VERBOSE],
  note: ['validateNote', TERSE],
  outcome: ['validateOutcome', VERBOSE],
  request: ['validateRequest', VERBOSE],
};

/** Writes src/generated/validate-*.ts. The code is ajv's, so it isn't type-checked. */
export function generateValidators() {
  for (const [file, [name, options]] of Object.entries(SCHEMAS)) {
    const schema = JSON.parse(readFileSync(`schema/${file}.json`, 'utf8'));
    const ajv = new Ajv({ ...options, code: { source: true, esm: true } });
    const code = standaloneCode(ajv, ajv.compile(schema));
    if (code.includes('require(')) {
      throw new Error(`schema/${file}.json uses a keyword whose helper ajv cannot inline`);
    }
    const body = (options === TERSE ? withoutErrors(code) : code)
      .replace('"use strict";', '')
      .replace(/export const validate = (\w+);export default \w+;/, 'const validate = $1;');
    const listErrors = [
      "import type { SchemaError } from '../core/schema-problem.js';",
      `export const ${name} = (value: unknown): readonly SchemaError[] =>`,
      '  validate(value) ? [] : validate.errors;',
    ];
    const text = [
      '// @ts-nocheck',
      `// Generated from schema/${file}.json by scripts/generate-validators.mjs.`,
      ...(options === TERSE
        ? [`export const ${name} = (value: unknown): boolean => validate(value);`]
        : listErrors),
      body,
      '',
    ].join('\n');
    writeIfChanged(`src/generated/validate-${file}.ts`, text);
  }
}

/** Only yes or no: descriptions of errors are three quarters of the code. */
const withoutErrors = code => code.replaceAll(/\w+\.errors = \[\{[^;]*\}\];/g, '');

export function writeIfChanged(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // Doesn't exist yet: written below.
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
