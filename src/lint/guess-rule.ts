/**
 * The rule's name in a message of a format that has no place for it. Tools put it at the end in
 * brackets — `(errcheck)`, `[-Wunused]` — or in front — `E501 line too long`, `[F401] …`, `Style/Semicolon: …`.
 */
export function guessRule(message: string): string | null {
  const tail = /[[(]([^\s()[\]]{2,80})[\])]\s{0,9}$/.exec(message.slice(-100))?.[1];
  if (tail !== undefined && NAME.test(tail) && !tail.includes('//')) return tail;
  return (CODE_IN_FRONT.exec(message) ?? NAME_IN_FRONT.exec(message))?.[1] ?? null;
}

/** Letters in it, and nothing that makes it a remark such as `(82>79)`. */
const NAME = /^[@\w][\w@/:.-]*[a-z\d]$|^-W[\w=+-]+$/i;
const CODE_IN_FRONT = /^\[?([A-Z]{1,4}\d{2,5})\]?:?\s/;
const NAME_IN_FRONT =
  /^([A-Z][A-Za-z]{1,40}\/[A-Za-z/]{2,60}|[A-Z][a-z]{1,30}[A-Z][A-Za-z]{1,60}): /;
