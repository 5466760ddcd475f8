import { describe, expect, it } from 'vitest';
import { skipped } from '../../../../test/report/page/browser.js';
import { dialog, findInRow, openFloors, said, undo } from './floors.js';

/** Two orders: turning takes an hour on lathe 1 and two hours on lathe 2, which is the quicker one for nothing. */
const shop = {
  schema: 'alas-jssp/instance@2',
  machines: ['Lathe 1', 'Lathe 2', 'Mill'],
  time_scale: { epoch: '2026-11-23T06:00', unit: 60, zone: 'Europe/Berlin' },
  jobs: ['A', 'B'].map((name) => ({
    name,
    due: 300,
    operations: [
      {
        name: 'turning',
        modes: [
          { machine: 'Lathe 1', duration: 60 },
          { machine: 'Lathe 2', duration: 120 },
        ],
      },
      { name: 'milling', machine: 'Mill', duration: 60 },
    ],
  })),
};

const plan = {
  operations: [
    { job: 'A', step: 1, machine: 'Lathe 1', start: 0, end: 60 },
    { job: 'A', step: 2, machine: 'Mill', start: 60, end: 120 },
    { job: 'B', step: 1, machine: 'Lathe 1', start: 60, end: 120 },
    { job: 'B', step: 2, machine: 'Mill', start: 180, end: 240 },
  ],
};

describe.skipIf(skipped !== '')(`moving operations to other machines in Chromium${skipped}`, () => {
  const { open, view } = openFloors(shop, plan);
  const machines = async () => Array.from((await view()).machine);

  it('is done by dragging it to the row of one that can do it, and undone', async () => {
    const page = await open();
    expect(await machines()).toEqual([0, 2, 0, 2]);
    const { x, rowAt } = await findInRow(page, 0, 'B, turning');
    await page.mouse.down();
    await page.mouse.move(x + 5, rowAt(0));
    await page.mouse.move(x + 2, rowAt(1));
    await expect.poll(() => said(page).textContent()).toContain('Lathe 2, 07:00 to 09:00: fits');
    // The mill cannot do it.
    await page.mouse.move(x + 2, rowAt(2));
    await expect.poll(() => said(page).textContent()).toContain('Lathe 2, 07:00 to 09:00: fits');
    await page.mouse.up();
    await dialog(page).locator('.trial table').waitFor();
    expect(await dialog(page).locator('select').inputValue()).toBe('1');
    await dialog(page).getByRole('button', { name: 'Move it' }).click();
    await page.locator('.shop-head').getByText('version 2,').waitFor();
    expect(await machines()).toEqual([0, 2, 1, 2]);
    await undo(page, 3);
    expect(await machines()).toEqual([0, 2, 0, 2]);
  });

  it('is possible for another machine once it is reported that it may do the operation', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Report …' }).click();
    const report = page.getByRole('dialog');
    await report.getByLabel('What happened?').selectOption('Another machine may do an operation');
    // Of the operations of A, only the milling has not started.
    const operation = report.getByRole('combobox', { name: 'Operation', exact: true });
    expect(await operation.locator('option').count()).toBe(1);
    await report.getByRole('combobox', { name: 'Machine', exact: true }).selectOption('Lathe 2');
    await report
      .getByRole('group', { name: 'How long does it take there?' })
      .getByRole('button', { name: '30 min', exact: true })
      .click();
    await report.getByRole('button', { name: 'Report it' }).click();
    await report.waitFor({ state: 'detached' });
    const machinesOfMilling = async () => {
      const { modes } = await view();
      return modes?.machine.slice(modes.offset[1], modes.offset[2]);
    };
    await expect.poll(machinesOfMilling).toEqual([2, 1]);
  });

  it('is done by keys, and by choosing a machine in the dialog, which names how long each takes', async () => {
    const page = await open();
    await page.locator('canvas').focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => said(page).textContent()).toMatch(/^B, turning/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => said(page).textContent()).toContain('Lathe 2, 07:00 to 09:00: fits');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => said(page).textContent()).toContain('07:00 to 08:00: fits');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const choice = dialog(page).getByLabel('Machine');
    expect(await choice.locator('option').allTextContents()).toEqual([
      'Lathe 1 (1 h)',
      'Lathe 2 (2 h)',
    ]);
    await choice.selectOption('Lathe 1 (1 h)');
    await dialog(page).getByText('07:00 to 08:00: fits').waitFor();
    await choice.selectOption('Lathe 2 (2 h)');
    await dialog(page).locator('.trial table').waitFor();
    await dialog(page).getByRole('button', { name: 'Move it' }).click();
    await page.locator('.shop-head').getByText('version 2,').waitFor();
    expect(await machines()).toEqual([0, 2, 1, 2]);
  });
});
