// The style and the script of the audit page as strings: the page holds them inline.
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
}
