import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import * as assert from 'uvu/assert';
import { suite } from './support/suite.js';

const STAGES =
  'trigger gather checks plan agent verify publish lint fix hooks doctor calibrate respond audit post push evaluate demo'.split(
    ' ',
  );
const SHARED = ['core/', 'world.ts', 'config.ts'];

/** What each part of src/ may import. Entries ending in "/" are folders; "*" is anything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/': ['core/', 'node:crypto'],
  'generated/': ['core/'],
  'world.ts': ['core/'],
  'config.ts': ['core/'],
  ...Object.fromEntries(STAGES.map(stage => [`${stage}/`, [`${stage}/`, ...SHARED]])),
  'agent/': ['agent/', ...SHARED, 'ajv'],
  'trigger/': ['trigger/', ...SHARED, 'generated/'],
  // The pages: each shows one task's flow through the stages.
  ...Object.fromEntries(
    ['run.ts', 'answer.ts', 'describe.ts', 'fix-lint.ts', 'post.ts', 'push.ts'].map(page => [
      page,
      [...STAGES.map(stage => `${stage}/`), ...SHARED],
    ]),
  ),
  'adapters/': ['*'],
  'commands/': ['*'],
  'cli.ts': ['*'],
  'start.ts': ['*'],
};

/** Names that reach the outside world without an import. */
const AMBIENT = new Set(
  'process console Date fetch setTimeout setInterval setImmediate performance globalThis require'.split(
    ' ',
  ),
);
const MAY_TOUCH_WORLD = ['adapters/', 'cli.ts', 'start.ts'];
const MAY_IMPORT_LATE = [
  'adapters/',
  'cli.ts',
  'start.ts',
  'commands/hook.ts',
  'commands/hook-post-commit.ts',
  'agent/check-input.ts',
  'trigger/find-config.ts',
];
const MAX_LINES = 200;
const MAX_FUNCTION_LINES = 60;

const covers = (entry: string, path: string): boolean =>
  entry === '*' || entry === path || (entry.endsWith('/') && path.startsWith(entry));

function problemsIn(file: string, text: string): string[] {
  const owner = Object.keys(MAY_IMPORT).find(entry => covers(entry, file));
  if (owner === undefined) return [`${file}: no place in the layout`];
  if (owner === 'generated/') return [];
  const problems: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mayTouchWorld = MAY_TOUCH_WORLD.some(entry => covers(entry, file));
  const visit = (node: ts.Node): void => {
    const target = importOf(node, file);
    if (target !== undefined && !MAY_IMPORT[owner]?.some(entry => covers(entry, target))) {
      problems.push(`${file}: may not import ${target}`);
    }
    if (!mayTouchWorld && isAmbient(node)) {
      problems.push(`${file}: reaches outside through ${node.getText()}`);
    }
    if (isDynamicImport(node) && !MAY_IMPORT_LATE.some(entry => covers(entry, file))) {
      problems.push(`${file}: import() hides a dependency`);
    }
    if (ts.isExportAssignment(node) || isDefault(node)) problems.push(`${file}: default export`);
    const length = functionLength(node, source);
    if (length > MAX_FUNCTION_LINES) problems.push(`${file}: a function of ${length} lines`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) problems.push(`${file}: ${lines} lines, the limit is ${MAX_LINES}`);
  if (posix.basename(file) === 'index.ts') problems.push(`${file}: no barrels`);
  return problems;
}

function importOf(node: ts.Node, file: string): string | undefined {
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return undefined;
  if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier))
    return undefined;
  const asked = node.moduleSpecifier.text;
  if (!asked.startsWith('.')) return asked;
  return posix.join(posix.dirname(file), asked).replace(/\.js$/, '.ts');
}

/** True for a use of the global, false for a property or a type that shares its name. */
function isAmbient(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || !AMBIENT.has(node.text)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isMethodSignature(parent)
  );
}

const isDynamicImport = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

const isDefault = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(word => word.kind === ts.SyntaxKind.DefaultKeyword) === true;

function functionLength(node: ts.Node, source: ts.SourceFile): number {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return 0;
  const line = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  return line(node.end) - line(node.getStart()) + 1;
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
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(node => !(ts.isImportDeclaration(node) && node.importClause?.isTypeOnly))
    .flatMap(node => importOf(node, file) ?? []);
}

const sources = (): Array<readonly [file: string, text: string]> =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => [name, readFileSync(join('src', name), 'utf8')] as const);

const test = suite('architecture');

test('every file in src/ keeps to the layout', () => {
  assert.equal(
    sources().flatMap(([file, text]) => problemsIn(file, text)),
    [],
  );
});

test('no imports go round in circles', () => {
  const imports = new Map(sources().map(([file, text]) => [file, runtimeImports(file, text)]));
  assert.ok(imports.size > 50, 'the sources were found');
  assert.is(cycleIn(imports), undefined);
});

test('a circle is noticed', () => {
  const imports = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['b.ts']],
  ]);
  assert.equal(cycleIn(imports), ['b.ts', 'c.ts', 'b.ts']);
});

test('fixtures and test support keep files short as well', () => {
  const folders = ['fixtures', 'test/support'];
  const long = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const)
      .filter(([, text]) => text.split('\n').length - 1 > MAX_LINES)
      .map(([name]) => name),
  );
  assert.equal(long, []);
});

const forbidden: ReadonlyArray<readonly [file: string, text: string, problem: string]> = [
  [
    'plan/plan.ts',
    `import { x } from '../gather/gather.js';`,
    'plan/plan.ts: may not import gather/gather.ts',
  ],
  [
    'core/task.ts',
    `import { readFileSync } from 'node:fs';`,
    'core/task.ts: may not import node:fs',
  ],
  [
    'verify/verify.ts',
    `import { simpleGit } from 'simple-git';`,
    'verify/verify.ts: may not import simple-git',
  ],
  ['agent/loop.ts', `const now = Date.now();`, 'agent/loop.ts: reaches outside through Date'],
  ['publish/publish.ts', `export default 1;`, 'publish/publish.ts: default export'],
  ['publish/render.ts', `export default function render() {}`, 'publish/render.ts: default export'],
  [
    'gather/gather.ts',
    `export const fs = () => import('../plan/plan.js');`,
    'gather/gather.ts: import() hides a dependency',
  ],
  ['misc/util.ts', ``, 'misc/util.ts: no place in the layout'],
  [
    'plan/long.ts',
    `export function f() {${'\n'.repeat(70)}}`,
    'plan/long.ts: a function of 71 lines',
  ],
  ['plan/longer.ts', '\n'.repeat(201), 'plan/longer.ts: 201 lines, the limit is 200'],
];
for (const [file, text, problem] of forbidden) {
  test(`refuses: ${problem}`, () => assert.equal(problemsIn(file, text), [problem]));
}

test.run();
