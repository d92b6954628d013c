// `npm run pictures`: makes the README's pictures from a real run of the demo. Needs chromium.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { marked } from 'marked';
import { chromium } from 'playwright-core';

const COLOURS = { 1: 'b', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 36: 'cyan' };
const escaped = text =>
  text.replace(/[&<>]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]);

/** What a terminal would show, as HTML. */
function terminal(text) {
  const body = escaped(text).replace(/\x1b\[([\d;]*)m/g, (_, codes) => {
    const names = codes.split(';').map(code => COLOURS[Number(code)]);
    const isEnd = /^(0|22|39)?$/.test(codes);
    if (isEnd) return '</span>';
    return `<span class="${names.filter(Boolean).join(' ')}">`;
  });
  return page(`<pre>${body}</pre>`, TERMINAL);
}

const TERMINAL = `body{background:#1c1e26;margin:0}pre{color:#d5d8df;font:15px/1.45 "DejaVu Sans Mono",monospace;
  padding:20px 24px;margin:0}.b{font-weight:bold}.dim{opacity:.65}.red{color:#ff6f6b}.green{color:#7bd88f}
  .yellow{color:#f5c86b}.blue{color:#7aa2f7}.cyan{color:#6fd3e3}`;
const COMMENT = `body{background:#fff;margin:0;padding:24px;color:#1f2328;font:16px/1.5 "DejaVu Sans",sans-serif}
  .c{border:1px solid #d1d9e0;border-radius:6px;padding:0 16px 8px;margin-bottom:20px}
  code{background:#eff1f3;border-radius:4px;padding:2px 5px;font:13px "DejaVu Sans Mono",monospace}
  pre{background:#f6f8fa;padding:12px;border-radius:6px;overflow:auto}pre code{background:none;padding:0}
  table{border-collapse:collapse}td,th{border:1px solid #d1d9e0;padding:6px 12px}sub{color:#59636e}`;
const page = (body, style) =>
  `<!doctype html><meta charset="utf-8"><style>${style}</style><body>${body}</body>`;

const run = spawnSync(process.execPath, ['dist/cli.cjs', 'demo', '--fast'], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '80' },
});
if (run.status !== 0) throw new Error(run.stderr || run.stdout);
const audit = /^ +(\/\S+\/audit\.html)/m.exec(run.stdout)?.[1] ?? '';
const folder = dirname(audit);
const scene = /\$ git commit -m[\s\S]*?(?=\n\S*Nothing was committed)/.exec(run.stdout)?.[0] ?? '';
const comments = readFileSync(`${folder}/comment.md`, 'utf8').replace(/<!--[\s\S]*?-->/g, '');

mkdirSync('docs', { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const shoot = async (name, width, show) => {
  const view = await browser.newPage({ viewport: { width, height: 400 }, deviceScaleFactor: 1.5 });
  await show(view);
  await view.screenshot({ path: `docs/${name}.png`, fullPage: name !== 'audit' });
  await view.close();
};
await shoot('hook', 800, view => view.setContent(terminal(scene)));
await shoot('comment', 720, async view =>
  view.setContent(page(`<div class="c">${await marked(comments)}</div>`, COMMENT)),
);
await shoot('audit', 1200, async view => {
  await view.setViewportSize({ width: 1200, height: 900 });
  await view.goto(pathToFileURL(audit).href);
});
await browser.close();
rmSync(folder, { recursive: true });
