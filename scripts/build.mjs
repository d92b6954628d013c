// Makes dist/: the command line as one CommonJS file, because a hook starts it on every commit and
// one file loads in half the time of sixty. What a command may not need stays outside and is
// imported when it does.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { generateValidators } from './generate-validators.mjs';

/** Commands that a hook does not need; each becomes a file of its own beside cli.cjs. */
const LATE = readFileSync('src/cli.ts', 'utf8').matchAll(/import\('\.\/commands\/([\w-]+)\.js'\)/g);
const late = [...LATE].map(([, name]) => name);

/** `import('./commands/ask.js')` in the source is `import('./ask.cjs')` in dist. */
const lateCommands = {
  name: 'late-commands',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/commands\// }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: path.replace('/commands/', '/').replace(/\.js$/, '.cjs'), external: true }
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
    ...Object.fromEntries(late.map(name => [name, `src/commands/${name}.ts`])),
  },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  packages: 'external',
  plugins: [lateCommands],
  define: { APFEL_BOT_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  // Half the text is half the time to parse it; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  banner: { js: guard },
  logLevel: 'warning',
});

// Only a build that went through replaces the last one.
rmSync('dist', { recursive: true, force: true });
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
chmodSync('dist/cli.cjs', 0o755);
