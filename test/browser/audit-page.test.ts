import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { audit } from '../../src/runs/page/page.js';
import { fixRun } from '../runs/sample-fix.js';
import { hostileRun } from '../runs/sample-hostile.js';
import { reviewRun } from '../runs/sample-run.js';
import { suite } from '../support/suite.js';
import { noBrowser, withPage } from './with-page.js';

const test = suite('browser/audit-page');
const REVIEW = audit(reviewRun());

const shown = (page: Page, selector: string): Promise<number> =>
  page.locator(`${selector}:visible`).count();

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.closest('[id]')?.id ?? ''");

test.unless(noBrowser, 'the audit page opens without an error and requests nothing', () =>
  withPage(REVIEW, {}, async ({ page, trouble }) => {
    assert.equal(trouble, []);
    assert.match(await page.title(), 'apfel-bot review: 1 error, 1 warning');
    assert.is(await shown(page, 'main > section'), 6);
  }),
);

test.unless(noBrowser, 'a click on a turn shows its request and reply', () =>
  withPage(REVIEW, {}, async ({ page }) => {
    const turn = page.locator('#turn-1-2');
    assert.is(await turn.locator('.body').isVisible(), false);
    await turn.locator('summary').first().click();
    assert.is(await turn.getByText('What the model saw').isVisible(), true);
    await page.getByRole('button', { name: 'Open all' }).click();
    assert.is(await shown(page, '.turn .body'), 5);
    await page.getByRole('button', { name: 'Close all' }).click();
    assert.is(await shown(page, '.turn .body'), 0);
  }),
);

test.unless(noBrowser, 'the filter shows the items that contain every word, and counts them', () =>
  withPage(REVIEW, {}, async ({ page }) => {
    const output = page.locator('.filter output');
    await page.fill('#filter', 'BREAKPOINT code');
    await output.getByText('1 of 13 shown').waitFor();
    assert.is(await shown(page, '.finding'), 1);
    assert.is(await shown(page, '.conversation'), 0);
    await page.keyboard.press('Escape');
    assert.is(await output.textContent(), '');
    assert.is(await shown(page, '.turn'), 5);
  }),
);

test.unless(noBrowser, 'items can be filtered by kind, and a kind without items is disabled', () =>
  withPage(REVIEW, {}, async ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Repairs').click();
    assert.is(await button('Repairs').getAttribute('aria-pressed'), 'true');
    assert.is(await shown(page, '.turn'), 1);
    await button('Rejected').click();
    assert.is(await shown(page, '.item'), 2);
    assert.is(await button('Edits').isDisabled(), true);
  }),
);

test.unless(noBrowser, 'everything can be reached with the tab key alone', () =>
  withPage(REVIEW, {}, async ({ page }) => {
    const seen = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate('document.activeElement.tagName'));
      if ((await focused(page)) === 'turn-2-2') break;
    }
    assert.is(await focused(page), 'turn-2-2');
    assert.equal(
      ['A', 'INPUT', 'BUTTON', 'SUMMARY'].filter(name => !seen.has(name)),
      [],
    );
    await page.keyboard.press('Enter');
    assert.is(await page.locator('#turn-2-2 > .body').isVisible(), true);
  }),
);

test.unless(noBrowser, 'a deep link opens a folded turn and scrolls to it', () =>
  withPage(REVIEW, { hash: '#turn-2-1' }, async ({ page }) => {
    assert.is(await page.locator('#turn-2-1 .body').isVisible(), true);
    await page.locator('#turn-2-1 > summary:focus').waitFor();
    const box = await page.locator('#turn-2-1').boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 200, `it is at ${box?.y}`);
    await page.getByRole('link', { name: 'turn 1.2' }).first().click();
    assert.is(await page.locator('#turn-1-2 .body').isVisible(), true);
  }),
);

test.unless(noBrowser, 'a link to a filtered item clears the filter', () =>
  withPage(REVIEW, {}, async ({ page }) => {
    await page.fill('#filter', 'breakpoint');
    await page.locator('.filter output').getByText('shown').waitFor();
    await page.evaluate("location.hash = '#turn-1-1'");
    await page.locator('#turn-1-1 .body').waitFor();
    assert.is(await page.inputValue('#filter'), '');
  }),
);

test.unless(noBrowser, 'the audit page is readable without JavaScript', () =>
  withPage(REVIEW, { javaScriptEnabled: false }, async ({ page, trouble }) => {
    assert.equal(trouble, []);
    assert.is(await shown(page, '.filter'), 0);
    await page.locator('#turn-1-1 > summary').click();
    assert.is(await page.locator('#turn-1-1 .body').isVisible(), true);
  }),
);

test.unless(noBrowser, 'markup in a run is shown as text', () =>
  withPage(audit(hostileRun()), {}, async ({ page, trouble }) => {
    await page.getByRole('button', { name: 'Open all' }).click();
    for (const summary of await page.locator('.more > summary').all()) await summary.click();
    await page.mouse.move(300, 300);
    assert.is(await page.evaluate('window.owned'), undefined);
    assert.is(await page.locator('img, iframe, form, base, script + script').count(), 0);
    assert.is(await page.locator('a:not([href^="#"])').count(), 0);
    assert.equal(trouble, []);
    assert.is(await page.getByText('javascript:window.owned=5').first().isVisible(), true);
  }),
);

test.unless(noBrowser, 'the content security policy stops injected markup', () =>
  withPage(
    REVIEW.replace(
      '<main',
      '<img src=x onerror="window.owned=1"><script>window.owned=2</script><main',
    ),
    {},
    async ({ page, trouble }) => {
      assert.is(await page.evaluate('window.owned'), undefined);
      assert.ok(trouble.some(text => text.includes('Content Security Policy')));
    },
  ),
);

for (const colorScheme of ['light', 'dark'] as const) {
  test.unless(noBrowser, `text has enough contrast in ${colorScheme} mode`, () =>
    withPage(REVIEW, { colorScheme }, async ({ page }) => {
      await page.getByRole('button', { name: 'Open all' }).click();
      assert.equal(await page.evaluate(FAINT), []);
    }),
  );
}

test.unless(noBrowser, 'nothing overflows on a narrow screen', async () => {
  for (const run of [reviewRun(), fixRun()]) {
    await withPage(audit(run), { width: 360 }, async ({ page }) => {
      await page.getByText('Close all').waitFor({ state: 'hidden' });
      assert.is(await page.evaluate('document.documentElement.scrollWidth'), 360);
    });
  }
});

/** Texts whose contrast with what is behind them is below 4.5, as WCAG reckons it. */
const FAINT = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => (c / 255 <= 0.03928 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] === undefined || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.disabled || element.closest('svg')) continue;
    const [one, other] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...faint];
})()`;

test.run();
