// `npm run pictures`: makes the pictures in docs/ from two real runs of the demo. Needs chromium and tmux.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { marked } from 'marked';
import { chromium } from 'playwright-core';

const COLOURS = { 31: '#ff6f6b', 32: '#7bd88f', 33: '#f5c86b', 34: '#7aa2f7', 36: '#6fd3e3' };
const escaped = text =>
  text.replace(/[&<>]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]);

/** Lines of a terminal, split where the style changes; a style continues on the next line. */
function pieces(all) {
  let style = {};
  return all.flatMap((line, row) => {
    let end = 0;
    return line.split(/(\x1b\[[\d;]*m)/).flatMap(part => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes !== undefined) {
        for (const code of codes.split(';').map(Number)) style = styled(style, code);
        return [];
      }
      const column = end + part.search(/\S|$/);
      end += [...part].length;
      return part.trim() === '' ? [] : [{ text: part.trim(), row, column, ...style }];
    });
  });
}

function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  // Others are for the background, and don't change the colour of the text.
  return (code >= 30 && code < 40) || code >= 90 ? { ...style, colour: COLOURS[code] } : style;
}

const FONT = { width: 8.43, height: 20, size: 14 };
const MARGIN = 16;

/** Lines of a terminal as elements of an SVG. */
const drawnLines = all =>
  pieces(all).map(({ text, row, column, isBold, isDim, colour }) => {
    const x = (MARGIN + column * FONT.width).toFixed(1);
    const y = MARGIN + (row + 0.75) * FONT.height;
    const width = ([...text].length * FONT.width).toFixed(1);
    const look = [
      isBold ? ' font-weight="bold"' : '',
      isDim ? ' opacity=".6"' : '',
      colour === undefined ? '' : ` fill="${colour}"`,
    ].join('');
    return ` x="${x}" y="${y}" textLength="${width}"${look}>${escaped(text)}</text>`;
  });

/** A terminal as an SVG; several frames are shown one after another in a loop. */
function terminal(title, frames, rows, columns = 80) {
  const [width, height] = [2 * MARGIN + columns * FONT.width, 2 * MARGIN + rows * FONT.height].map(
    Math.ceil,
  );
  // Most of a frame is in the next one too, and is written once.
  const texts = new Map();
  const drawn = frames.map(({ lines }, index) => {
    const uses = drawnLines(lines).map(text => {
      if (!texts.has(text)) texts.set(text, `t${texts.size}`);
      return `<use href="#${texts.get(text)}"/>`;
    });
    return `<g id="f${index}">${uses.join('')}</g>`;
  });
  const defs = `<defs>${[...texts].map(([text, id]) => `<text id="${id}"${text}`).join('\n')}</defs>`;
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let at = 0;
  const rules = frames.map(({ ms }, index) => {
    const [from, to] = [at, at + ms].map(time => ((time / total) * 100).toFixed(2));
    at += ms;
    const before = index === 0 ? '' : '0%{visibility:hidden}';
    return `@keyframes f${index}{${before}${from}%{visibility:visible}${to}%,100%{visibility:hidden}}#f${index}{animation:f${index} ${total}ms step-end infinite}`;
  });
  const moves = `g{visibility:hidden}#f${frames.length - 1}{visibility:visible}@media(prefers-reduced-motion:no-preference){${rules.join('')}}`;
  const style = `<style>text{white-space:pre}${frames.length === 1 ? '' : moves}</style>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace" font-size="${FONT.size}" fill="#d5d8df"><title>${title}</title>${style}<rect width="100%" height="100%" rx="8" fill="#1c1e26"/>${defs}${drawn.join('\n')}</svg>\n`;
}

/** What the demo shows on a terminal, as it changes. */
async function recorded(rows) {
  const tmux = (...args) =>
    execFileSync('tmux', ['-L', 'apfel-bot-pictures', ...args], { encoding: 'utf8' });
  const size = ['-x', '80', '-y', String(rows)];
  tmux(
    'new-session',
    '-d',
    '-s',
    'demo',
    ...size,
    `${process.execPath} dist/cli.cjs demo; sleep 1`,
  );
  const frames = [];
  try {
    for (;;) {
      const shown = tmux('capture-pane', '-p', '-e', '-t', 'demo').replace(/\n+$/, '').split('\n');
      const last = frames.at(-1);
      if (last !== undefined && still(last.lines) === still(shown)) last.ms += TICK_MS;
      else frames.push({ lines: shown, ms: TICK_MS });
      if (shown.some(line => line.startsWith('Done in '))) return frames;
      await wait(TICK_MS);
    }
  } finally {
    const folder = /rm -rf (\S+)/.exec(frames.at(-1)?.lines.join('\n') ?? '')?.[1];
    if (folder !== undefined) rmSync(folder, { recursive: true });
    tmux('kill-server');
  }
}

/** Without the spinner, which would make ten frames of every second. */
const still = all => all.join('\n').replace(/[\u2800-\u28ff]/g, '');

const TICK_MS = 100;
/** Long enough to read; a slow machine doesn't make a slow picture. */
const MAX_MS = 2500;

