// `npm run docs`: writes docs/configuration.md from the schema and docs/commands.md from the help.
// With --check it writes nothing, and fails where a page is out of date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync('schema/config.json', 'utf8'));
const help = (...args) =>
  execFileSync(process.execPath, ['dist/cli.cjs', ...args], { encoding: 'utf8' }).trimEnd();

const resolved = node =>
  node.$ref === undefined ? node : { ...schema.definitions[node.$ref.split('/').at(-1)], ...node };

const code = text => `\`${text}\``;
const cell = text => String(text).replaceAll('|', '\\|');

function valuesOf(given) {
  const node = resolved(given);
  if (node.enum !== undefined) return node.enum.map(code).join(', ');
  if (node.type === 'array')
    return `list of ${node.items.$ref?.endsWith('argv') ? 'commands' : 'strings'}`;
  if (given.$ref?.endsWith('duration')) return 'duration, such as `8s`';
  const { minimum, maximum } = node;
  if (maximum !== undefined) return `${node.type}, ${minimum} to ${maximum}`;
  return minimum === undefined ? node.type : `${node.type}, at least ${minimum}`;
}

function table(properties) {
  const rows = Object.entries(properties).map(([name, node]) => {
    const value = node.default === undefined ? '' : code(JSON.stringify(node.default));
    const about = node.description ?? resolved(node).description ?? '';
    return `| ${code(name)} | ${cell(valuesOf(node))} | ${value} | ${cell(about)} |`;
  });
  return ['| key | values | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function configurationPage() {
  const sections = Object.entries(schema.properties).flatMap(([name, node]) => {
    const properties = node.properties ?? node.items?.properties;
    if (name === '$schema') return [];
    const about = node.description === undefined ? [] : [sentence(node.description)];
    const values = name === 'checks' ? [CHECKS] : [table(properties)];
    return [`## ${name}`, ...about, ...values];
  });
  return [CONFIGURATION, ...sections].join('\n\n');
}

const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

const CONFIGURATION = `# Configuration

\`.apfel-bot.json\` at the top of the repository, or \`"apfel-bot"\` in \`package.json\`. Data only; comments and trailing commas are
allowed. All problems are reported at once, each with line and column. \`apfel-bot init\` writes a file that names its schema
(\`apfel-bot/schema/config.json\`), so that editors complete it. A flag beats the [environment](environment.md), which beats the
configuration.

On a pull request the configuration comes from the base commit, and the report says so when the change edits it. What starts a
program (\`lint\`, \`verify\`) comes from the default branch in a review, and from the linted commit in \`fix-lint\`, which refuses
pull requests of forks.

\`\`\`json
{
  "review": { "failOn": "error", "ignore": ["docs/**"], "maxFindings": 50 },
  "checks": {
    "debug-output": "off",
    "focused-test": "warning",
    "whitespace": { "ignore": ["**/*.md"] }
  },
  "limits": { "deadline": "2m" }
}
\`\`\`

This page is made from the schema by \`npm run docs\`.`;

const CHECKS = `Each value is \`"off"\`, \`"info"\`, \`"warning"\` or \`"error"\`, or \`{"grade": …, "ignore": [globs]}\`. The ids are in
[rules.md](rules.md).`;

function commandsPage() {
  const names = [...help().matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name);
  const sections = names.flatMap(name => [
    `## ${name}`,
    `\`\`\`text\n${help('help', name)}\n\`\`\``,
  ]);
  const top = '# Commands\n\nThis page is made from `apfel-bot help COMMAND` by `npm run docs`.';
  return [top, ...sections].join('\n\n');
}

let isOld = false;
for (const [file, text] of [
  ['docs/configuration.md', `${configurationPage()}\n`],
  ['docs/commands.md', `${commandsPage()}\n`],
]) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date: npm run docs`);
    isOld = true;
  }
}
process.exitCode = isOld ? 1 : 0;
