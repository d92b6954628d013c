import { nearest } from './nearest.js';

/** What ajv says of a value, as far as we use it (`verbose` is on). */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly parentSchema: Readonly<Record<string, unknown>>;
}

/** Values are shown so that people find them, not in full. */
const MOST_SHOWN = 80;

/** One line for each problem: where, what was expected, what was found. */
export function schemaProblems(errors: readonly SchemaError[]): string[] {
  const choices = errors.filter(error => error.keyword === 'anyOf');
  return errors
    .filter(error => error.keyword === 'anyOf' || !choices.some(choice => isInside(error, choice)))
    .map(describe);
}

/** What each alternative of a choice complains about says less than the choice itself. */
const isInside = (error: SchemaError, choice: SchemaError): boolean =>
  error.instancePath.startsWith(choice.instancePath);

function describe(error: SchemaError): string {
  const place =
    error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/') || 'top level';
  if (error.keyword === 'additionalProperties') {
    const found = String(error.params['additionalProperty']);
    return `${place}: unknown key ${JSON.stringify(found)}${suggestion(found, knownKeys(error))}`;
  }
  if (error.keyword === 'required') {
    return `${place}: the key ${JSON.stringify(error.params['missingProperty'])} is missing`;
  }
  return `${place}: ${expectation(error)}, found ${shown(error.data)}`;
}

function expectation(error: SchemaError): string {
  const allowed = error.params['allowedValues'];
  if (Array.isArray(allowed)) {
    return `must be one of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
  }
  const description = error.parentSchema['description'];
  const isVague = error.keyword === 'pattern' || error.keyword === 'anyOf';
  return isVague && typeof description === 'string' ? `must be: ${description}` : error.message;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const knownKeys = (error: SchemaError): string[] =>
  Object.keys((error.parentSchema['properties'] as object | undefined) ?? {});

/** `; did you mean "x"?` or nothing. */
export function suggestion(found: string, known: readonly string[]): string {
  const meant = nearest(found, known);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
