import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Linter } from 'eslint';
import { complaintsOf } from './cases.js';

/** Clean code of an installed package, with a fault put in. */
interface Planted {
  readonly path: string;
  readonly rule: string;
  readonly config: Linter.Config;
  readonly original: string;
  readonly text: string;
  /** As a list of its own, so that it fits what a model needs to know. */
  readonly outputs: readonly string[];
}

/** What to make of a line, and the rule that then complains. */
type Plant = readonly [rule: string, spoil: (line: string) => string | undefined];

const swap =
  (from: RegExp, to: string) =>
  (line: string): string | undefined =>
    from.test(line) ? line.replace(from, to) : undefined;

const PLANTS: readonly Plant[] = [
  ['no-cond-assign', swap(/^(\s+if \(\w+(?:\.\w+)+) === /, '$1 = ')],
  ['no-undef', swap(/\bnull\b/, 'nul')],
  ['valid-typeof', swap(/(typeof \S+ === )"string"/, '$1"strnig"')],
  ['no-dupe-keys', swap(/^(\s+(?:type|description|meta): .*,)$/, '$1\n$1')],
  ['no-debugger', swap(/^(\s+)(return \w+;)$/, '$1debugger;\n$1$2')],
  ['no-unreachable', swap(/^(\s+)(return \w+;)$/, '$1$2\n$1$2')],
  ['eqeqeq', swap(/ === /, ' == ')],
  ['no-unused-vars', swap(/^(\s+)(return \w+;)$/, '$1const spare = 1;\n$1$2')],
  ['no-sparse-arrays', swap(/\[(\w+), (\w+)\]/, '[$1,, $2]')],
  ['no-self-assign', swap(/^(\s+)(\w+) = (\w+);$/, '$1$2 = $2;')],
  ['use-isnan', swap(/ === (\w+)\)/, ' === NaN)')],
  ['no-unsafe-negation', swap(/\(!\((\w+ instanceof)/, '(!$1')],
];

const configFor = (path: string): Linter.Config => ({
  files: [path],
  languageOptions: {
    sourceType: 'commonjs',
    globals: {
      process: false,
      console: false,
      URL: false,
      setTimeout: false,
      structuredClone: false,
    },
  },
  rules: {
    ...Object.fromEntries(PLANTS.map(([rule]) => [rule, 'error'])),
    'no-cond-assign': ['error', 'always'],
  },
});

/** Faults in files of ESLint itself, which is long, real and clean code; each kind as often as the others. */
export function plantFaults(max: number): Planted[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('eslint')), 'rules');
  const planted: Planted[] = [];
  for (const name of readdirSync(folder).filter(each => each.endsWith('.js'))) {
    if (planted.length >= max) break;
    const path = `planted/${name}`;
    const original = readFileSync(join(folder, name), 'utf8').replace(
      /\/\*\s*eslint[\s\S]*?\*\//g,
      '',
    );
    const config = configFor(path);
    if (complaintsOf(original, { path, config })?.length !== 0) continue;
    const rare = [...PLANTS].sort(
      (one, other) => howOften(planted, one) - howOften(planted, other),
    );
    const text = rare.map(plant => withFault(original, plant, { path, config })).find(Boolean);
    if (text === undefined) continue;
    planted.push({ path, rule: text.rule, config, original, text: text.text, outputs: [original] });
  }
  return planted;
}

const howOften = (planted: readonly Planted[], [rule]: Plant): number =>
  planted.filter(each => each.rule === rule).length;

/** The first line that can be spoilt so that exactly this rule complains once. */
function withFault(
  original: string,
  [rule, spoil]: Plant,
  place: { readonly path: string; readonly config: Linter.Config },
): { rule: string; text: string } | undefined {
  const lines = original.split('\n');
  for (const [at, line] of lines.entries()) {
    const spoilt = spoil(line);
    if (spoilt === undefined) continue;
    const text = lines.with(at, spoilt).join('\n');
    const found = complaintsOf(text, place) ?? [];
    if (found.length === 1 && found[0]?.ruleId === rule) return { rule, text };
  }
  return undefined;
}
