// The start of the program under a Node that is too old for the rest: an old /usr/local/bin/node must
// not hide a good one further down the PATH. Written for any Node.
// biome-ignore-start lint/style/useNodejsImportProtocol: Node 14 and older don't know node:
const { spawnSync } = require('child_process');
const { delimiter, isAbsolute, join } = require('path');
// biome-ignore-end lint/style/useNodejsImportProtocol: as above

module.exports = (isOld, oldest) => {
  const { argv, env, versions } = process;
  const isSecond = env.APFEL_BOT_OLD_NODE === '1';
  // Relative entries may point into the repository under review.
  const folders = isSecond ? [] : (env.PATH || '').split(delimiter);
  for (const folder of folders.filter(isAbsolute)) {
    const node = join(folder, 'node');
    const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 2000 });
    if (status !== 0 || isOld(stdout.slice(1))) continue;
    const run = spawnSync(node, argv.slice(1), {
      stdio: 'inherit',
      env: Object.assign({}, env, { APFEL_BOT_OLD_NODE: '1' }),
    });
    process.exit(run.status === null ? 1 : run.status);
  }
  console.error(
    `apfel-bot: needs Node ${oldest} or newer, found ${versions.node}; see https://nodejs.org, or the PATH of your git client`,
  );
  process.exit(argv[2] === 'hook' ? 0 : 2);
};
