import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Tool } from './tool.js';

/** What is wrong with the arguments, in words the model can act on; undefined when nothing is. */
export async function checkInput(tool: Tool, input: unknown): Promise<string | undefined> {
  const validate = await validatorOf(tool);
  if (validate(input)) return undefined;
  const problems = (validate.errors ?? []).map(error => describe(tool, error));
  return `${tool.name}: ${[...new Set(problems)].join('; ')}. Example: ${exampleOf(tool)}`;
}

export const exampleOf = (tool: Tool): string => `${tool.name} ${JSON.stringify(tool.example)}`;

/** Loaded with the first call: a review whose answers are all known makes none. */
let ajv: Ajv | undefined;
const validators = new Map<string, ValidateFunction>();

/** Compiling costs more than a hundred calls, and every conversation makes its tools anew. */
async function validatorOf({ parameters }: Tool): Promise<ValidateFunction> {
  const key = JSON.stringify(parameters);
  const known = validators.get(key);
  if (known !== undefined) return known;
  ajv ??= new (await import('ajv')).Ajv({ allErrors: true, strict: false });
  const made = ajv.compile(parameters);
  validators.set(key, made);
  return made;
}

function describe(tool: Tool, error: ErrorObject): string {
  const name = error.instancePath.split('/')[1] ?? '';
  switch (error.keyword) {
    case 'required': {
      const missing = String(error.params['missingProperty']);
      const parameter = tool.parameters.properties[missing];
      return `"${missing}" is missing (${parameter?.type}: ${parameter?.description})`;
    }
    case 'additionalProperties':
      return `there is no "${String(error.params['additionalProperty'])}"`;
    case 'enum':
      return `"${name}" must be one of ${tool.parameters.properties[name]?.enum?.join(', ')}`;
    case 'type':
      return name === '' ? 'the arguments must be an object' : typeProblem(tool, name);
    default:
      return `"${name}" ${error.message ?? 'is not allowed'}`;
  }
}

const typeProblem = (tool: Tool, name: string): string => {
  const type = tool.parameters.properties[name]?.type;
  return `"${name}" must be ${type === 'integer' || type === 'array' ? 'an' : 'a'} ${type}`;
};
