import { count } from '../core/count.js';
import type { Linter, LintSandbox } from '../lint/sandbox.js';
import { forTerminal } from '../platform/safe-text.js';
import { NOTHING_TO_LINT } from '../report/fix.js';

/** `fix-lint --plan`: what will run, on how many files, and where that was found. */
export async function planText(sandbox: LintSandbox, format: string): Promise<string> {
  const { linters, formatters, unread, left } = sandbox;
  const missing = new Map<Linter, string>();
  for (const each of linters) {
    const why = await each.whyMissing();
    if (why !== undefined) missing.set(each, why);
  }
  if (format === 'json') {
    const all = [...linters, ...formatters].map(linter => ({
      name: linter.name,
      command: linter.command,
      folder: linter.folder,
      files: linter.files.length,
      source: linter.source,
      writes: linter.formatter !== undefined,
    }));
    const notices = new Set([...missing].map(([{ title }, why]) => `${title} ${why}`));
    return `${JSON.stringify({ linters: all, notices: [...notices, ...unread, ...left] }, null, 2)}\n`;
  }
  const rows = [
    ...linters.map(each => [row(each), missing.get(each) ?? []].flat().join(' · ')),
    ...formatters.map(each => `${row(each)}; on edited files only`),
  ];
  const lines = [...(rows.length === 0 ? [NOTHING_TO_LINT] : rows), ...unread, ...left];
  return `${lines.map(forTerminal).join('\n')}\n`;
}

const row = ({ title, command, folder, files, source }: Linter): string =>
  `${title}: ${count(files.length, 'file')}${folder === '' ? '' : ` in ${folder}`} · ${command} · ${source}`;
