import * as assert from 'uvu/assert';
import { unsafeEdit } from '../../src/lint/unsafe-edit.js';
import { suite } from '../support/suite.js';

const test = suite('lint/unsafe-edit');

const judge = (before: string, after: string, message = 'x', path = 'a.js') =>
  unsafeEdit({ path, before, after, diagnostics: [{ rule: null, message }] });

const REFUSED: ReadonlyArray<readonly [string, string, string, RegExp]> = [
  [
    "'undefinedThing' is not defined.",
    'f(undefinedThing(name));',
    'f(undefined(name));',
    /calls undefined/,
  ],
  ["'thing' is not defined.", 'f(thing);', 'f(other);', /uses other, which is found nowhere/],
  ["'thing' is not defined.", 'f(thing);', 'f(undefined);', /uses undefined/],
  ["Expected '===' and instead saw '=='.", 'if (a == b) f();', 'if (a !== b) f();', /== and !=/],
  ['Unexpected constant.', 'x(a && b);', 'x(a || b);', /&& and \|\|/],
  ["Expected '===' and instead saw '=='.", 'f(a == null);', 'f(a === null);', /strict/],
  ["Expected '!==' and instead saw '!='.", 'f(undefined != a);', 'f(undefined !== a);', /strict/],
  ['Line too long.', 'while (a < b) f();', 'while (a > b) f();', /< and >/],
  ['Comparing to itself is potentially pointless.', 'f(a < b && a === a);', 'f(a > b);', /< and >/],
  ['Line too long.', 'while (a<=b) f();', 'while (a>=b) f();', /< and >/],
  [
    'Unexpected var.',
    'for (var i = 0; i < n; i++) {}',
    'for (let i = 0; i <= n; i++) {}',
    /< and <=/,
  ],
  ['Line too long.', 'while (a >= b) f();', 'while (a > b) f();', /> and >=/],
  ['Missing braces.', 'if (!a) f();', 'if (a) { f(); }', /negation/],
  ['Missing braces.', 'if (a) f();', 'if (!a) { f(); }', /negation/],
  ['Missing braces.', 'if (!!a) f();', 'if (!a) { f(); }', /negation/],
  [
    'Missing braces.',
    'if (!a) f();\ng();\nif (b) f();',
    'if (a) f();\ng();\nif (b) { f(); }',
    /negation/,
  ],
];

for (const [message, before, after, reason] of REFUSED) {
  test(`an edit of ${before} to ${after} is rejected`, () => {
    assert.match(judge(before, after, message) ?? 'kept', reason);
  });
}

const ALLOWED: ReadonlyArray<readonly [string, string, string]> = [
  ["Expected '===' and instead saw '=='.", 'if (a == b) f();', 'if (a === b) f();'],
  [
    'Use the isNaN function to compare with NaN.',
    'if (a === NaN) f();',
    'if (Number.isNaN(a)) f();',
  ],
  ["Expected '===' and instead saw '=='.", 'f(a == null);', 'f(a === null || a === undefined);'],
  ["Expected '===' and instead saw '=='.", 'f(a == 3, b == null);', 'f(a === 3, b == null);'],
  ['Duplicate key.', 'x = { a: 1, a: 2 };', 'x = { a: 1, b: 2 };'],
  ['Unexpected negated condition.', 'a != b ? c : d', 'a == b ? d : c'],
  ['Too complex.', 'f(a + b + c);', 'const sum = a + b + c;\nf(sum);'],
  ["Use 'includes' instead.", 'a.indexOf(b) !== -1', 'a.includes(b)'],
  ['Unexpected var.', 'for (var i = 0; i < n; i++) {}', 'for (let i = 0; i < n; i++) {}'],
  ['Unexpected any.', 'let a: Map<any> = f(b);', 'let a = (b) => f(b);'],
  ['Self-closing.', 'x = <a></a>;', 'x = <a />;'],
  ['Comment.', 'f();', 'f(); // brings in nothing'],
  ["Use '<=' here.", 'while (a < b) f();', 'while (a <= b) f();'],
  ['Redundant double negation.', 'if (!!a) f();', 'if (a) f();'],
  ["Use 'includes' instead.", 'f(a.indexOf(b) === -1);', 'f(!a.includes(b));'],
  ['Unnecessary boolean literals.', 'f(a ? false : true);', 'f(!a);'],
  ['Forbidden non-null assertion.', 'f(a!.b);', 'f(a?.b);'],
  ["'a' is never used.", 'const a = !b;\nf(b);', 'f(b);'],
  ['Unexpected negated condition.', 'if (!a) f(); else g();', 'if (a) g(); else f();'],
  ['Redundant cast to boolean.', 'if (!!a) f();', 'if (a) f();'],
  ['Unnecessary condition.', 'if (a == null || b === null) f(a, b);', 'f(a, b);'],
  ["Expected '===' and instead saw '=='.", 'f(a\n== null);', 'f(a\n=== undefined || a === null);'],
];

for (const [message, before, after] of ALLOWED) {
  test(`an edit of ${before} to ${after.replace('\n', ' ')} is allowed`, () => {
    assert.is(judge(before, after, message), undefined);
  });
}

test('only code is checked: not text, and not the selectors of a style sheet', () => {
  assert.is(judge('a > b {}', 'a < b {}', 'z', 'a.css'), undefined);
  assert.is(judge('a > b', 'a < b', 'z', 'a.txt'), undefined);
});

test('new names are checked in Python by its own rules, and left to the compiler in other languages', () => {
  assert.is(judge('x = f(y)', 'x = len(y)', 'z', 'a.py'), undefined);
  assert.match(judge('x = f(y)', 'x = g(y)', 'z', 'a.py') ?? '', /uses g/);
  assert.is(judge('x := f(y)', 'x := g(y)', 'z', 'a.go'), undefined);
  assert.match(judge('f(not x)', 'f(x)', 'z', 'a.py') ?? '', /negation/);
  assert.is(judge('f(not x in y)', 'f(x not in y)', 'z', 'a.py'), undefined);
});

test.run();
