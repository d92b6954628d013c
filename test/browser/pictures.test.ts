import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { audit } from '../../src/runs/page/page.js';
import { fixRun } from '../runs/sample-fix.js';
import { reviewRun } from '../runs/sample-run.js';
import { notAll, suite } from '../support/suite.js';
import { withFolder } from '../support/with-repo.js';
import { noBrowser, withPage } from './with-page.js';

const test = suite('browser/pictures');

/** Set to a folder, the pictures stay there to be looked at. */
const kept = process.env['APFEL_BOT_PICTURES'];

const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const;

/** A view of nothing but ground is some hundred bytes. */
const MIN_BYTES = 2500;

const RUNS = { review: reviewRun, fix: fixRun };

for (const look of LOOKS) {
  for (const [name, run] of Object.entries(RUNS)) {
    const title = `${name}, ${look.colorScheme}, ${look.width} wide`;
    test.unless(noBrowser ?? notAll, `no section of the audit page is blank: ${title}`, () =>
      withFolder(async temp => {
        const folder = kept ?? temp;
        mkdirSync(folder, { recursive: true });
        // So high that what sticks to the top covers nothing.
        await withPage(audit(run()), { ...look, height: 6000 }, async ({ page }) => {
          await page.locator('.turn > summary').first().click();
          for (const section of await page.locator('main > section').all()) {
            await section.scrollIntoViewIfNeeded();
            const id = await section.getAttribute('id');
            const path = join(folder, `${name}-${id}-${look.colorScheme}-${look.width}.png`);
            const { length } = await section.screenshot({ path });
            assert.ok(length > MIN_BYTES, `${id} has ${length} bytes`);
          }
        });
      }),
    );
  }
}

test.run();
