/** The location of a secret in a text: UTF-16 offsets, the end exclusive. */
export interface Secret {
  /** The rule is `secret/<kind>`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** How many characters from the start are public: the fixed prefix of a token, a PEM header. */
  readonly publicLength: number;
  /** A further line of the secret found before, such as the body of a private key. */
  readonly isContinuation: boolean;
  /** Only looks like a secret: it has no fixed format, or its checksum is wrong. */
  readonly isLookalike: boolean;
}

/** Checks a place where one of its anchors may start. */
export interface Probe {
  /** Lower case, at least three characters. */
  readonly anchors: readonly string[];
  find(text: string, place: number): Secret | undefined;
}

export const NO_SECRETS: readonly Secret[] = [];
