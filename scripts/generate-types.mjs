// Writes src/generated/shapes.ts: the type of each JSON shape, from the same schema/*.json that
// validates it. It supports the keywords that shape a value; all others only narrow it.
import { readFileSync } from 'node:fs';
import { writeIfChanged } from './generate-validators.mjs';

const SHAPES = {
  ConfigFile: 'config',
  NoteRecord: 'note',
  OutcomeFile: 'outcome',
  RequestFile: 'request',
};

export function generateTypes() {
  const types = Object.entries(SHAPES).map(([name, file]) => {
    const schema = JSON.parse(readFileSync(`schema/${file}.json`, 'utf8'));
    return `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, schema, '')};\n`;
  });
  const head = '// Generated from schema/*.json by scripts/generate-types.mjs.\n';
  writeIfChanged('src/generated/shapes.ts', [head, ...types].join('\n'));
}

function typeOf(schema, root, indent) {
  const { $ref, enum: values, anyOf, type, items } = schema;
  if ($ref !== undefined) return typeOf(root.definitions[$ref.split('/').at(-1)], root, indent);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map(value => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return anyOf.map(each => typeOf(each, root, indent)).join(' | ');
  if (type === 'array') return `ReadonlyArray<${typeOf(items, root, indent)}>`;
  if (type === 'integer') return 'number';
  return type === 'object' ? objectType(schema, root, indent) : type;
}

function objectType({ properties, required = [], additionalProperties: rest }, root, indent) {
  if (properties === undefined) return `Readonly<Record<string, ${typeOf(rest, root, indent)}>>`;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    const type = typeOf(schema, root, inner);
    return `${comment(schema.description, inner)}${inner}readonly ${key}${mark}: ${type};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

const comment = (text, indent) => (text === undefined ? '' : `${indent}/** ${text} */\n`);
