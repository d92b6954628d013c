// `npm run release -- --dry-run` reports everything that prevents a release of this tree.
// Without --dry-run it also creates the tag. It never publishes: it prints the command.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

const MAX_BYTES = 3_000_000;
const FOLDERS = ['demo', 'dist', 'eval', 'hooks', 'schema', 'workflows'];
const FILES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
const LICENCES = 'dist/LICENSES.md';

const text = path => readFileSync(path, 'utf8');
const json = path => JSON.parse(text(path));

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout.trim();
}

function gitProblems(tag) {
  const problems = [];
  const branch = run('git', 'branch', '--show-current');
  if (branch !== 'main') problems.push(`on branch "${branch}"; run: git switch main`);
  const changed = run('git', 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length > 0) {
    problems.push(`${changed.length} uncommitted files, such as "${changed[0]}"; commit them`);
  }
  if (run('git', 'tag', '--list', tag) !== '') {
    problems.push(`the tag ${tag} exists; raise the version: npm version --no-git-tag-version`);
  }
  return problems;
}

function versionProblems(version) {
  const { version: locked, packages } = json('package-lock.json');
  const found = { version: locked, 'packages[""].version': packages[''].version };
  const problems = Object.entries(found)
    .filter(([, each]) => each !== version)
    .map(
      ([key, each]) =>
        `package-lock.json has ${key} "${each}", package.json "${version}"; run: npm install --package-lock-only`,
    );
  const heading = text('CHANGELOG.md')
    .split('\n')
    .find(line => line.split(' ')[1] === version && line.startsWith('## '));
  if (!/ \d{4}-\d{2}-\d{2}$/.test(heading ?? '')) {
    const state = heading === undefined ? `no entry for ${version}` : `"${heading}" without a date`;
    problems.push(`CHANGELOG.md has ${state}; add the heading "## ${version} - YYYY-MM-DD"`);
  }
  return problems;
}

function manifestProblems({ dependencies, optionalDependencies, repository, publishConfig }) {
  const problems = [];
  const needed = Object.keys({ ...dependencies, ...optionalDependencies });
  if (needed.length > 0) {
    problems.push(
      `package.json has run-time dependencies (${needed.join(', ')}); move them to devDependencies, the build bundles them`,
    );
  }
  if (repository === undefined) {
    problems.push(
      'package.json has no "repository"; set it to the public repository, npm compares it with the one that publishes',
    );
  }
  if (publishConfig?.provenance !== true) {
    problems.push('package.json has no "publishConfig": { "provenance": true }; add it');
  }
  return problems;
}

function tarballProblems() {
  const [{ size, files }] = JSON.parse(run('npm', 'pack', '--dry-run', '--json'));
  const paths = files.map(({ path }) => path);
  const tops = new Set(paths.map(path => path.split('/')[0]));
  const expected = [...FOLDERS, ...FILES];
  const problems = [
    ...[...tops].filter(top => !expected.includes(top)).map(top => `${top} is in the tarball`),
    ...expected.filter(top => !tops.has(top)).map(top => `${top} is missing from the tarball`),
    // The demo has a toy project with a test.
    ...paths
      .filter(path => /^(?!demo\/).*(\.map$|\.test\.|\b(test|node_modules)\/)/.test(path))
      .map(path => `${path} is in the tarball`),
  ].map(problem => `${problem}; fix "files" in package.json`);
  if (!paths.includes(LICENCES)) {
    problems.push(`${LICENCES}, the licences of bundled packages, is missing; build writes it`);
  }
  if (size > MAX_BYTES) problems.push(`the tarball has ${size} bytes, limit ${MAX_BYTES}`);
  return [...problems, ...paths.flatMap(leaks)];
}

function leaks(path) {
  const content = text(path);
  const problems = [process.cwd(), homedir()]
    .filter(place => place.length > 1 && content.includes(`${place}/`))
    .map(place => `${path} holds the path ${place} of this machine; change the build`);
  return /sourceMappingURL=\S/.test(content)
    ? [...problems, `${path} names a source map; turn it off in the build`]
    : problems;
}

function main(args) {
  const unknown = args.find(arg => arg !== '--dry-run');
  if (unknown !== undefined) {
    console.error(`unknown argument "${unknown}"; usage: npm run release -- [--dry-run]`);
    return 2;
  }
  const manifest = json('package.json');
  const tag = `v${manifest.version}`;
  const problems = [
    ...gitProblems(tag),
    ...versionProblems(manifest.version),
    ...manifestProblems(manifest),
    ...tarballProblems(),
  ];
  for (const problem of problems) console.error(`- ${problem}`);
  if (problems.length > 0) {
    console.error(`${manifest.version} can't be released: ${problems.length} to fix`);
    return 1;
  }
  if (args.includes('--dry-run')) {
    console.log(`${manifest.version} can be released: npm run release creates the tag ${tag}`);
    return 0;
  }
  run('git', 'tag', '--annotate', '--message', `apfel-bot ${manifest.version}`, tag);
  console.log(`created the tag ${tag}; next:
  git push origin ${tag}
  npm publish --provenance --access public
Publish from a GitHub Actions job with "id-token: write": npm makes no provenance elsewhere.`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
