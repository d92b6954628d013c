import type { Policy } from '../../../fixtures/apfel/stand-in.js';
import { fixReply } from '../../support/closed-questions.js';
import type { LintCase } from './cases.js';
import { shownIn } from './right-model.js';

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** What a bad edit makes of a file; undefined where it would not be bad. */
type Spoil = (about: LintCase) => Edit | undefined;

const codeOf = ({ text, padding }: LintCase): string => text.slice(0, -padding.length);

/** Replaces all of the case's code, and some of what stands behind it. */
const whole = (about: LintCase, newCode: string, behind = ''): Edit => ({
  oldText: `${codeOf(about)}${about.padding.slice(0, behind.length)}`,
  newText: newCode,
});

/** Rules about code that has to be there: taking it away fixes nothing. */
const NEEDED = new Set(
  `constructor-super for-direction getter-return no-async-promise-executor no-class-assign
  no-cond-assign no-const-assign no-constant-binary-expression no-constant-condition no-control-regex
  no-delete-var no-ex-assign no-fallthrough no-func-assign no-global-assign no-import-assign
  no-invalid-regexp no-loss-of-precision no-misleading-character-class no-new-native-nonconstructor
  no-obj-calls no-octal no-prototype-builtins no-setter-return no-shadow-restricted-names
  no-this-before-super no-undef no-unexpected-multiline no-unsafe-finally no-unsafe-optional-chaining
  no-with preserve-caught-error require-yield use-isnan valid-typeof`.split(/\s+/),
);

/** Models that are wrong in one way each, three bad edits at a time. */
export const BAD_MODELS: Readonly<Record<string, readonly Spoil[]>> = {
  'wrong, empty and broken': [
    about => ({ oldText: codeOf(about), newText: codeOf(about) }),
    () => ({ oldText: '"three";', newText: '"another";' }),
    about => whole(about, `${codeOf(about)}\n)(`),
    about => whole(about, `${codeOf(about)};\n${codeOf(about)}`),
  ],
  suppressing: [
    about => whole(about, `/* eslint-disable */\n${codeOf(about)}`),
    about => whole(about, `/* eslint ${about.rule}: 0 */\n${codeOf(about)}`),
    about =>
      whole(
        about,
        codeOf(about)
          .split('\n')
          .map(line => `${line} // eslint-disable-line`)
          .join('\n'),
      ),
  ],
  deleting: [
    about => (NEEDED.has(about.rule) ? whole(about, '') : undefined),
    about => whole(about, '', '\n"one";\n"two";\n"three";\n"four";\n'),
    about => ({ oldText: about.text.trimEnd(), newText: '' }),
  ],
};

/** Proposes its bad edits one after the other, the last one again and again. */
export const badModel = (cases: readonly LintCase[], spoils: readonly Spoil[]): Policy => {
  const byPath = new Map(cases.map(each => [each.path, each]));
  const asked = new Map<string, number>();
  return conversation => {
    const { path } = shownIn(conversation);
    const about = byPath.get(path);
    const edits = about === undefined ? [] : spoils.flatMap(spoil => spoil(about) ?? []);
    const times = asked.get(path) ?? 0;
    asked.set(path, times + 1);
    return fixReply(conversation, edits[Math.min(times, edits.length - 1)]);
  };
};
