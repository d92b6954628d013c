/** What is wrong with the sample code, and what the scripted model says of it. */
export interface PlantedBug {
  readonly path: string;
  /** Text of the line, which no other line of the sample has. */
  readonly quote: string;
  readonly message: string;
  /** What is reported as the quoted code, where that is not what stands there. */
  readonly misquote?: string;
}

export const OFF_BY_ONE: PlantedBug = {
  path: 'src/cart.js',
  quote: 'at <= items.length',
  message: 'Reads past the end: the last step asks for items[items.length], which is not there.',
};

export const INVERTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'customer.isMember ? price : price * 0.9',
  message: 'The condition is inverted: members pay in full, and everybody else pays less.',
};

/** As models do now and then: it quotes code that is not there. Nobody gets to see it. */
export const INVENTED: PlantedBug = {
  path: 'src/discount.js',
  quote: 'priceFor(customer, price)',
  misquote: 'customer.discounts[0]',
  message: 'The list of discounts may be empty, and then its first entry is undefined.',
};

export const PLANTED: readonly PlantedBug[] = [OFF_BY_ONE, INVENTED, INVERTED];

export interface PlantedEdit {
  /** Words of the complaint that it answers. */
  readonly about: string;
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export const EDITS: readonly PlantedEdit[] = [
  {
    about: 'no-template-curly-in-string',
    path: 'src/receipt.js',
    oldText: `return 'To pay: \${cart.total} ' + currency;`,
    newText: `return \`To pay: \${cart.total} \${currency}\`;`,
  },
  {
    about: INVERTED.message,
    path: INVERTED.path,
    oldText: INVERTED.quote,
    newText: 'customer.isMember ? price * 0.9 : price',
  },
];
