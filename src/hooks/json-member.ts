/** Where an object begins in a JSON text: behind its brace. */
export interface JsonObject {
  readonly inside: number;
  readonly isEmpty: boolean;
}

/** JSON has no comments to mark our part with, so it is known by its exact text. */
export function addJsonMember(text: string, object: JsonObject, member: string): string {
  const rest = text.slice(object.inside);
  // As far in as the member that was first until now.
  const space = rest.slice(0, rest.length - rest.trimStart().length);
  const added = object.isEmpty ? member : `${space}${member},`;
  return text.slice(0, object.inside) + added + rest;
}

/** Gives back the bytes from before; unchanged when somebody wrote it in another way. */
export function removeJsonMember(text: string, member: string): string {
  const at = text.indexOf(member);
  if (at < 0) return text;
  const before = text.slice(0, at);
  const after = text.slice(at + member.length);
  const trimmed = before.trimEnd();
  // The comma behind it is ours, or, when it has become the last one, the comma before it.
  if (after.startsWith(',')) return trimmed + after.slice(1);
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) + after : before + after;
}
