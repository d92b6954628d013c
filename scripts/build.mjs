// Makes dist/: the command line and every package it needs, as few CommonJS files, because a hook
// starts it on every commit. What the source imports late is a separate file.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf, packageOf } from './bundled-licences.mjs';
import { generatePageText } from './generate-page-text.mjs';
import { generateTypes } from './generate-types.mjs';
import { generateValidators } from './generate-validators.mjs';

/** The output folder; tests use another one, so that `dist` isn't touched. */
const outdir = process.env.APFEL_BOT_DIST ?? 'dist';

const { version, engines, homepage } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Links to the documentation point to where this was cloned from, unless package.json names a repository. */
const origin = spawnSync('git', ['config', '--get', 'remote.origin.url'], { encoding: 'utf8' });
const cloned = /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin.stdout?.trim() ?? '');
const home = homepage ?? (cloned ? `https://github.com/${cloned[1]}` : undefined);

/**
 * The file that Node starts, in JavaScript that any Node can parse: git clients ship old ones. It
 * is separate from the rest, because Node parses a whole file before it runs any of it. A hook lets
 * git continue.
 */
const [major, minor] = engines.node.replace('>=', '').split('.');
const launcher = `#!/usr/bin/env node
"use strict";function isOld(version){var node=version.split(".");return !(+node[0]>${major}||+node[0]==${major}&&+node[1]>=${minor})}
if(isOld(process.versions.node))require("./old-node.cjs")(isOld,"${major}.${minor}");else require("./start.cjs");
`;

/** What these import goes into the same file, so that a hook opens few files. */
const groups = [
  ['main', ['cli.ts', 'hooks/command.ts', 'hooks/post-commit.ts']],
  ['review', ['hooks/pre-commit.ts', 'review/command.ts']],
  ['help', ['cli/help.ts']],
].map(([name, files], at) => {
  const paths = files.map(file => join(process.cwd(), 'src', file));
  return { name, test: id => paths.includes(id), priority: 9 - at };
});

generateTypes();
generateValidators();
generatePageText();
const bundle = await rolldown({
  input: { start: 'src/start.ts' },
  platform: 'node',
  // Some packages list their ES modules only there, and unused parts of those can be left out.
  resolve: { mainFields: ['module', 'main'] },
  transform: {
    target: 'node20.19',
    define: {
      APFEL_BOT_VERSION: JSON.stringify(version),
      ...(home && { APFEL_BOT_HOMEPAGE: JSON.stringify(home) }),
    },
  },
});
const { output } = await bundle.generate({
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  comments: false,
  // Half the text takes half the time to parse; names stay, so that a stack trace is readable.
  minify: { compress: true, mangle: false, codegen: true },
  codeSplitting: {
    groups: [
      ...groups,
      { name: 'octokit', test: /[\\/]node_modules[\\/]@octokit[\\/]/, priority: 1 },
      {
        debugName: 'packages',
        name: id => packageOf(id).replace(/^@.*[\\/]/, ''),
        test: /[\\/]node_modules[\\/]/,
      },
    ],
  },
});

/**
 * Node's own modules are loaded at their first use, not with the file: node:crypto alone takes
 * longer than a `git diff`. In brackets, because `new require("x").Y` would call `require` with new.
 */
function requireAtUse(code) {
  let text = code;
  for (const [, name, module] of code.matchAll(/\b(node_\w+)=require\("(node:[\w/]+)"\)/g)) {
    const uses = [...code.matchAll(new RegExp(`(?<![\\w$.])${name}\\b(?!=require\\()`, 'g'))];
    // Modified or passed on as a whole: loaded with the file.
    if (!uses.every(({ index }) => code[index + name.length] === '.')) continue;
    text = text
      .replace(new RegExp(`\\blet ${name}=require\\("${module}"\\),`), 'let ')
      .replace(new RegExp(`\\blet ${name}=require\\("${module}"\\);`), '')
      .replace(`,${name}=require("${module}")`, '')
      .replaceAll(new RegExp(`(?<![\\w$.])${name}\\.`, 'g'), `(require("${module}")).`);
  }
  return text;
}

const files = new Set(output.map(({ fileName }) => fileName));
const missing = output
  .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  .filter(name => !files.has(name) && !isBuiltin(name));
if (missing.length > 0) throw new Error(`not in the bundle: ${missing.join(', ')}`);

const licences = licencesOf(output.flatMap(({ modules }) => Object.entries(modules)));

// Only a successful build replaces the last one.
rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
writeFileSync(join(outdir, 'cli.cjs'), launcher);
chmodSync(join(outdir, 'cli.cjs'), 0o755);
copyFileSync('scripts/old-node.cjs', join(outdir, 'old-node.cjs'));
for (const { fileName, code } of output) writeFileSync(join(outdir, fileName), requireAtUse(code));
writeFileSync(join(outdir, 'LICENSES.md'), licences);
