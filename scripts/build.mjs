// Makes dist/: the command line as few CommonJS files, because a hook starts it on every commit and
// one file loads in half the time of sixty. What the source imports late is a file of its own.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { generateValidators } from './generate-validators.mjs';

/** Where to; tests name another place to leave `dist` as it is. */
const outdir = process.env.APFEL_BOT_DIST ?? 'dist';

/** What is imported late anywhere, by the name of its file. */
const sources = readdirSync('src', { recursive: true }).filter(name => name.endsWith('.ts'));
const late = sources.flatMap(name => {
  const imports = readFileSync(join('src', name), 'utf8').matchAll(
    /\bimport\('(\.[\w./-]+)\.js'\)/g,
  );
  return [...imports].map(([, path]) => [basename(path), `${join('src', dirname(name), path)}.ts`]);
});

/** `import('./commands/ask.js')` in the source is `import('./ask.cjs')` for esbuild. */
const lateParts = {
  name: 'late-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path, '.js')}.cjs`, external: true }
        : undefined,
    ),
};

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * Stands before everything else and in words that any Node reads: git clients come with Nodes of
 * their own age. A hook lets git go on.
 */
const [major, minor] = engines.node.replace('>=', '').split('.');
const guard = `"use strict";var node=process.versions.node.split(".");if(+node[0]<${major}||+node[0]==${major}&&+node[1]<${minor}){console.error("apfel-bot: needs Node ${major}.${minor} or newer, found "+process.versions.node+"; see https://nodejs.org, or the PATH of your git client");process.exit(process.argv[2]==="hook"?0:2)}`;

generateValidators();
const { outputFiles } = await build({
  entryPoints: {
    cli: 'src/cli.ts',
    ...Object.fromEntries(late),
  },
  outdir,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  packages: 'external',
  plugins: [lateParts],
  define: { APFEL_BOT_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  // Half the text is half the time to parse it; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  banner: { js: guard },
  logLevel: 'warning',
});

/** Node searches what it imports for names to export, which costs more than to load the file. */
const requireLate = text => text.replaceAll(/\bimport\(("\.\/[\w-]+\.cjs")\)/g, 'require($1)');

// Only a build that went through replaces the last one.
rmSync(outdir, { recursive: true, force: true });
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, requireLate(text));
}
chmodSync(join(outdir, 'cli.cjs'), 0o755);
