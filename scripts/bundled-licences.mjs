// The licences of the bundled packages, as their terms require.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** The name of the package that a file belongs to; undefined for our own files. */
export const packageOf = file => FOLDER.exec(file)?.[1];

/** One Markdown text with the licence of every package that is part of the bundle. */
export function licencesOf(modules) {
  const used = modules.filter(([, { renderedLength }]) => renderedLength > 0);
  const folders = new Set(used.flatMap(([file]) => FOLDER.exec(file)?.[0] ?? []));
  // The same version may be bundled twice.
  const parts = new Set([...folders].map(licenceIn));
  return ['# Licences of the packages in this folder\n', ...[...parts].sort()].join('\n');
}

function licenceIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file));
  if (typeof license !== 'string' || files.length === 0) {
    throw new Error(`${name} ${version} has no licence, or no licence file; it cannot be bundled`);
  }
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim());
  return `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${texts.join('\n\n')}\n\`\`\`\n`;
}
