import { shown, suggestion } from './nearest.js';

/** The fields of ajv's errors that are used here (`verbose` is on). */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  readonly parentSchema: Readonly<Record<string, unknown>>;
}

/** One line per problem: where, what was expected, what was found. */
export const schemaProblems = (errors: readonly SchemaError[]): string[] =>
  describeErrors(errors).map(({ text }) => text);

/** What an error is about, and its line. */
export interface DescribedError {
  readonly error: Pick<SchemaError, 'instancePath' | 'params'>;
  readonly text: string;
}

export function describeErrors(errors: readonly SchemaError[]): DescribedError[] {
  const choices = choicesIn(errors);
  return errors.flatMap(error => {
    // What a condition requires is reported separately.
    if (error.keyword === 'if') return [];
    const choice = choiceAround(error, choices);
    if (choice === undefined) return [{ error, text: describe(error, []) }];
    if (error === choice.error)
      return choice.hasDeeperErrors ? [] : [{ error, text: describe(error, choice.inner) }];
    return isDeeper(error, choice) ? [{ error, text: describe(error, []) }] : [];
  });
}

/** A value that matches none of several forms, with the errors of each form. */
interface Choice {
  readonly error: SchemaError;
  readonly inner: SchemaError[];
  /** The value is clearly meant as one of the forms, so only that form's errors are shown. */
  hasDeeperErrors: boolean;
}

function choicesIn(errors: readonly SchemaError[]): ReadonlyMap<string, Choice> {
  const choices = new Map<string, Choice>();
  for (const error of errors) {
    if (error.keyword === 'anyOf')
      choices.set(error.instancePath, { error, inner: [], hasDeeperErrors: false });
  }
  for (const error of errors) {
    const choice = error.keyword === 'anyOf' ? undefined : choiceAround(error, choices);
    choice?.inner.push(error);
    if (choice !== undefined) choice.hasDeeperErrors ||= isDeeper(error, choice);
  }
  return choices;
}

function choiceAround(
  { instancePath }: SchemaError,
  choices: ReadonlyMap<string, Choice>,
): Choice | undefined {
  if (choices.size === 0) return undefined;
  for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const choice = choices.get(path);
    if (choice !== undefined || path === '') return choice;
  }
}

const isDeeper = (error: SchemaError, choice: Choice): boolean =>
  error.instancePath !== choice.error.instancePath || error.keyword === 'additionalProperties';

function describe(error: SchemaError, alternatives: readonly SchemaError[]): string {
  const place =
    error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/') || 'top level';
  if (error.keyword === 'additionalProperties') {
    const found = String(error.params['additionalProperty']);
    return `${place}: unknown key ${JSON.stringify(found)}${suggestion(found, knownKeys(error))}`;
  }
  if (error.keyword === 'required') {
    return `${place}: the key ${JSON.stringify(error.params['missingProperty'])} is missing`;
  }
  const expected = [error, ...alternatives].flatMap(allowedIn);
  const meant = typeof error.data === 'string' ? suggestion(error.data, expected) : '';
  return `${place}: ${expectation(error, alternatives)}, found ${shown(error.data)}${meant}`;
}

function expectation(error: SchemaError, alternatives: readonly SchemaError[]): string {
  const allowed = error.params['allowedValues'];
  if (Array.isArray(allowed)) {
    return `must be one of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
  }
  const description = error.parentSchema['description'];
  const isVague = 'pattern' in error.parentSchema || error.keyword === 'anyOf';
  if (isVague && typeof description === 'string') return `must be ${firstClause(description)}`;
  if (alternatives.length === 0) return error.message;
  return [...new Set(alternatives.map(each => expectation(each, [])))].join(' or ');
}

/** What a value is, without what it means when it is left out. */
const firstClause = (description: string): string => {
  const [first = ''] = description.split(/; |\. |\.$/);
  return first.slice(0, 1).toLowerCase() + first.slice(1);
};

const allowedIn = (error: SchemaError): string[] => {
  const allowed = error.params['allowedValues'];
  return Array.isArray(allowed) ? allowed.filter(value => typeof value === 'string') : [];
};

const knownKeys = (error: SchemaError): string[] =>
  Object.keys((error.parentSchema['properties'] as object | undefined) ?? {});
