/** Every kind of repair, as it is counted in the report and shown in the transcript. */
export const REPAIR_TYPES = [
  /** Brackets, commas, quotes or a fence were put right. */
  'json-mended',
  /** The call stood in the plain text of the answer. */
  'call-in-text',
  /** The name was another spelling of, or a known word for, one tool. */
  'tool-renamed',
  /** A key was another spelling of, or a known word for, one parameter. */
  'key-renamed',
  /** A key that the tool does not know was left out. */
  'key-dropped',
  /** The arguments were wrapped in `{"value": …}`, in a list of one, or in a string. */
  'value-unwrapped',
  /** `"5"` where a number belongs, or the reverse. */
  'type-changed',
] as const;

export type RepairType = (typeof REPAIR_TYPES)[number];
