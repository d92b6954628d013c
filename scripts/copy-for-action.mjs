// Copies this repository to a folder for action.yml to build in, with a package.json that names only
// the packages the build imports: `npm ci` then leaves out the linters and test tools, three
// quarters of the lockfile.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const from = dirname(dirname(fileURLToPath(import.meta.url)));
const [into] = process.argv.slice(2);
if (into === undefined) {
  console.error('usage: node scripts/copy-for-action.mjs FOLDER');
  process.exit(2);
}

const UNUSED = ['.git', 'node_modules', 'dist', 'out', 'test'];
cpSync(from, into, { recursive: true, filter: path => !UNUSED.includes(relative(from, path)) });

const read = (...path) => readFileSync(join(from, ...path), 'utf8');
const sources = readdirSync(join(from, 'src'), { recursive: true })
  .filter(name => name.endsWith('.ts'))
  .map(name => read('src', name));
const build = read('scripts', 'build.mjs');
const helpers = [...build.matchAll(/'\.\/([\w-]+\.mjs)'/g)].map(([, name]) =>
  read('scripts', name),
);
const code = [...sources, build, ...helpers].join('\n');
const imports = code.matchAll(/\b(?:from|import)\b\s*\(?\s*'((?:@[\w-]+\/)?[\w.-]+)/g);
const imported = new Set([...imports].map(([, name]) => name));

const manifest = JSON.parse(read('package.json'));
for (const kind of ['dependencies', 'devDependencies']) {
  const kept = Object.entries(manifest[kind] ?? {}).filter(([name]) => imported.has(name));
  manifest[kind] = Object.fromEntries(kept);
}
writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
