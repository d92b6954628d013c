import type { LinterServer } from './linter-process.js';

/**
 * Rules of these plugins depend only on the file they check. Others may read more files and cache
 * them, such as rules with type information and those that follow imports.
 */
const PER_FILE_PLUGINS = `@stylistic @stylistic/js @stylistic/ts @stylistic/jsx @typescript-eslint
  @eslint-community/eslint-comments eslint-comments react react-hooks react-refresh jsx-a11y vue
  unicorn promise jsdoc prettier regexp security perfectionist simple-import-sort sort-keys-fix
  unused-imports jest vitest mocha ava cypress playwright testing-library es-x n node json jsonc yml
  toml markdown css`.split(/\s+/);

/**
 * Runs in the project's Node: calls the same function as ESLint's own program, once for each message,
 * and sends back what it printed. `isPerFile` says whether each configuration it used depends on nothing
 * but the file. It ends with the process that started it.
 */
const ESLINT_SCRIPT = `
const { dirname, join } = require('path');
const program = process.argv[1];
const lib = join(dirname(program), '..', 'lib');
const cli = require(join(lib, 'cli.js'));
const api = require(join(lib, 'api.js'));
const more = require(join(lib, 'unsupported-api.js'));
const plugins = new Set(${JSON.stringify(PER_FILE_PLUGINS)});
let printed = { stdout: [], stderr: [] };
for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    printed[name].push(String(chunk));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) callback();
    return true;
  };
}
let isPerFile = true;
const seen = new WeakMap();
const isOn = setting => ![0, 'off'].includes(Array.isArray(setting) ? setting[0] : setting);
const isKnownRule = id =>
  id.includes('/') ? plugins.has(id.slice(0, id.lastIndexOf('/'))) : more.builtinRules.has(id);
const isKnownParser = parser =>
  parser === undefined ||
  parser === null ||
  /^espree$|^(typescript-eslint|@typescript-eslint|vue-eslint-parser)(\\/parser)?$/.test(
    typeof parser === 'string'
      ? parser.replace(/\\\\/g, '/').replace(/^.*\\/node_modules\\/((@[^/]+\\/)?[^/]+)\\/.*$/, '$1')
      : (parser.meta || parser).name,
  );
const hasTypes = options =>
  !!options && !!(options.project || options.projectService || options.programs ||
    options.EXPERIMENTAL_useProjectService);
const usesTypes = (id, config) => {
  const [plugin, name] = [id.slice(0, id.lastIndexOf('/')), id.slice(id.lastIndexOf('/') + 1)];
  const rule = ((config.plugins[plugin] || {}).rules || {})[name];
  return !rule || !rule.meta || !rule.meta.docs || !!rule.meta.docs.requiresTypeChecking;
};
// Types come from other files, but only some rules ask for them.
const looksElsewhere = (options, config) =>
  !!options && typeof options.parser === 'object' || hasTypes(options) &&
    (!config.plugins || Array.isArray(config.plugins) ||
      Object.entries(config.rules || {}).some(
        ([id, setting]) => isOn(setting) && id.includes('/') && usesTypes(id, config)));
const dependsOnOneFile = config => {
  const language = config.languageOptions || config;
  return (
    isKnownParser(language.parser) &&
    !looksElsewhere(language.parserOptions, config) &&
    (!config.processor || (typeof config.processor === 'string' && isKnownRule(config.processor))) &&
    Object.entries(config.rules || {}).every(([id, setting]) => !isOn(setting) || isKnownRule(id))
  );
};
const classes = new Set(
  [...Object.values(api), ...Object.values(more)].filter(
    each => typeof each === 'function' && each.prototype && each.prototype.lintFiles,
  ),
);
for (const { prototype } of classes) {
  const { lintFiles } = prototype;
  prototype.lintFiles = async function (patterns) {
    const results = await lintFiles.call(this, patterns);
    for (const { filePath } of isPerFile ? results : []) {
      const config = await this.calculateConfigForFile(filePath);
      if (!config) continue;
      if (!seen.has(config)) seen.set(config, dependsOnOneFile(config));
      isPerFile = isPerFile && seen.get(config);
    }
    return results;
  };
}
// Before a file, so that its name is known if nothing comes after it.
const { verifyAndFix } = api.Linter.prototype;
api.Linter.prototype.verifyAndFix = function (text, config, options) {
  process.send({ file: String(options && options.filename) });
  return verifyAndFix.call(this, text, config, options);
};
process.on('disconnect', () => process.exit());
process.on('message', async ({ args }) => {
  printed = { stdout: [], stderr: [] };
  process.argv = [process.execPath, program, ...args];
  const code = await cli.execute(process.argv, null, true);
  const [stdout, stderr] = [printed.stdout.join(''), printed.stderr.join('')];
  isPerFile = isPerFile && classes.size > 0;
  // Caches of other rules might be out of date the next time.
  process.send({ code, stdout, stderr, isPerFile, isLast: !isPerFile });
});
`;

