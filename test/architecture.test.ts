import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
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
  'publish',
  'respond',
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
  'lint/run.ts',
  'lint/stdin.ts',
  'notes/hand-over.ts',
  'notes/sync.ts',
  'notes/transaction.ts',
  'runs/saved.ts',
  'runs/transcripts.ts',
  'review/cache.ts',
  'hooks/background.ts',
  'hooks/facts.ts',
  'hooks/install-command.ts',
  'hooks/queue.ts',
  'publish/remote-repo.ts',
  'doctor/gather.ts',
  'doctor/gather-hooks.ts',
  'doctor/gather-model.ts',
  'calibrate/measure.ts',
  'eval/suite.ts',
  'demo/',
];

const folderOf = (file: string): string => file.split('/')[0] ?? file;

function problemsIn(file: string, text: string): string[] {
  const place = ORDER.indexOf(folderOf(file));
  if (folderOf(file) === 'generated') return [];
  if (place === -1) return [`${file}: ${folderOf(file)} has no place in the order of folders`];
  const problems: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mayReach = MAY_REACH_THE_WORLD.some(entry => file === entry || file.startsWith(entry));
  const visit = (node: ts.Node): void => {
    const target = importOf(node, file);
    if (target !== undefined && ORDER.indexOf(folderOf(target)) > place) {
      problems.push(`${file}: may not import ${target}`);
    }
    if (!mayReach && target !== undefined && WORLD.test(target)) {
      problems.push(`${file}: reaches the world through ${target}`);
    }
    if (!mayReach && isAmbient(node)) {
      problems.push(`${file}: reaches the world through ${node.getText()}`);
    }
    if (ts.isExportAssignment(node) || isDefault(node)) problems.push(`${file}: default export`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** What an import, early or late, names: a file of `src/` or a module. */
function importOf(node: ts.Node, file: string): string | undefined {
  const asked = specifierOf(node);
  if (asked === undefined || !ts.isStringLiteral(asked)) return undefined;
  if (!asked.text.startsWith('.')) return asked.text;
  return posix.join(posix.dirname(file), asked.text).replace(/\.js$/, '.ts');
}

function specifierOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  return isLateImport(node) ? node.arguments[0] : undefined;
}

const isLateImport = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

/** True for a use of the global, false for a property or a type that shares its name. */
function isAmbient(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || !AMBIENT.has(node.text)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  // `new Date(milliseconds)` only converts.
  if (ts.isNewExpression(parent) && node.text === 'Date') return parent.arguments?.length === 0;
  return !(
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isMethodSignature(parent)
  );
}

const isDefault = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(word => word.kind === ts.SyntaxKind.DefaultKeyword) === true;

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
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(node => !isTypeImport(node))
    .flatMap(node => importOf(node, file) ?? []);
}

function isTypeImport(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return false;
  const { isTypeOnly, namedBindings } = node.importClause;
  if (isTypeOnly) return true;
  if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every(each => each.isTypeOnly);
}

const sources = (): Array<readonly [file: string, text: string]> =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => [name, readFileSync(join('src', name), 'utf8')] as const);

const test = suite('architecture');

test('every file in src/ imports downward and stays inside unless it may reach the world', () => {
  assert.equal(
    sources().flatMap(([file, text]) => problemsIn(file, text)),
    [],
  );
});

test('no file is allowed to reach the world that does not exist', () => {
  const files = sources().map(([file]) => file);
  const gone = MAY_REACH_THE_WORLD.filter(entry => !files.some(file => file.startsWith(entry)));
  assert.equal(gone, []);
});

test('no imports go round in circles', () => {
  const imports = new Map(sources().map(([file, text]) => [file, runtimeImports(file, text)]));
  assert.ok(imports.size > 50, 'the sources were found');
  assert.is(cycleIn(imports), undefined);
});

test('a circle of imports is noticed', () => {
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
  test(`a rule is held: ${problem}`, () => assert.equal(problemsIn(file, text), [problem]));
}

test.run();
