import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launch } from '../../../../test/report/page/browser.js';
import { createApp } from '../../src/http/app.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';

const boss = { caller: { name: 'boss', role: 'decide' } } as const;

const TOKEN = 'a-token-that-is-long-enough-for-it';

/** The shop `floor` on pages of a browser, whose operations are moved by hand. */
export function openFloors(instance: Record<string, unknown>, plan?: Record<string, unknown>) {
  let browser: Browser;
  let directory: ShopDirectory;
  let app: FastifyInstance;
  const pages: Page[] = [];
  const close = async () => {
    for (const page of pages.splice(0)) await page.close();
    await app?.close();
    await directory?.stop();
  };
  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(close);
  afterAll(() => browser?.close());

  return {
    /** Opens a page of a new shop, instead of the one before. */
    async open(options: { role?: 'report' | 'decide'; asks?: boolean } = {}): Promise<Page> {
      await close();
      directory = await openShopDirectory({});
      const approval = options.asks ? { seconds: 3600, otherwise: 'decline' } : null;
      await directory.create({ id: 'floor', instance, plan, policy: { approval } }, boss);
      const tokens = [{ name: 'kim', role: options.role ?? ('decide' as const), token: TOKEN }];
      app = await createApp({ directory, tokens });
      const address = await app.listen({ port: 0, host: '127.0.0.1' });
      const viewport = { width: 1024, height: 768 };
      const page = await browser.newPage({ viewport, hasTouch: true });
      pages.push(page);
      await page.addInitScript(`sessionStorage.setItem('alas-jssp-token', '${TOKEN}')`);
      await page.goto(address);
      await page.locator('canvas').waitFor();
      return page;
    },
    view: () => directory.view('floor'),
    wish: (start: { job: string; step: number; start: number }) =>
      directory.wish('floor', { starts: [start] }, boss),
  };
}

/** The text under the chart. */
export const said = (page: Page) => page.locator('.gantt-text');

export const dialog = (page: Page) => page.getByRole('dialog', { name: /^Move/ });

/** Undoes the last change, which makes a version. */
export async function undo(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: 'Undo …' }).click();
  await page
    .getByRole('dialog', { name: 'Undo' })
    .getByRole('button', { name: 'Undo', exact: true })
    .click();
  await page.locator('.shop-head').getByText(`version ${version},`).waitFor();
}

/** The first place in a row of the chart at which the text under it begins so. */
export async function findInRow(page: Page, row: number, text: string) {
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('there is no chart');
  const rowAt = (at: number) => box.y + 28 + 15 + 30 * at;
  for (let x = box.x + 60; x < box.x + box.width; x += 30) {
    await page.mouse.move(x, rowAt(row));
    await page.waitForTimeout(30);
    if ((await said(page).textContent())?.startsWith(text)) {
      return { x, y: rowAt(row), rowAt, width: box.width };
    }
  }
  throw new Error(`${text} is not in the chart`);
}
