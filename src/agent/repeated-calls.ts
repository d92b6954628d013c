/** Remembers what was asked for, so that the model is told when it goes in circles. */
export class RepeatedCalls {
  readonly #seen = new Map<string, string>();

  /** The id of the earlier call with the same tool and the same arguments. */
  find(call: { readonly name: string; readonly input: unknown }): string | undefined {
    return this.#seen.get(keyOf(call));
  }

  remember(call: { readonly name: string; readonly input: unknown; readonly id: string }): void {
    this.#seen.set(keyOf(call), call.id);
  }

  /** After an edit the same question may have another answer. */
  forget(): void {
    this.#seen.clear();
  }
}

const keyOf = (call: { readonly name: string; readonly input: unknown }): string =>
  `${call.name} ${JSON.stringify(call.input, sortedKeys)}`;

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
