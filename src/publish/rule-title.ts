/** A short description of a rule for reports that list rules apart from findings. */
export function ruleTitle(rule: string): string {
  const family = rule.slice(0, rule.indexOf('/') + 1);
  return TITLES.get(rule) ?? TITLES.get(family) ?? `Reported as ${rule}.`;
}

const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'conflict-marker': 'A merge conflict marker was left in the file.',
    'secret/': 'Something that looks like a credential is added.',
    'hidden-unicode/bidi':
      'Bidirectional control characters make code read differently than it runs.',
    'hidden-unicode/zero-width': 'An invisible character stands in the code.',
    'hidden-unicode/mixed-script': 'A word mixes letters of look-alike scripts.',
    'invalid/': 'The file does not parse.',
    'case-collision': 'Two paths differ only in upper and lower case.',
    'focused-test': 'A focused test keeps all others from running.',
    'skipped-test': 'A test is switched off.',
    'ci/dangerous': 'A workflow gives untrusted code access to secrets or a shell.',
    debugger: 'A breakpoint statement is added.',
    'debug-output': 'Output that looks like left over from debugging is added.',
    'large-file': 'A large file is added.',
    'new-binary': 'A binary file is added.',
    whitespace: 'White space that git warns about.',
    'model/': 'A remark of the model on a changed line.',
  }),
);
