import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeInstanceJson } from '../../../../src/jssp/formats/instance-json.js';
import { replaceInstance } from '../../../../src/jssp/instance.js';
import { launch, skipped } from '../../../../test/report/page/browser.js';
import { demoShop } from '../../src/demo/demo-shop.js';
import { createApp } from '../../src/http/app.js';
import type { AccessToken } from '../../src/http/tokens.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';
import { findings, tooSmall } from './looks.js';

/** Markup and the like, as names of machines may hold it. */
const HOSTILE = '<img src=x onerror="window.hacked=1"></script><b>Lathe</b>';

const boss = { caller: { name: 'boss', role: 'decide' } } as const;

/** A browser at the page, and everything that it complained of, or asked others than the service for. */
interface Window {
  readonly page: Page;
  readonly complaints: string[];
}

describe.skipIf(skipped !== '')(`the foreman's page in Chromium${skipped}`, () => {
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

  /** Starts a service with a shop of the demo, whose time stands still but for events. */
  async function startShop(
    options: { approval?: boolean; tokens?: AccessToken[]; hostile?: boolean } = {},
  ): Promise<string> {
    directory = await openShopDirectory({});
    const shop = demoShop();
    const machines = [HOSTILE, ...(shop.names?.machines?.slice(1) ?? [])];
    const named = options.hostile
      ? replaceInstance(shop, { names: { jobs: null, operations: null, machines } })
      : shop;
    const approval = options.approval === false ? null : { seconds: 3600, otherwise: 'decline' };
    const instance = JSON.parse(writeInstanceJson(named));
    const policy = { approval };
    await directory.create({ id: 'floor', instance, policy, planner: 'dispatch:mwkr' }, boss);
    return startApp({ ...(options.tokens === undefined ? {} : { tokens: options.tokens }) });
  }

  async function startApp(options: { tokens?: AccessToken[] } = {}, port = 0): Promise<string> {
    app = await createApp({ directory, ...options });
    return app.listen({ port, host: '127.0.0.1' });
  }

  /** Opens the page on a tablet. */
  async function open(address: string, route = '#/shop/floor'): Promise<Window> {
    const viewport = { width: 1024, height: 768 };
    const page = await browser.newPage({ viewport, hasTouch: true });
    pages.push(page);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${address}/`)) complaints.push(request.url());
    });
    await page.goto(`${address}/${route}`);
    return { page, complaints };
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const reportDialog = (page: Page) => page.getByRole('dialog', { name: 'Report' });

  async function reportBreakdown(page: Page, machine: string): Promise<void> {
    await button(page, `Report a breakdown of ${machine}`).tap();
    await reportDialog(page).getByRole('button', { name: '2 h', exact: true }).first().tap();
    await reportDialog(page).getByRole('button', { name: 'Report it' }).tap();
    await reportDialog(page).waitFor({ state: 'detached' });
  }

  /** Waits until a page follows a version. */
  const follows = (page: Page, version: number) =>
    page.locator('.shop-head').getByText(`version ${version},`).waitFor();

  it('shows two people the same shop: what one reports is proposed to both, and what one accepts both follow', async () => {
    const address = await startShop();
    const [kim, lee] = await Promise.all([open(address), open(address)]);
    await Promise.all(
      [kim, lee].map(({ page }) => page.getByText('live', { exact: true }).waitFor()),
    );
    await reportBreakdown(kim.page, 'Lathe 1');
    for (const { page } of [kim, lee]) {
      const proposal = page.locator('.proposal');
      await proposal.waitFor();
      expect(await proposal.textContent()).toMatch(/Lathe 1 is down until .*08:00/);
      // It is down, whatever becomes of the proposal.
      const row = page.locator('.board tr', { hasText: 'Lathe 1' });
      expect(await row.textContent()).toContain('down until 08:00');
      expect(await page.locator('.shop-head').textContent()).toContain('version 1');
    }
    await button(lee.page, 'Accept').tap();
    for (const { page } of [kim, lee]) {
      await follows(page, 2);
      expect(await page.locator('.proposal').count()).toBe(0);
      const row = page.locator('.board tr', { hasText: 'Lathe 1' });
      expect(await row.textContent()).toContain('down until 08:00');
      expect(await page.locator('.story').textContent()).toContain('version 2');
    }
    expect((await directory.state('floor')).version).toBe(2);
    expect([...kim.complaints, ...lee.complaints]).toEqual([]);
  });

  it('says that there is no such shop, and that it is not the connection', async () => {
    const { page } = await open(await startShop(), '#/shop/yard');
    await page.getByText('not on this service').waitFor();
    await page.getByText('there is no shop "yard"').waitFor();
    expect(await page.getByText('connection lost').count()).toBe(0);
  });

  it('withdraws a report that was a mistake', async () => {
    const { page, complaints } = await open(await startShop({ approval: false }));
    await reportBreakdown(page, 'Mill');
    await follows(page, 2);
    await button(page, 'Withdraw …').tap();
    const dialog = page.getByRole('dialog', { name: 'Withdraw a report' });
    expect(await dialog.getByLabel('The report of').locator('option').allTextContents()).toEqual([
      expect.stringMatching(/06:00: Mill broke down until 08:00 \(version 2\)/),
    ]);
    await dialog.getByRole('button', { name: 'Withdraw' }).tap();
    await follows(page, 3);
    expect((await directory.story('floor')).join('\n')).toMatch(/withdrew the report of version 2/);
    expect(complaints).toEqual([]);
  });

  it('declines with a reason, and undoes what was accepted', async () => {
    const address = await startShop();
    const { page, complaints } = await open(address);
    await reportBreakdown(page, 'Mill');
    await page.getByLabel('Why not? (goes into the log)').fill('the mill runs again');
    await button(page, 'Decline').tap();
    await page.getByText('Declined: version 2 is followed').waitFor();
    await follows(page, 2);
    await button(page, 'Undo …').tap();
    // Versions are named by what happened, also before the page was opened.
    await page.reload();
    await button(page, 'Undo …').tap();
    const versions = page.getByLabel('Back to').locator('option');
    expect(await versions.allTextContents()).toEqual(['the first plan (version 1)']);
    // What waits goes on waiting: nothing moves, and nothing is asked.
    await page.getByRole('dialog', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).tap();
    await follows(page, 3);
    await button(page, 'Undo …').tap();
    expect(await versions.first().textContent()).toMatch(/after 06:00, .*Mill .*\(version 2\)/);
    await page.keyboard.press('Escape');
    const story = (await directory.story('floor')).join('\n');
    expect(story).toContain('the mill runs again');
    expect(story).toMatch(/version 1/);
    expect(complaints).toEqual([]);
  });

  it('reports what takes longer, is late, comes or is cancelled, and says what it would cost', async () => {
    const address = await startShop({ approval: false });
    const { page, complaints } = await open(address);
    const report = async (kind: string, fill: () => Promise<unknown>, version: number) => {
      await button(page, 'Report …').tap();
      await page.getByLabel('What happened?').selectOption({ label: kind });
      await fill();
      await button(page, 'Report it').tap();
      await follows(page, version);
      await reportDialog(page).waitFor({ state: 'detached' });
    };
    const half = () => reportDialog(page).getByRole('button', { name: '30 min' }).first().tap();
    await report('Something takes longer', half, 2);
    await report('Material is late', half, 3);
    const rush = async () => {
      await page.getByLabel('Name of the order').fill('WO-RUSH');
      await button(page, 'Report it').tap();
      await reportDialog(page).getByRole('alert').getByText('Fill this in.').waitFor();
      await page.getByLabel('Name of operation 1').fill('keyway');
      await page.getByLabel('Machine of operation 1').selectOption({ label: 'Mill' });
      await page.getByLabel('Operation 1 takes (min)').fill('45');
      await button(page, 'Add an operation').tap();
      await page.getByLabel('Operation 2 takes (min)').fill('20');
      await page.getByLabel('Due').fill('2026-11-20T06:30');
      await button(page, 'What would it cost?').tap();
      const beside = reportDialog(page).locator('.field', { hasText: 'Due' });
      await beside.getByRole('alert').getByText('is before the epoch').waitFor();
      await page.getByLabel('Due').fill('2026-11-23T06:30');
      await button(page, 'What would it cost?').tap();
      const trial = page.locator('.trial');
      await trial.waitFor();
      const rows = (await trial.locator('tbody th').allTextContents()).map((row) => row.trim());
      expect(rows).toContain('few moves');
      // Searches for two seconds may come to the schedule of another row, or not.
      expect(rows.flatMap((row) => row.split(', ')).toSorted()).toEqual([
        ...[
          'as this shop repairs (default)',
          'do nothing (waiting operations are delayed)',
          'few moves',
        ],
        ...['meet due dates', 'plan from scratch'],
      ]);
    };
    await report('A rush order came', rush, 4);
    await page.locator('.orders tr.late', { hasText: /WO-RUSH.* late/ }).waitFor();
    await page.locator('.board').getByText('WO-RUSH, keyway').first().waitFor();
    const cancel = () =>
      page.getByRole('combobox', { name: /^Job/ }).selectOption({ label: 'WO-RUSH' });
    await report('A job is cancelled', cancel, 5);
    const maintenance = async () => {
      await button(page, 'Report it').tap();
      await reportDialog(page).getByText('Fill this in.').first().waitFor();
      await page.getByLabel(/^From/).fill('2026-11-24T08:00');
      await page.getByLabel(/^Until/).fill('2026-11-24T12:00');
    };
    await report('A machine will be down (maintenance)', maintenance, 6);
    await page.getByText(/will be down from Tue 24 Nov 08:00 to Tue 24 Nov 12:00/).waitFor();
    await page.getByRole('heading', { name: /^Orders$/ }).waitFor();
    // Browsers note the refusal.
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });

  it('reports a rush order, and repairs by the row that is chosen', async () => {
    const { page, complaints } = await open(await startShop({ approval: false }));
    await button(page, 'Report …').tap();
    await page.getByLabel('What happened?').selectOption({ label: 'A rush order came' });
    await page.getByLabel('Name of the order').fill('WO-RUSH');
    await page.getByLabel('Name of operation 1').fill('keyway');
    await page.getByLabel('Machine of operation 1').selectOption({ label: 'Mill' });
    await page.getByLabel('Operation 1 takes (min)').fill('45');
    await page.getByLabel('Due').fill('2026-11-23T06:30');
    await button(page, 'What would it cost?').tap();
    const row = (name: RegExp) => page.locator('.trial').getByRole('radio', { name });
    await row(/few moves/).waitFor();
    expect(await row(/as this shop repairs.* \(default\)/).isChecked()).toBe(true);
    await row(/few moves/).check();
    // A changed report is tried out again, and repaired as usual until a row is chosen.
    await page.getByLabel('Operation 1 takes (min)').fill('50');
    await button(page, 'Report it').waitFor();
    await button(page, 'What would it cost?').tap();
    await row(/few moves/).check();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await button(page, 'Report and repair this way').tap();
    expect((await sent).postDataJSON()).toMatchObject({ row: 'few-moves' });
    await follows(page, 2);
    const line = page.getByText(/WO-RUSH.*repaired by the row few-moves/);
    await line.first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks for a token, remembers the right one, and shows what its role may do', async () => {
    const tokens: AccessToken[] = [
      { name: 'ann', role: 'view', token: 'view-view-view-view' },
      { name: 'kim', role: 'decide', token: 'kim-kim-kim-kim-kim' },
    ];
    const address = await startShop({ tokens });
    const { page } = await open(address);
    await page.getByLabel('Token').fill('wrong-wrong-wrong');
    await button(page, 'Sign in').tap();
    await page.getByText('The service does not know this token.').waitFor();
    await page.getByLabel('Token').fill('view-view-view-view');
    await button(page, 'Sign in').tap();
    await page.getByText('live', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText('ann may look only').waitFor();
    await directory.report('floor', { events: [{ kind: 'breakdown', machine: 'Saw' }] }, boss);
    await page.locator('.proposal').getByText('ann may look only').waitFor();
    expect(await button(page, /Report|Undo|Accept|Decline|Down|back/).count()).toBe(0);
    await button(page, 'Sign out').tap();
    await page.getByLabel('Token').fill('kim-kim-kim-kim-kim');
    await button(page, 'Sign in').tap();
    await page.getByText('live', { exact: true }).waitFor();
    await page.locator('.gantt-legend').getByText('an event hit it').waitFor();
    await button(page, 'Accept').tap();
    await follows(page, 2);
    await reportBreakdown(page, 'Lathe 2');
    await page.getByText('reported by kim').waitFor();
  });

  it('goes on by itself when the service was away, with everything that happened meanwhile', async () => {
    const address = await startShop({ approval: false });
    const { page } = await open(address);
    await page.getByText('live', { exact: true }).waitFor();
    await app?.close();
    await page.getByText('connection lost').waitFor();
    const events = [{ kind: 'breakdown', machine: 'Saw' }];
    await directory.report('floor', { events }, boss);
    await startApp({}, Number(new URL(address).port));
    await follows(page, 2);
    await page.getByText('live', { exact: true }).waitFor();
  });

  it('has room for fingers, and nothing outside of a tablet; dialogs, too', async () => {
    const address = await startShop();
    const { page } = await open(address);
    await reportBreakdown(page, 'Lathe 2');
    await page.locator('.proposal').waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await button(page, 'Report …').tap();
    const kinds = await page.getByLabel('What happened?').locator('option').allTextContents();
    for (const label of kinds) {
      await page.getByLabel('What happened?').selectOption({ label });
      expect(await tooSmall(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1024);
  });

  it('is worked by keys alone: the chart is read, a report is made on what is chosen, and it is accepted', async () => {
    const address = await startShop();
    const { page } = await open(address);
    await page.locator('canvas').focus();
    // The first of the rows, which are in the order of their names, is chosen, and then the last.
    for (const key of [
      'ArrowRight',
      ...Array(4).fill('ArrowDown'),
      ...Array(9).fill('ArrowLeft'),
    ]) {
      await page.keyboard.press(key);
    }
    const said = page.locator('.gantt-text');
    expect(await said.textContent()).toMatch(
      /^WO-47\d\d, \w+ · Saw · Mon 23 Nov 06:00 to \d\d:\d\d/,
    );
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^Report on WO-47\d\d, \w+ …$/);
    await page.keyboard.press('Enter');
    await reportDialog(page).getByRole('button', { name: '1 h', exact: true }).first().focus();
    await page.keyboard.press('Enter');
    await reportDialog(page).getByRole('button', { name: 'Report it' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.proposal').waitFor();
    await button(page, 'Accept').focus();
    await page.keyboard.press('Enter');
    await follows(page, 2);
  });

  it('shows 24 working hours from now on at first, with closed time short, and all of it where one wants', async () => {
    const address = await startShop();
    const { page } = await open(address);
    const tools = page.locator('.gantt-tools');
    const short = tools.getByLabel('closed time short');
    expect(await short.isChecked()).toBe(true);
    const picture = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
    const compressed = await picture();
    await short.uncheck();
    await expect.poll(picture).not.toBe(compressed);
    expect(await page.locator('.gantt-legend').textContent()).toContain('closed as planned');
  });

  it('lists orders with due dates and customers, searched and filtered, and leads to them in the chart', async () => {
    const address = await startShop();
    const { page } = await open(address);
    const rows = page.locator('.orders tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(10);
    await page.getByLabel('Search orders').fill('keller 4715 20');
    expect(await rows.allTextContents()).toEqual([
      expect.stringMatching(/^WO-4715.*Tue 24 Nov 18:00.*Keller & Sohn20$/),
    ]);
    await button(page, 'WO-4715').tap();
    await page
      .locator('.gantt-text')
      .getByText(/^WO-4715, .* · due Tue 24 Nov 18:00/)
      .waitFor();
    await page.getByLabel('Search orders').fill('');
    await page.getByLabel('Which orders').selectOption('late');
    const late = (await directory.state('floor')).late;
    expect(await rows.count()).toBe(late.length);
  });

  it('shows names as text, whatever they hold', async () => {
    const address = await startShop({ hostile: true, approval: false });
    const { page, complaints } = await open(address);
    await page.locator('.board tbody').getByText(HOSTILE).first().waitFor();
    await button(page, 'Report …').tap();
    await button(page, 'Report it').tap();
    await follows(page, 2);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it('has no serious finding of axe: a shop, a proposal, the form of a report', async () => {
    const address = await startShop();
    const { page } = await open(address);
    await reportBreakdown(page, 'Lathe 2');
    await page.locator('.proposal').waitFor();
    expect(await findings(page)).toEqual([]);
    await button(page, 'Report …').tap();
    await reportDialog(page).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('has nothing cut off on a phone: every machine says what runs and what comes', async () => {
    const address = await startShop();
    const { page } = await open(address);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.board tbody tr').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // The head does not cover the lists.
    await page.evaluate('scrollTo(0, 900)');
    expect(
      await page.evaluate("document.querySelector('.shop-head').getBoundingClientRect().bottom"),
    ).toBeLessThanOrEqual(0);
    await page.evaluate('scrollTo(0, 0)');
    const cut = `Array.from(document.querySelectorAll('.board td, .board th'))
      .filter((cell) => cell.offsetParent !== null && cell.getBoundingClientRect().right > 390)
      .map((cell) => cell.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });

  it('opens the only shop at once; lists shops, and says where there is none of a name', async () => {
    const address = await startShop();
    const { page } = await open(address, '');
    await page.getByRole('heading', { name: 'Machines' }).waitFor();
    await page.getByRole('link', { name: 'all shops' }).tap();
    await page.getByRole('heading', { name: 'Shops' }).waitFor();
    await page.getByRole('link', { name: 'floor' }).tap();
    await page.getByRole('heading', { name: 'Machines' }).waitFor();
    await page.goto(`${address}/#/shop/none`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('none');
  });
});

/** The text of what the keyboard is at. */
function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}
