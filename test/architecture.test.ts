import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ParseResult, parseSync } from 'rolldown/utils';
import * as assert from 'uvu/assert';
import { suite } from './support/suite.js';

/** A folder may import itself and those above it in this list. `src/README.md` explains them. */
const ORDER = [
  'core',
  'platform',
  'session.ts',
  'git',
  'model',
  'github',
  'config',
  'diff',
  'secrets',
  'checks',
  'lint',
  'agent',
  'report',
  'notes',
  'runs',
  'review',
  'fix',
  'ask',
  'describe',
  'hooks',
  'init',
  'publish',
  'respond',
  'explain',
  'calibrate',
  'doctor',
  'eval',
  'demo',
  'cli',
  'cli.ts',
  'start.ts',
];

/** Files, processes, network, clock and environment. */
const WORLD = /^node:(?:fs|child_process|net|http|https|dns|readline|timers|worker_threads)\b/;
const AMBIENT = new Set(
  'process console Date fetch setTimeout setInterval setImmediate performance globalThis require'.split(
    ' ',
  ),
);

/** What may reach the world: four folders, the start, and the files that write what is ours. */
const MAY_REACH_THE_WORLD = [
  'platform/',
  'git/',
  'model/',
  'github/',
  'cli.ts',
  'start.ts',
  'config/rules.ts',
  'lint/linter-process.ts',
  'lint/run.ts',
  'lint/stdin.ts',
  'notes/hand-over.ts',
  'notes/command.ts',
  'notes/own-lines.ts',
  'notes/transaction.ts',
  'runs/save.ts',
  'runs/transcripts.ts',
  'review/cache.ts',
  'hooks/background.ts',
  'hooks/facts.ts',
  'hooks/install-command.ts',
  'hooks/installed.ts',
  'hooks/queue.ts',
  'publish/remote-repo.ts',
  'doctor/gather.ts',
  'doctor/machine.ts',
  'doctor/gather-model.ts',
  'calibrate/measure.ts',
  'eval/suite.ts',
  'demo/',
];

const parsed = new Map<string, ParseResult>();

/** Each text is parsed once for all rules. */
function parse(file: string, text: string): ParseResult {
  const known = parsed.get(text) ?? parseSync(file, text);
  parsed.set(text, known);
  return known;
}

const folderOf = (file: string): string => file.split('/')[0] ?? file;

function problemsIn(file: string, text: string): string[] {
  const place = ORDER.indexOf(folderOf(file));
  if (folderOf(file) === 'generated') return [];
  if (place === -1) return [`${file}: ${folderOf(file)} has no place in the order of folders`];
  const problems: string[] = [];
  const { program, module } = parse(file, text);
  const mayReach = MAY_REACH_THE_WORLD.some(entry => file === entry || file.startsWith(entry));
  const late = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start + 1, end - 1),
  );
  const early = [...module.staticImports, ...reExports(module)];
  for (const asked of [...early.map(({ moduleRequest }) => moduleRequest.value), ...late]) {
    const target = targetOf(asked, file);
    if (ORDER.indexOf(folderOf(target)) > place) problems.push(`${file}: may not import ${target}`);
    if (!mayReach && WORLD.test(target)) {
      problems.push(`${file}: reaches the world through ${target}`);
    }
  }
  for (const name of mayReach ? [] : ambientsIn(program as unknown as Node)) {
    problems.push(`${file}: reaches the world through ${name}`);
  }
  const exports = module.staticExports.flatMap(({ entries }) => entries);
  if (exports.some(({ exportName }) => exportName.kind === 'Default')) {
    problems.push(`${file}: default export`);
  }
  return problems;
}

/** What an import, early or late, names: a file of `src/` or a module. */
const targetOf = (asked: string, file: string): string =>
  asked.startsWith('.') ? posix.join(posix.dirname(file), asked).replace(/\.js$/, '.ts') : asked;

type Module = ParseResult['module'];

/** `export … from`, in the shape of an import. */
const reExports = (module: Module) =>
  module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ moduleRequest, entries: [{ isType }] }],
    ),
  );

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly [key: string]: unknown;
}

/** Uses of a global; a property or a type that shares its name is none. */
function ambientsIn(node: Node, parent?: Node): string[] {
  const own = isAmbient(node, parent) ? [String(node.name)] : [];
  const children = Object.values(node).flat().filter(isNode);
  return [...own, ...children.flatMap(child => ambientsIn(child, node))];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function isAmbient(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier' || !AMBIENT.has(node.name ?? '')) return false;
  // `new Date(milliseconds)` only converts.
  if (parent?.type === 'NewExpression' && node.name === 'Date')
    return [parent['arguments']].flat().length === 0;
  if (parent?.type === 'TSTypeReference') return false;
  return (
    parent?.['computed'] === true || (parent?.['key'] !== node && parent?.['property'] !== node)
  );
}

/** The first circle of imports found, as a path of files. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const cycle = walk(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = walk(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Types may refer to each other; only what is loaded at run time can go round in circles. */
function runtimeImports(file: string, text: string): string[] {
  const { module } = parse(file, text);
  return [...module.staticImports, ...reExports(module)]
    .filter(({ entries }) => entries.length === 0 || !entries.every(({ isType }) => isType))
    .map(({ moduleRequest }) => targetOf(moduleRequest.value, file));
}

type Source = readonly [file: string, text: string];

const filesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
    .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const);

