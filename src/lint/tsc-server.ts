import type { LinterServer } from './linter-process.js';

/** Parsed files are kept for so many configurations. */
const MAX_CONFIGS = 3;

/**
 * Checks as tsc's own program does with `--incremental`, by the same functions and with the same file
 * on disk, but parses only files whose text has changed. Imports are resolved anew each time.
 */
const SCRIPT = `
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
  script: SCRIPT,
  codes: [0, 1, 2],
};