/** ESLint, where its caches can't matter. */
export const ESLINT_SERVER: LinterServer = {
  program: '/eslint/bin/eslint.js',
  script: ESLINT_SCRIPT,
  codes: [0, 1],
};

/** Parsed files are kept for so many configurations. */
const MAX_CONFIGS = 3;

/**
 * Checks as tsc's own program does with `--incremental`, by the same functions and with the same file
 * on disk, but parses only files whose text has changed. Imports are resolved anew each time.
 */
const TSC_SCRIPT = `
const { dirname, join } = require('path');
const ts = require(join(dirname(process.argv[1]), '..', 'lib', 'typescript.js'));
// With these it does more than check, or prints more than diagnostics.
const OTHER = ['init', 'version', 'help', 'all', 'watch', 'showConfig', 'locale', 'diagnostics',
  'extendedDiagnostics', 'generateCpuProfile', 'generateTrace'];
const parsed = new Map();
// What was parsed before with the same options, which parsing and binding depend on.
const filesFor = key => {
  const files = parsed.get(key) || new Map();
  parsed.delete(key);
  parsed.set(key, files);
  if (parsed.size > ${MAX_CONFIGS}) parsed.delete(parsed.keys().next().value);
  return files;
};
const check = args => {
  const stdout = [];
  const system = { ...ts.sys, write: text => void stdout.push(text) };
  const leave = () => process.exit();
  const line = ts.parseCommandLine(args, system.readFile);
  const { project } = line.options;
  if (line.errors.length > 0 || line.fileNames.length > 0 || !project) leave();
  const here = system.getCurrentDirectory();
  const config = ts.getParsedCommandLineOfConfigFile(
    project,
    ts.convertToOptionsWithAbsolutePaths(line.options, path => ts.getNormalizedAbsolutePath(path, here)),
    { ...system, onUnRecoverableConfigFileDiagnostic: leave },
  );
  const { options, fileNames: rootNames, projectReferences } = config;
  if (!options.incremental || options.pretty !== false || OTHER.some(name => options[name])) leave();
  const host = ts.createIncrementalCompilerHost(options, system);
  if (ts.JSDocParsingMode) host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const files = filesFor(JSON.stringify([project, options]));
  const { getSourceFile } = host;
  host.getSourceFile = (path, language, ...rest) => {
    const key = [language.impliedNodeFormat, path].join(' ');
    const known = files.get(key);
    if (known && known.text === host.readFile(path)) return known;
    const file = getSourceFile(path, language, ...rest);
    files.set(key, file);
    return file;
  };
  const configFileParsingDiagnostics = ts.getConfigFileParsingDiagnostics(config);
  const code = ts.performIncrementalCompilation(
    { host, system, rootNames, options, projectReferences, configFileParsingDiagnostics });
  return { code, stdout: stdout.join(''), stderr: '' };
};
process.on('disconnect', () => process.exit());
process.on('message', ({ args }) => process.send(check(args)));
`;

/** TypeScript with a JavaScript API, which version 7 lacks. */
export const TSC_SERVER: LinterServer = {
  program: '/typescript/bin/tsc',
  script: TSC_SCRIPT,
  codes: [0, 1, 2],
};
