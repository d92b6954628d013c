import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLI } from '../support/cli.js';
import { withRepo } from '../support/with-repo.js';
import { measure } from './measure.js';

const WANTED_BYTES = 60 * 1024 * 1024;

/** Real text to make the diff of: whatever sources are installed here, over and over. */
function realSources(): string[] {
  const folder = resolve('node_modules');
  const texts: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isFile() || !/\.(js|ts|mjs|cjs|md)$/.test(name) || name.includes('.min.')) continue;
    texts.push(readFileSync(join(entry.parentPath, name), 'utf8'));
    if (texts.length >= 3000) break;
  }
  return texts.filter(text => text.length > 500 && text.length < 200_000);
}

await withRepo(async repo => {
  const texts = realSources();
  let bytes = 0;
  for (let at = 0; bytes < WANTED_BYTES; at += 1) {
    const text = texts[at % texts.length] ?? '';
    await repo.write(`src/d${at % 200}/f${at}.ts`, text);
    bytes += text.length;
  }
  await repo.git('add', '--all');
  await repo.git('commit', '--quiet', '--message', 'many');
  const cwd = repo.dir;
  const [git, ours] = await measure(
    [
      { name: 'git diff', argv: ['git', 'diff', 'HEAD~1', 'HEAD'], cwd },
      {
        name: 'apfel-bot review',
        argv: [
          process.execPath,
          CLI,
          'review',
          '--range',
          'HEAD~1..HEAD',
          '--no-model',
          '--fail-on',
          'never',
          '--quiet',
        ],
        cwd,
      },
    ],
    3,
  );
  for (const row of [git, ours]) {
    console.log(
      `${row?.name.padEnd(20)} ${row?.milliseconds.toFixed(0).padStart(6)} ms  peak ${row?.megabytes?.toFixed(0)} MB`,
    );
  }
  console.log(`diff of ${(bytes / 1e6).toFixed(0)} MB`);
  console.log(
    `apfel-bot / git diff  ${((ours?.milliseconds ?? 0) / (git?.milliseconds ?? 1)).toFixed(2)}   aim: at most 3`,
  );
  console.log(`peak memory           ${ours?.megabytes?.toFixed(0)} MB   aim: under 200`);
});
