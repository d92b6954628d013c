// Texts that are inlined into the program: the style and the script of the audit page, and the rules.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FILES = { STYLE: 'src/runs/page/audit.css', SCRIPT: 'src/runs/page/audit.js' };

/** Writes src/generated/page-text.ts, without comments. The bundler and the tests import it. */
export function generatePageText() {
  mkdirSync('src/generated', { recursive: true });
  const lines = Object.entries(FILES).map(([name, file]) => {
    const text = readFileSync(file, 'utf8').replace(/^\s*(\/\*.*\*\/|\/\/.*)\n+/gm, '');
    return `export const ${name} = ${JSON.stringify(text)};\n`;
  });
  writeFileSync('src/generated/page-text.ts', lines.join(''));
  const rules = readFileSync('docs/rules.md', 'utf8');
  writeFileSync('src/generated/rule-pages.ts', `export const RULES = ${JSON.stringify(rules)};\n`);
}
