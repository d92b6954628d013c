import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { withFolder } from '../support/with-repo.js';

const executablePath = findChromium();

/** Why there is no browser to test in; undefined when there is one. */
export const noBrowser = executablePath === undefined ? 'chromium is not installed' : undefined;

function findChromium(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly hash?: string;
  readonly javaScriptEnabled?: boolean;
}

interface Opened {
  readonly page: Page;
  /** What the page asked for, complained of or tried to do. */
  readonly trouble: readonly string[];
}

/** Opens the text as a file in a real browser, as a user would. */
export async function withPage(
  text: string,
  options: PageOptions,
  body: (opened: Opened) => Promise<void>,
): Promise<void> {
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox'],
  });
  try {
    await withFolder(async folder => {
      const file = join(folder, 'page.html');
      writeFileSync(file, text);
      const { colorScheme = 'light', javaScriptEnabled = true } = options;
      const viewport = { width: options.width ?? 1280, height: options.height ?? 900 };
      const page = await browser.newPage({ colorScheme, viewport, javaScriptEnabled });
      const trouble: string[] = [];
      page.on('request', request => trouble.push(`request ${request.url()}`));
      page.on('console', message => trouble.push(`console ${message.text()}`));
      page.on('pageerror', error => trouble.push(`error ${error.message}`));
      page.on('dialog', dialog => trouble.push(`dialog ${dialog.message()}`));
      await page.goto(`${pathToFileURL(file)}${options.hash ?? ''}`, { waitUntil: 'load' });
      // The page itself is the one request there is to be.
      await body({ page, trouble: trouble.slice(1) });
    });
  } finally {
    await browser.close();
  }
}
