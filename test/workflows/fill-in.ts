import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText, evaluate, isEqual, isTrue, type Scope } from './expression.js';

/** A value of the file with every `${{ … }}` in it replaced; one that is all there is keeps its kind. */
export function fillIn(value: unknown, scope: Scope): unknown {
  if (typeof value !== 'string') return value;
  const whole = /^\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(value)?.[1];
  if (whole !== undefined) return evaluate(whole, scope);
  return value.replace(/\$\{\{((?:(?!\}\}).)*)\}\}/gs, (_, inner: string) =>
    asText(evaluate(inner, scope)),
  );
}

/** The same for a table of them, as text. */
export const fillInAll = (
  table: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table ?? {}).map(([key, value]) => [key, asText(fillIn(value, scope))]),
  );

/** How things went before: ancestors for a job, earlier steps for a step. */
export interface Status {
  readonly isSuccess: boolean;
  readonly isFailure: boolean;
  readonly isCancelled: boolean;
}

/** Whether something runs: without a word on success or failure, only after success. */
export function mayRun(condition: unknown, status: Status, scope: Scope): boolean {
  const functions = {
    ...scope.functions,
    success: () => status.isSuccess,
    failure: () => status.isFailure,
    cancelled: () => status.isCancelled,
    always: () => true,
  };
  const text = asText(condition ?? 'success()');
  const inner = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1] ?? text;
  const hasWord = /\b(?:success|failure|cancelled|always)\(/.test(inner);
  if (!hasWord && !status.isSuccess) return false;
  return isTrue(evaluate(inner, { ...scope, functions }));
}

/** The functions that mean the same everywhere. */
export const functionsIn = (workspace: string): Scope['functions'] => ({
  startsWith: (text, start) => asText(text).toLowerCase().startsWith(asText(start).toLowerCase()),
  contains: (place, thing) =>
    Array.isArray(place)
      ? place.some(each => isEqual(each, thing))
      : asText(place).toLowerCase().includes(asText(thing).toLowerCase()),
  fromJSON: text => JSON.parse(asText(text)),
  hashFiles: name => {
    const file = join(workspace, asText(name));
    if (!existsSync(file)) return '';
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  },
});
