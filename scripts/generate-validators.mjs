// Compiles schema/*.json to plain code, so that a hook need not load ajv to read its configuration.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

const SCHEMAS = {
  config: 'validateConfig',
  outcome: 'validateOutcome',
  request: 'validateRequest',
};

/** Writes src/generated/validate-*.ts. The code is ajv's, so the type checker is told to pass by. */
export function generateValidators() {
  mkdirSync('src/generated', { recursive: true });
  for (const [file, name] of Object.entries(SCHEMAS)) {
    const schema = JSON.parse(readFileSync(`schema/${file}.json`, 'utf8'));
    const ajv = new Ajv({ allErrors: true, verbose: true, code: { source: true, esm: true } });
    const code = standaloneCode(ajv, ajv.compile(schema));
    if (code.includes('require(')) {
      throw new Error(`schema/${file}.json uses a keyword whose helper ajv cannot inline`);
    }
    const body = code
      .replace('"use strict";', '')
      .replace(/export const validate = (\w+);export default \w+;/, 'const validate = $1;');
    const text = [
      '// @ts-nocheck',
      `// Generated from schema/${file}.json by scripts/generate-validators.mjs.`,
      "import type { SchemaError } from '../core/schema-problem.js';",
      body,
      `export const ${name} = (value: unknown): readonly SchemaError[] =>`,
      '  validate(value) ? [] : validate.errors;',
      '',
    ].join('\n');
    writeIfChanged(`src/generated/validate-${file}.ts`, text);
  }
}

function writeIfChanged(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // Not there yet: written below.
  }
  writeFileSync(path, text);
}
