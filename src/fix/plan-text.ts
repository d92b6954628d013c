import { count } from '../core/count.js';
import type { Linter, LintSandbox } from '../lint/sandbox.js';
import { forTerminal } from '../platform/safe-text.js';
import { NOTHING_TO_LINT } from '../report/fix.js';

/** `fix-lint --plan`: what will run, on how many files, and where that was found. */
export async function planText(sandbox: LintSandbox, format: string): Promise<string> {
  const { linters, formatters, left } = sandbox;
  const missing: string[] = [];
  for (const each of linters) {
    if (!(await each.isInstalled())) missing.push(`${each.title} is not installed here`);
  }
  const unread = [...new Set(missing), ...sandbox.unread];
  if (format === 'json') {
    const all = [...linters, ...formatters].map(linter => ({
      name: linter.name,
      command: linter.command,
      folder: linter.folder,
      files: linter.files.length,
      source: linter.source,
      writes: linter.formatter !== undefined,
    }));
    return `${JSON.stringify({ linters: all, notices: [...unread, ...left] }, null, 2)}\n`;
  }
  const rows = [
    ...linters.map(row),
    ...formatters.map(each => `${row(each)}; on edited files only`),
  ];
  const lines = [...(rows.length === 0 ? [NOTHING_TO_LINT] : rows), ...unread, ...left];
  return `${lines.map(forTerminal).join('\n')}\n`;
}

const row = ({ title, command, folder, files, source }: Linter): string =>
  `${title}: ${count(files.length, 'file')}${folder === '' ? '' : ` in ${folder}`} · ${command} · ${source}`;