const sources = (): Source[] => filesIn('src');

/** `file: name` for each name that a file takes from another one, early or late. */
function importedNames(file: string, text: string): string[] {
  const { module } = parse(file, text);
  const early = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(
      ({ importName }) => `${targetOf(moduleRequest.value, file)}: ${importName.name ?? '*'}`,
    ),
  );
  const late = module.dynamicImports.map(
    ({ moduleRequest: { start, end } }) => `${targetOf(text.slice(start + 1, end - 1), file)}: *`,
  );
  return [...early, ...late];
}

/** Exports that no other file imports, and those that tests alone import and the file never uses. */
function needlessExports(code: readonly Source[], tests: readonly Source[]): string[] {
  const namesIn = (files: readonly Source[]): Set<string> =>
    new Set(files.flatMap(([file, text]) => importedNames(file, text)));
  const inCode = namesIn(code);
  const inTests = namesIn(tests);
  return code.flatMap(([file, text]) => {
    if (file.startsWith('src/generated/') || inCode.has(`${file}: *`)) return [];
    const names = parse(file, text).module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name ?? ''),
    );
    return names.flatMap(name => {
      if (inCode.has(`${file}: ${name}`)) return [];
      if (!inTests.has(`${file}: ${name}`)) return [`${file}: nobody imports ${name}`];
      const isUsed = text.split(new RegExp(`\\b${name}\\b`)).length > 2;
      return isUsed ? [] : [`${file}: only tests use ${name}`];
    });
  });
}

const test = suite('architecture');

test('every file in src/ imports downward and stays inside unless it may reach the world', () => {
  assert.equal(
    sources().flatMap(([file, text]) => problemsIn(file, text)),
    [],
  );
});

test('every file that may reach the world exists', () => {
  const files = sources().map(([file]) => file);
  const gone = MAY_REACH_THE_WORLD.filter(entry => !files.some(file => file.startsWith(entry)));
  assert.equal(gone, []);
});

/** Git reads files of a work tree through filters, which are programs. */
const READS_WORK_TREE =
  /(?<!\w)\[\s*'(?:add|am|apply|checkout|checkout-index|diff-files|diff-index|reset|restore|stash|status|switch|update-index)'/;

test('git is asked about the user’s work tree in one file, which switches filters off', () => {
  // The others work in repositories of their own.
  const own = /^(?:git\/scratch|lint\/sandbox\.ts|demo\/)/;
  const files = sources().filter(([file, text]) => READS_WORK_TREE.test(text) && !own.test(file));
  assert.equal(
    files.map(([file]) => file),
    ['git/work-tree.ts'],
  );
});

test('every export is imported, and not only by tests', () => {
  const below = (folder: string): Source[] =>
    filesIn(folder).map(([file, text]) => [`${folder}/${file}`, text]);
  const problems = needlessExports(below('src'), [...below('test'), ...below('fixtures')]);
  assert.equal(problems, []);
});

test('an export that nobody uses, or only a test, is noticed', () => {
  const code: Source[] = [
    ['src/a.ts', 'export const a = 1; export const b = 2; export const c = 3; const d = c;'],
    ['src/d.ts', `import { e } from './e.js';`],
    ['src/e.ts', 'export const e = 1;'],
  ];
  const tests: Source[] = [['test/a.test.ts', `import { b, c } from '../src/a.js';`]];
  assert.equal(needlessExports(code, tests), [
    'src/a.ts: nobody imports a',
    'src/a.ts: only tests use b',
  ]);
});

test('every file that the map names exists', () => {
  const names = [...readFileSync('src/README.md', 'utf8').matchAll(/`([a-z-]+(?:\/[a-z-]+)+)`/g)];
  const gone = names.filter(([, name]) => !existsSync(`src/${name}.ts`));
  assert.ok(names.length > 40);
  assert.equal(
    gone.map(([, name]) => name),
    [],
  );
});

test('no file imports itself through others', () => {
  const imports = new Map(sources().map(([file, text]) => [file, runtimeImports(file, text)]));
  assert.ok(imports.size > 50, 'the sources were found');
  assert.is(cycleIn(imports), undefined);
});

test('a circular import is noticed', () => {
  const imports = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['b.ts']],
  ]);
  assert.equal(cycleIn(imports), ['b.ts', 'c.ts', 'b.ts']);
});

for (const [file, text, problem] of [
  [
    'diff/gather.ts',
    `import { x } from '../review/plan.js';`,
    'diff/gather.ts: may not import review/plan.ts',
  ],
  [
    'core/task.ts',
    `import { readFileSync } from 'node:fs';`,
    'core/task.ts: reaches the world through node:fs',
  ],
  [
    'report/text.ts',
    `const late = await import('../hooks/shim.js');`,
    'report/text.ts: may not import hooks/shim.ts',
  ],
  [
    'checks/secret.ts',
    'const now = Date.now();',
    'checks/secret.ts: reaches the world through Date',
  ],
  ['review/plan.ts', 'export default 1;', 'review/plan.ts: default export'],
  ['utils/x.ts', '', 'utils/x.ts: utils has no place in the order of folders'],
] as const) {
  test(`a broken rule is reported: ${problem}`, () =>
    assert.equal(problemsIn(file, text), [problem]));
}

test.run();
