/** Where a secret stands in a text: UTF-16 offsets of the secret itself, the end exclusive. */
export interface Secret {
  /** The rule is `secret/<kind>`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** How many characters from the start are public: the fixed prefix of a token, a PEM header. */
  readonly publicLength: number;
  /** A further line of a secret that was found before, such as the body of a private key. */
  readonly isContinuation: boolean;
}

/** Looks closer at a place where one of its anchors may begin. */
export interface Probe {
  /** Lower case, at least three characters. */
  readonly anchors: readonly string[];
  find(text: string, place: number): Secret | undefined;
}

export const NO_SECRETS: readonly Secret[] = [];
