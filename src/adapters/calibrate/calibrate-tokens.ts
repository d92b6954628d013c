import type { TokenSample } from '../../calibrate/remembered.js';
import { estimateTokens } from '../../core/tokens.js';
import { countTokens, type Environment, findApfel } from '../apfel/apfel-executable.js';

/** Three kinds of text that prompts are made of: a change, prose, and data. */
const TEXTS: readonly string[] = [
  [
    '@@ -12,7 +12,9 @@ export function totalOf(lines: readonly OrderLine[]): number {',
    '   let total = 0;',
    '-  for (const line of lines) total += line.price * line.count;',
    '+  for (const line of lines) {',
    '+    const discount = line.count >= BULK_COUNT ? BULK_DISCOUNT : 0;',
    '+    total += line.price * line.count * (1 - discount);',
    '+  }',
    '   return Math.round(total * 100) / 100;',
    ' }',
  ].join('\n'),
  'The function adds up the lines of an order. An order of ten or more of the same thing gets a discount, which is taken off before the sum is rounded to cents. Negative counts are refused earlier, where the order is read, so that they do not have to be looked for here again.',
  JSON.stringify({
    order: 'A-2041',
    lines: [
      { sku: 'BX-17', count: 12, price: 3.5 },
      { sku: 'BX-18', count: 1, price: 129.99 },
      { sku: 'QZ-4', count: 3, price: 0.75 },
    ],
    customer: { name: 'Ada', country: 'AT', verified: true },
    placedAt: '2026-03-01T09:30:00Z',
  }),
];

/** Our estimates beside apfel's own counts; empty when it is not there, gives none, or guesses too. */
export async function sampleTokens(
  environment: Environment,
  timeoutMs: number,
): Promise<TokenSample[]> {
  const executable = await findApfel(environment);
  if (executable === undefined || timeoutMs <= 0) return [];
  const command = { executable, environment, timeoutMs };
  const counted = await Promise.all(
    TEXTS.map(async text => ({ text, count: await countTokens(command, text) })),
  );
  return counted.flatMap(({ text, count }) =>
    count === undefined || count.isApproximate
      ? []
      : [{ estimated: estimateTokens(text), actual: count.tokens }],
  );
}
