import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { skipped } from '../../../../test/report/page/browser.js';
import { dialog, findInRow, openFloors, said, undo } from './floors.js';

/** Two orders that go through lathe and mill one after the other: A at 6 and 7, B at 7 and 8, an hour each. */
const instance = {
  schema: 'alas-jssp/instance@1',
  machines: ['Lathe', 'Mill'],
  time_scale: { epoch: '2026-11-23T06:00', unit: 60, zone: 'Europe/Berlin' },
  jobs: ['A', 'B'].map((name) => ({
    name,
    due: 240,
    operations: [
      { name: 'turning', machine: 'Lathe', duration: 60 },
      { name: 'milling', machine: 'Mill', duration: 60 },
    ],
  })),
};

describe.skipIf(skipped !== '')(`moving operations by hand in Chromium${skipped}`, () => {
  const { open, view, wish } = openFloors(instance);
  const starts = async () => Array.from((await view()).start);

  /** The place of an operation that is named, found by pointing at its row from the left on. */
  async function placeOf(page: Page, name: string, machine: 'Lathe' | 'Mill') {
    const { x, y, width } = await findInRow(page, machine === 'Lathe' ? 0 : 1, name);
    // An hour is about a third of the chart.
    return { x, y, hour: width / 3.3 };
  }

  const rowsOf = async (table: Locator) =>
    (await table.locator('tbody tr').allTextContents()).map((text) => text.trim());

  it('says at once whether an operation fits where it is dragged, then what it would cost, moves it, and undoes it', async () => {
    const page = await open();
    expect(await starts()).toEqual([0, 60, 60, 120]);
    const { x, y, hour } = await placeOf(page, 'B, turning', 'Lathe');
    expect(await said(page).textContent()).toContain('drag it to another time');
    await page.mouse.down();
    await page.mouse.move(x + 10, y);
    await page.mouse.move(x + hour / 2, y);
    await expect
      .poll(() => said(page).textContent())
      .toMatch(/^07:[2-4]\d to 08:[2-4]\d: its next step, milling, starts at 08:00$/);
    await page.mouse.move(x - hour / 2, y);
    await expect
      .poll(() => said(page).textContent())
      .toMatch(/^06:[2-4]\d to 07:[2-4]\d: collides with A, turning \(06:00 to 07:00\)$/);
    // Near the end of another one it is put there, and that of where it was is nothing to drop.
    await page.mouse.move(x + 2, y);
    await expect.poll(() => said(page).textContent()).toContain('07:00 to 08:00: fits');
    await page.mouse.move(x + hour / 2, y);
    await page.mouse.up();
    const table = dialog(page).locator('.trial table');
    await table.waitFor();
    const rows = await rowsOf(table);
    expect(rows[0]).toMatch(/^nothing else movesnot possible$/);
    expect(rows[1]).toMatch(/^operations in the way wait2/);
    await dialog(page).getByRole('button', { name: 'Move it' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.locator('.shop-head').getByText('version 2,').waitFor();
    const [, , turning, milling] = await starts();
    expect(turning).toBeGreaterThan(60);
    expect(milling).toBe(turning + 60);
    await undo(page, 3);
    expect(await starts()).toEqual([0, 60, 60, 120]);
  });

  it('is done by keys alone: Enter takes the operation, arrows move it, Enter asks and Escape leaves it', async () => {
    const page = await open();
    await page.locator('canvas').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => said(page).textContent()).toMatch(/^B, milling/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => said(page).textContent()).toMatch(/^08:0\d to 09:0\d: fits/);
    await page.keyboard.press('Escape');
    await expect.poll(() => said(page).textContent()).toMatch(/^B, milling/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const table = dialog(page).locator('.trial table');
    await table.waitFor();
    expect((await rowsOf(table))[0]).toMatch(/^nothing else moves1/);
    // Its start can be put right without dragging, too.
    await dialog(page).getByRole('button', { name: '+ 1 h' }).press('Enter');
    const move = dialog(page).getByRole('button', { name: 'Move it' });
    await expect.poll(() => move.isDisabled()).toBe(false);
    await move.press('Enter');
    await page.locator('.shop-head').getByText('version 2,').waitFor();
    expect((await starts())[3]).toBeGreaterThanOrEqual(180);
  });

  it('is done by fingers on the operation that is selected, while they move the chart elsewhere', async () => {
    const page = await open();
    const { x, y, hour } = await placeOf(page, 'B, milling', 'Mill');
    await page.mouse.move(0, 0);
    const client = await page.context().newCDPSession(page);
    const touch = (type: string, to?: number) =>
      client.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: to === undefined ? [] : [{ x: to, y }],
      });
    const swipe = async (by: number) => {
      await touch('touchStart', x);
      for (const share of [0.2, 0.5, 1]) await touch('touchMove', x + share * by);
      await touch('touchEnd');
    };
    await swipe(-hour / 3);
    expect(await dialog(page).count()).toBe(0);
    await page.touchscreen.tap(x, y);
    await expect.poll(() => said(page).textContent()).toMatch(/^B, milling/);
    await swipe(-hour / 3);
    await dialog(page).waitFor();
    await dialog(page).getByText('the step before it, turning, ends at 08:00').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).tap();
    expect(await starts()).toEqual([0, 60, 60, 120]);
  });

  it('asks for the cost again when another version is followed meanwhile, and moves it in that one', async () => {
    const page = await open();
    await page.locator('canvas').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Move B, milling …' }).click();
    await dialog(page).getByRole('button', { name: '+ 15 min' }).click();
    await dialog(page).locator('.trial table').waitFor();
    // The page has not heard of it when the button is pressed.
    await page.route('**/shops/floor*', (route) => route.abort());
    await wish({ job: 'B', step: 2, start: 130 });
    await page.unroute('**/shops/floor*');
    await dialog(page).locator('.trial table').waitFor();
    await dialog(page).getByRole('button', { name: 'Move it' }).click();
    await page.locator('.shop-head').getByText('version 3,').waitFor();
    expect((await view()).start[3]).toBe(135);
  });

  it('is not for those who may report only, nor while a proposal waits', async () => {
    const reporter = await open({ role: 'report' });
    await placeOf(reporter, 'B, turning', 'Lathe');
    expect(await said(reporter).textContent()).not.toContain('drag');
    const page = await open({ asks: true });
    await placeOf(page, 'B, turning', 'Lathe');
    expect(await said(page).textContent()).toContain('drag');
    await wish({ job: 'B', step: 2, start: 130 });
    await page.locator('.proposal').getByText('proposed by hand').waitFor();
    await placeOf(page, 'B, turning', 'Lathe');
    expect(await said(page).textContent()).not.toContain('drag');
  });
});
