import * as assert from 'uvu/assert';
import { languageName } from '../../src/review/questions.js';
import { enclosing } from '../../src/review/split.js';
import { suite } from '../support/suite.js';

const test = suite('review/surroundings');

/** A file with the line in question marked, and what encloses it. */
const CASES: ReadonlyArray<readonly [language: string, file: string, headers: readonly string[]]> =
  [
    [
      'Swift',
      'struct Cart {\n    func total(of items: [Item]) -> Int {\n        if items.isEmpty {\n            HERE\n        }\n    }\n}',
      ['struct Cart', 'func total(of items: [Item]) -> Int'],
    ],
    [
      'Swift extension',
      'extension Cart: Codable {\n    init() {\n        HERE\n    }\n}',
      ['extension Cart: Codable', 'init()'],
    ],
    [
      'Objective-C',
      '@implementation Cart\n- (NSInteger)totalOf:(NSArray *)items {\n    HERE\n}',
      ['- (NSInteger)totalOf:(NSArray *)items'],
    ],
    [
      'TypeScript',
      'export class Cart {\n  async total(items: Item[]): Promise<number> {\n    for (const item of items) {\n      HERE\n    }\n  }\n}',
      ['export class Cart', 'async total(items: Item[]): Promise<number>'],
    ],
    ['JavaScript', 'const total = items => {\n  HERE\n};', ['const total = items =>']],
    [
      'Python',
      'class Cart:\n    def total(self, items):\n        for item in items:\n            HERE',
      ['class Cart:', 'def total(self, items):'],
    ],
    [
      'Ruby',
      'class Cart\n  def total(items)\n    HERE\n  end\nend',
      ['class Cart', 'def total(items)'],
    ],
    [
      'Go',
      'func (c *Cart) Total(items []Item) int {\n\tfor range items {\n\t\tHERE\n\t}\n}',
      ['func (c *Cart) Total(items []Item) int'],
    ],
    [
      'Rust',
      'impl Cart {\n    pub fn total(&self) -> u32 {\n        HERE\n    }\n}',
      ['impl Cart', 'pub fn total(&self) -> u32'],
    ],
    [
      'Java',
      'public class Cart {\n    public int total(List<Item> items) {\n        HERE\n    }\n}',
      ['public class Cart', 'public int total(List<Item> items)'],
    ],
    [
      'Kotlin',
      'data class Cart(val items: List<Item>) {\n    fun total(): Int {\n        HERE\n    }\n}',
      ['data class Cart(val items: List<Item>)', 'fun total(): Int'],
    ],
    [
      'C',
      'int total(const struct item *items)\n{\n    if (items) {\n        HERE\n    }\n}',
      ['int total(const struct item *items)'],
    ],
    [
      'C#',
      'class Cart\n{\n    public int Total(Item[] items)\n    {\n        HERE\n    }\n}',
      ['class Cart', 'public int Total(Item[] items)'],
    ],
    [
      'PHP',
      'class Cart {\n    public function total(array $items): int {\n        HERE\n    }\n}',
      ['class Cart', 'public function total(array $items): int'],
    ],
    ['shell', 'total() {\n  HERE\n}', ['total()']],
    [
      'Elixir',
      'defmodule Cart do\n  def total(items) do\n    HERE\n  end\nend',
      ['defmodule Cart do', 'def total(items) do'],
    ],
    ['Lua', 'function Cart.total(items)\n  HERE\nend', ['function Cart.total(items)']],
    [
      'Dart',
      'class Cart {\n  int total(List<Item> items) {\n    HERE\n  }\n}',
      ['class Cart', 'int total(List<Item> items)'],
    ],
  ];

for (const [language, text, headers] of CASES) {
  test(`in ${language}, the function and the type around a line are found`, () => {
    const file = text.split('\n');
    assert.equal(
      enclosing(
        file,
        file.findIndex(line => line.includes('HERE')),
      ),
      headers,
    );
  });
}

test('a header of several lines is found at its beginning', () => {
  const file =
    'func total(\n    of items: [Item],\n    with tax: Int\n) -> Int {\n    HERE\n}'.split('\n');
  assert.equal(enclosing(file, 4), ['func total(']);
});

test('a line at the top level has nothing around it', () => {
  assert.equal(enclosing(['function f() {', '  x();', '}', 'HERE'], 3), []);
});

test('a language has the name that people use', () => {
  assert.equal(['a/B.swift', 'a.tsx', 'x.unknown', 'Makefile'].map(languageName), [
    'Swift',
    'TypeScript',
    'text',
    'text',
  ]);
});

test.run();
