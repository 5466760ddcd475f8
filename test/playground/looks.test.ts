import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, skipped } from '../report/page/browser.js';
import { buildPlayground, openPlayground } from './open-playground.js';

/** The findings of axe about the page, all of them, with the elements that they are about. */
function findings(page: Page): Promise<string[]> {
  return page.evaluate(`(async () => {
    ${axe.source};
    const { violations } = await axe.run(document, { preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
  })()`);
}

/** The states of the page that are looked at, and the buttons that lead from each to the next. */
const STATES: readonly (readonly [name: string, buttons: readonly string[]])[] = [
  ['at first', []],
  ['after a breakdown', ['Break a machine']],
  ['with a wrong plan', ['Undo', 'Put faults into the plan']],
];

describe.skipIf(skipped !== '')(`the looks of the playground in Chromium${skipped}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    buildPlayground();
    browser = await launch();
  });

  afterAll(() => browser?.close());

  it.each([
    [1440, 'light'],
    [768, 'dark'],
    [360, 'dark'],
  ] as const)(
    'has a chart as wide as its %i pixels, fits, and axe finds nothing in %s',
    async (width, scheme) => {
      const { page, complaints } = await openPlayground(browser, { width, scheme });
      const box = await page.locator('canvas').boundingBox();
      expect((box?.width ?? 0) / width).toBeGreaterThan(0.85);
      for (const summary of await page.locator('.card summary').all()) await summary.click();
      for (const [name, buttons] of STATES) {
        for (const one of buttons)
          await page.getByRole('button', { name: one, exact: true }).click();
        await page.waitForTimeout(100);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ name, wide, found: await findings(page) }).toEqual({ name, wide: 0, found: [] });
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