/** A comment on a line with a suggestion, as GitHub shows it. */
async function drawn(folder) {
  const [finding] = JSON.parse(readFileSync(`${folder}/review.json`, 'utf8')).findings;
  const { startLine, endLine, text } = finding.suggestion;
  const show = ['-C', `${folder}/shop`, 'show', `cart:${finding.path}`];
  const code = execFileSync('git', show, { encoding: 'utf8' }).split('\n');
  const row = (kind, sign, line, number = '') =>
    `<tr class="${kind}"><td class="n">${number}</td><td><pre>${sign} ${escaped(line)}</pre></td></tr>`;
  const above = code.slice(0, endLine).map((line, at) => row('add', '+', line, at + 1));
  const suggestion = `<div class="s"><p>Suggested change</p><table>${[
    ...code.slice(startLine - 1, endLine).map(line => row('del', '-', line)),
    ...text
      .replace(/\n$/, '')
      .split('\n')
      .map(line => row('add', '+', line)),
  ].join('')}</table><div class="acts"><span>Commit suggestion</span></div></div>`;
  const written = readFileSync(`${folder}/comment.md`, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const [inline, summary] = written.split(/\n---\n/);
  const body = (await marked(inline)).replace(
    /<pre><code class="language-suggestion">[\s\S]*?<\/pre>/,
    () => suggestion,
  );
  const box = inside =>
    `<div class="c"><p class="who"><b>apfel-bot</b> commented</p><div class="b">${inside}</div></div>`;
  return `<div class="f"><p class="path">${finding.path}</p><table>${above.join('')}</table>${box(body)}</div>${box(await marked(summary))}`;
}

const COMMENT = `body{background:#fff;margin:0;padding:20px;color:#1f2328;font:15px/1.5 "DejaVu Sans",sans-serif}
  .c,.f,.s{border:1px solid #d1d9e0;border-radius:6px;overflow:hidden}.f{margin-bottom:20px}.f>.c{margin:12px}
  .who,.path,.s>p{margin:0;padding:8px 14px;background:#f6f8fa;border-bottom:1px solid #d1d9e0;color:#59636e}
  .path{font:13px "DejaVu Sans Mono",monospace;color:#1f2328}.s>p{background:#fff;font-size:13px;padding:6px 12px}.b{padding:2px 14px 8px}
  .f table,.s table{width:100%;border-spacing:0;font:13px/1.6 "DejaVu Sans Mono",monospace}.f tr td,.s tr td{padding:0 8px;border:0}pre{margin:0}
  .n{width:24px;text-align:right;color:#59636e}.add td{background:#dafbe1}.add .n{background:#aceebb}.del td{background:#ffebe9}.del .n{background:#ffcecb}
  .acts{padding:8px 12px;text-align:right}.acts span{border:1px solid #d1d9e0;border-radius:6px;padding:3px 10px;background:#f6f8fa;font-size:13px}
  code{background:#eff1f3;border-radius:4px;padding:2px 5px;font:12.5px "DejaVu Sans Mono",monospace}
  .b>table{border-collapse:collapse}.b>table td,.b>table th{border:1px solid #d1d9e0;padding:6px 12px}sub{color:#59636e;vertical-align:baseline;font-size:12.5px}`;

const run = spawnSync(process.execPath, ['dist/cli.cjs', 'demo'], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '80' },
});
if (run.status !== 0) throw new Error(run.stderr || run.stdout);
const audit = /^ +(\/\S+\/audit\.html)/m.exec(run.stdout)?.[1] ?? '';
const folder = dirname(audit);
const scene =
  /\S*\$ git commit -m[\s\S]*?(?=\n\S*Nothing was committed)/.exec(run.stdout)?.[0] ?? '';
const blocked = scene.trimEnd().split('\n');
writeFileSync(
  'docs/hook.svg',
  terminal('A commit that the hook blocks', [{ lines: blocked, ms: 1 }], blocked.length),
);

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
const comments = await drawn(folder);
await shoot('comment', 760, view =>
  view.setContent(
    `<!doctype html><meta charset="utf-8"><style>${COMMENT}</style><body>${comments}</body>`,
  ),
);
await shoot('audit', 1200, async view => {
  await view.setViewportSize({ width: 1200, height: 900 });
  await view.goto(pathToFileURL(audit).href);
});
await browser.close();
rmSync(folder, { recursive: true });

const ROWS = 26;
/** The step that the demo is at, by the last title on the screen. */
const stepOf = all =>
  Number(/.*── (\d) of \d/s.exec(stripVTControlCharacters(all.join('\n')))?.[1]);
const shown = (await recorded(ROWS)).filter(({ lines: all }) => all.join('').trim() !== '');
// The output of a step stays long enough to read: above the next title, and at the end.
const frames = shown.map(({ lines: all, ms }, at) => ({
  lines: all,
  ms:
    at === shown.length - 1 || stepOf(all) > stepOf(shown[at - 1]?.lines ?? [])
      ? MAX_MS
      : Math.min(ms, MAX_MS),
}));
writeFileSync('docs/demo.svg', terminal('apfel-bot demo', frames, ROWS));
