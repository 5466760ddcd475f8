import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launch, skipped } from '../../../../test/report/page/browser.js';
import { wireInstance } from '../../src/api/wire.js';
import { demoShop } from '../../src/demo/demo-shop.js';
import { createApp } from '../../src/http/app.js';
import type { AccessToken } from '../../src/http/tokens.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';
import { findings, tooSmall } from './looks.js';

const boss = { caller: { name: 'boss', role: 'decide' } } as const;

/** Orders as a German spreadsheet saves them. */
const german = Buffer.from(
  [
    'Auftrag;AG;Arbeitsgang;Arbeitsplatz;Rüstzeit;Stückzeit;Stückzahl;Wunsch;Kunde;Meister',
    'A-1;10;sägen;Säge;5;1,5;20;30.11.2026;Müller;Udo',
    'A-1;20;drehen;Drehbank;15;4,75;;;Müller;Eva',
    'A-2;10;=1+1;Säge;5;1,5;1.000;02.12.2026;Groß;Udo',
  ].join('\n'),
  'latin1',
);

describe.skipIf(skipped !== '')(
  `files in and out of the foreman's page in Chromium${skipped}`,
  () => {
    let browser: Browser;
    let directory: ShopDirectory;
    let app: FastifyInstance | undefined;
    const pages: Page[] = [];

    beforeAll(async () => {
      browser = await launch();
    });
    afterEach(async () => {
      for (const page of pages.splice(0)) await page.close();
      await app?.close();
      await directory.stop();
    });
    afterAll(() => browser?.close());

    async function start(
      options: { tokens?: AccessToken[]; isEmpty?: boolean } = {},
    ): Promise<string> {
      directory = await openShopDirectory({});
      if (!options.isEmpty) {
        const instance = wireInstance(demoShop());
        await directory.create({ id: 'floor', instance, planner: 'dispatch:mwkr' }, boss);
      }
      app = await createApp({ directory, tokens: options.tokens });
      return app.listen({ port: 0, host: '127.0.0.1' });
    }

    async function open(address: string, route: string, width = 1024) {
      const viewport = { width, height: 800 };
      const page = await browser.newPage({ viewport, hasTouch: true });
      pages.push(page);
      await page.clock.setFixedTime('2026-11-23T12:00:00+01:00');
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${address}/${route}`);
      return { page, complaints };
    }

    const button = (page: Page, name: string) => page.getByRole('button', { name });
    const workshop = (name: string, type: string) => ({
      ...{ name, mimeType: type },
      buffer: readFileSync(`examples/workshop/${name}`),
    });
    /** Drops a file on the page, as from a folder of the desktop. */
    const drop = (page: Page, name: string, bytes: Buffer) =>
      page.evaluate(`(() => {
        const text = atob('${bytes.toString('base64')}');
        const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}));
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
        return document.querySelector('main').dispatchEvent(event);
      })()`);
    const choose = (page: Page, files: readonly { name: string; buffer: Buffer }[]) =>
      page
        .locator('input[type=file]')
        .setInputFiles(files.map(({ name, buffer }) => ({ name, buffer, mimeType: 'text/plain' })));

    it('hands out the plan as a workbook and as a calendar, and the address of the calendar of a machine', async () => {
      const address = await start();
      const { page, complaints } = await open(address, '#/shop/floor');
      await button(page, 'Export …').tap();
      const download = async (name: string) => {
        const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).tap()]);
        return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      };
      const workbook = await download('Excel');
      expect(workbook.name).toBe('floor-version-1.xlsx');
      expect((await readXlsx(workbook.bytes)).sheets[1].rows).toHaveLength(36);
      expect((await download('Calendar file')).bytes.toString()).toContain('BEGIN:VEVENT');
      await page.getByLabel('Calendar of').selectOption({ label: 'Lathe 2' });
      const url = await page.getByLabel('Address').inputValue();
      expect(url).toBe(`${address}/shops/floor/calendar.ics?machine=Lathe+2`);
      expect(await (await fetch(url)).text()).toContain('LOCATION:Lathe 2');
      expect(await findings(page)).toEqual([]);
      expect(await tooSmall(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('hands those who may only look an address that needs no token', async () => {
      const tokens: AccessToken[] = [
        { name: 'ann', role: 'view', token: 'view-view-view-view' },
        { name: 'kim', role: 'decide', token: 'kim-kim-kim-kim-kim' },
      ];
      const { page } = await open(await start({ tokens }), '#/shops');
      await page.getByLabel('Token').fill('view-view-view-view');
      await button(page, 'Sign in').tap();
      await page.getByRole('link', { name: 'floor' }).waitFor();
      expect(await page.getByRole('link', { name: 'Open a shop from files' }).count()).toBe(0);
      await page.getByRole('link', { name: 'floor' }).tap();
      await button(page, 'Export …').tap();
      const url = await page.getByLabel('Address').inputValue();
      await page.getByText('Anyone with this address can read this calendar').waitFor();
      expect((await fetch(url)).status).toBe(200);
    });

    it('opens a shop from files: what is not understood is named, columns are chosen, and dates and shifts read', async () => {
      const { page, complaints } = await open(await start({ isEmpty: true }), '#/');
      await page.getByRole('link', { name: 'Open a shop from files' }).tap();
      await page.getByText('Drop the files here').waitFor();
      await drop(page, 'Aufträge.csv', german);
      await page.getByText('Aufträge.csv is not UTF-8, and was read as Windows-1252.').waitFor();
      await page.getByText('Meister (Aufträge.csv): differs within an order').waitFor();
      await page.getByText('Kept with the orders: customer, quantity, Wunsch').waitFor();
      await page.getByText('3 operations, 2 machines').waitFor();
      await page.getByText('Columns of Aufträge.csv').tap();
      await page.getByLabel('Time begins').fill('2026-11-23T06:00');
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      await page.getByLabel('for: due date').selectOption('Wunsch');
      await page.getByText('Kept with the orders: customer, quantity', { exact: true }).waitFor();
      const row = page.locator('.preview tbody tr', { hasText: 'A-1' });
      expect(await row.textContent()).toMatch(/^A-12026-12-01 00:002Säge → DrehbankMüller20$/);
      expect(await findings(page)).toEqual([]);
      expect(await tooSmall(page)).toEqual([]);
      await page.getByLabel('Name of the shop').fill('halle-1');
      await page.getByText('Operations that the plan starts before now count as done').waitFor();
      await page.getByLabel('The time of the shop is the time of day').uncheck();
      await button(page, 'Open the shop').tap();
      await page.getByText('live', { exact: true }).waitFor();
      await page.locator('.orders').getByText('Müller').first().waitFor();
      const plan = await directory.schedule('halle-1');
      expect(plan.instance.names?.jobs).toEqual(['A-1', 'A-2']);
      expect(plan.instance.timeScale?.zone).toBe('Europe/Berlin');
      expect(complaints).toEqual([]);
    });

    it('takes a mapping and a calendar beside the orders, and says what a file is that it does not understand', async () => {
      const { page } = await open(await start({ isEmpty: true }), '#/import');
      await choose(page, [{ name: 'notes.json', buffer: Buffer.from('{}') }]);
      await page.getByText('notes.json is neither a CSV file').waitFor();
      await choose(page, [
        workshop('calendar.json', 'application/json'),
        workshop('map.json', 'application/json'),
      ]);
      await page.getByText('A file of orders is still missing.').waitFor();
      await choose(page, [workshop('orders.csv', 'text/csv')]);
      await page.getByText('10 orders, 35 operations, 5 machines').waitFor();
      await page.getByText(/^Shifts are known until 2026-12-/).waitFor();
      expect(await page.getByLabel('Time begins').inputValue()).toBe('2026-11-23T06:00');
      await page.getByLabel('Time zone').fill('Europe/Atlantis');
      await page.getByRole('alert').getByText('Europe/Atlantis').waitFor();
      expect(await button(page, 'Open the shop').count()).toBe(0);
    });

    it('takes tables of groups, setups, transport and operators, each as what its headings say', async () => {
      const { page, complaints } = await open(await start({ isEmpty: true }), '#/import');
      const file = (name: string) => ({
        name,
        buffer: readFileSync(`examples/workshop-real/${name}`),
      });
      const tables = ['machines.csv', 'setups.csv', 'transport.csv', 'operators.csv'];
      await choose(page, [...tables, 'map.json', 'calendar.json'].map(file));
      await page.getByText('A file of orders is still missing.').waitFor();
      await choose(page, [file('orders.csv')]);
      await page.getByText('8 orders, 27 operations, 8 machines').waitFor();
      const kindOf = (name: string) =>
        page.getByLabel(`What is in ${name}?`).locator('option:checked').textContent();
      expect(await Promise.all(tables.map(kindOf))).toEqual([
        'groups of machines',
        'setups between families',
        'transport between machines',
        'operators and tools',
      ]);
      // Only the orders have columns to choose.
      expect(await page.locator('details.columns').count()).toBe(1);
      const remarks = await page.locator('.remarks').textContent();
      expect(remarks).toContain('15 operations with alternatives');
      expect(remarks).toContain('Operators and tools, with their number: Ana (1), Ben (1)');
      await page.getByText('Lathe 1 or Lathe 2').first().waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await tooSmall(page)).toEqual([]);
      await page.getByLabel('What is in setups.csv?').selectOption('transport between machines');
      await page.getByText('There are two files of one kind: transport between machines').waitFor();
      await page.getByLabel('What is in setups.csv?').selectOption('setups between families');
      await page.getByLabel('Name of the shop').fill('hall');
      await page.getByLabel('The time of the shop is the time of day').uncheck();
      await button(page, 'Open the shop').tap();
      await page.getByText('live', { exact: true }).waitFor();
      const operators = page.locator('.board', { hasText: 'Operators and tools' });
      expect(await operators.locator('tbody tr').count()).toBe(4);
      const ana = operators.locator('tbody tr', { hasText: 'Ana' });
      expect(await ana.textContent()).toMatch(/^Anafree\d\d:\d\d WO-\d+,? .*\(Grinder\)/);
      const eva = operators.locator('tbody tr', { hasText: 'Eva' });
      expect(await eva.textContent()).toContain('setup for WO-');
      await ana.getByRole('button', { name: 'Report that Ana is missing' }).tap();
      expect(await page.getByRole('dialog').locator('option:checked').allTextContents()).toContain(
        'Ana',
      );
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const { instance } = await directory.schedule('hall');
      expect(instance.resources?.names).toEqual(['Ana', 'Ben', 'Eva', 'turners']);
      expect(instance.setups?.families).toBe(3);
      expect(instance.transport).not.toBeNull();
      expect(instance.modes?.machine).toHaveLength(42);
      expect(complaints).toEqual([]);
    });

    it('has room for everything on a phone', async () => {
      const { page } = await open(await start({ isEmpty: true }), '#/import', 390);
      await choose(page, [{ name: 'Aufträge.csv', buffer: german }]);
      await page.getByText('What was read').waitFor();
      await page.getByText('Columns of Aufträge.csv').tap();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await tooSmall(page)).toEqual([]);
    });
  },
);
