import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeInstanceJson } from '../../../../src/jssp/formats/instance-json.js';
import { launch, skipped } from '../../../../test/report/page/browser.js';
import { demoShop } from '../../src/demo/demo-shop.js';
import { createApp } from '../../src/http/app.js';
import type { AccessToken } from '../../src/http/tokens.js';
import { englishTexts } from '../../src/page/texts/en.js';
import { PAGE_TEXTS } from '../../src/page/texts/texts.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { ShopDirectory } from '../../src/shops/shop-directory.js';

const boss = { caller: { name: 'boss', role: 'decide' } } as const;

/** Words that no text in German has, and hardly a sentence in English does without. */
const ENGLISH =
  /(?<!\p{L})(the|is|are|and|of|with|until|from|has|have|it|its|to|by|be|no|not|at|for|job|jobs|machine|machines|order|orders|operation|operations|step|waits|moves|done|would|give|there|shop|shops|late|due|undo|accept|decline|report|nothing|now)(?!\p{L})/iu;

describe.skipIf(skipped !== '')(`the foreman's page in German${skipped}`, () => {
  let browser: Browser;
  let directory: ShopDirectory;
  let app: FastifyInstance;
  const pages: Page[] = [];

  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    await app.close();
    await directory.stop();
  });
  afterAll(() => browser?.close());

  async function startShop(tokens: readonly AccessToken[] = []): Promise<string> {
    directory = await openShopDirectory({});
    const instance = JSON.parse(writeInstanceJson(demoShop()));
    const policy = { approval: { seconds: 3600, otherwise: 'decline' } };
    await directory.create({ id: 'halle', instance, policy, planner: 'dispatch:mwkr' }, boss);
    app = await createApp({ directory, tokens });
    return app.listen({ port: 0, host: '127.0.0.1' });
  }

  async function open(
    address: string,
    route = '#/shop/halle',
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      ...{ locale: 'de-DE', viewport: { width: 1024, height: 768 } },
      ...options,
    });
    const page = await context.newPage();
    pages.push(page);
    await page.goto(`${address}/${route}`);
    return page;
  }

  /** Sees to it that everything on the page, for eyes and for screen readers, is in German. */
  async function readsGerman(page: Page): Promise<void> {
    const seen = await page.evaluate<string[]>(`[
      document.title,
      ...document.body.innerText.split('\\n'),
      ...Array.from(document.querySelectorAll('*')).flatMap((element) =>
        ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '')),
    ]`);
    const english = seen.filter((line) => ENGLISH.test(line));
    expect(english).toEqual([]);
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (page: Page) => page.getByRole('dialog');
  const follows = (page: Page, version: number) =>
    page.locator('.shop-head').getByText(`Version ${version},`).waitFor();

  it('has no sentence in English: board, orders, form, trial, proposal, story, undo, withdrawal', async () => {
    const page = await open(await startShop());
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.locator('.gantt-keys summary').click();
    await readsGerman(page);
    await page.locator('.gantt-keys summary').click();
    await button(page, 'Störung an Lathe 1 melden').click();
    const kinds = page.getByLabel('Was ist passiert?');
    for (const kind of await kinds.locator('option').allTextContents()) {
      await kinds.selectOption({ label: kind });
      await readsGerman(page);
    }
    await kinds.selectOption({ label: 'Eine Maschine steht' });
    await dialog(page).getByRole('button', { name: '2 h', exact: true }).first().click();
    await button(page, 'Was würde es kosten?').click();
    await page.locator('.trial').waitFor();
    await readsGerman(page);
    await dialog(page).getByRole('button', { name: 'Melden', exact: true }).click();
    await page.locator('.proposal').waitFor();
    expect(await page.locator('.proposal').textContent()).toMatch(/Lathe 1 steht bis .*08:00/);
    await button(page, /weitere/).click();
    await readsGerman(page);
    await page.getByLabel('Warum nicht?').fill('läuft wieder');
    await button(page, 'Ablehnen').click();
    await follows(page, 2);
    await readsGerman(page);
    await page.reload();
    await page.locator('.story li').first().waitFor();
    expect(await page.locator('.story').textContent()).toMatch(/boss|local hat abgelehnt: läuft/);
    await button(page, 'Rückgängig …').click();
    await readsGerman(page);
    await dialog(page).getByRole('button', { name: 'Rückgängig machen' }).click();
    await follows(page, 3);
    await button(page, 'Zurückziehen …').click();
    await dialog(page).waitFor();
    await readsGerman(page);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByLabel('Welche Aufträge').selectOption('all');
    await button(page, 'WO-4715').click();
    await page
      .locator('.gantt-text')
      .getByText(/^WO-4715, .* · Liefertermin /)
      .waitFor();
    await readsGerman(page);
    await button(page, /^WO-4715, .* verschieben …$/).click();
    await dialog(page).getByRole('button', { name: /^\+/ }).first().click();
    await dialog(page).locator('.trial').waitFor();
    await readsGerman(page);
  });

  it('has no error in English: of forms, of what comes too late, of what is not there', async () => {
    const page = await open(await startShop());
    await page.getByText('live', { exact: true }).waitFor();
    await button(page, 'Melden …').click();
    const kinds = page.getByLabel('Was ist passiert?');
    await kinds.selectOption({ label: 'Ein Eilauftrag ist gekommen' });
    await button(page, 'Was würde es kosten?').click();
    await dialog(page).getByText('Bitte ausfüllen.').waitFor();
    await page.getByLabel('Name des Auftrags').fill('WO-4715');
    await page.getByLabel('Dauer des 1. Arbeitsgangs (min)').fill('45');
    await page.getByLabel('Liefertermin').fill('2026-11-20T06:30');
    await button(page, 'Was würde es kosten?').click();
    await dialog(page).getByText('liegt vor dem Beginn des Plans').waitFor();
    await readsGerman(page);
    await page.getByLabel('Liefertermin').fill('2026-11-23T06:30');
    await button(page, 'Was würde es kosten?').click();
    await dialog(page).getByText('es gibt schon einen Auftrag „WO-4715“').waitFor();
    await readsGerman(page);
    await kinds.selectOption({ label: 'Eine Maschine läuft wieder' });
    const machine = dialog(page).getByRole('combobox', { name: /^Maschine/ });
    await machine.selectOption({ label: 'Mill' });
    await dialog(page).getByRole('button', { name: 'Melden', exact: true }).click();
    await dialog(page).getByText('Es hat nichts geändert:').waitFor();
    expect(await dialog(page).textContent()).toContain('Mill läuft wieder: die Maschine steht gar');
    await readsGerman(page);
    await page.keyboard.press('Escape');
    await page.evaluate("location.hash = '#/shop/keller'");
    await page.getByText('es gibt keine Werkstatt „keller“').waitFor();
    await readsGerman(page);
    await page.evaluate("location.hash = '#/shops'");
    await page.getByRole('heading', { name: 'Werkstätten' }).waitFor();
    await readsGerman(page);
  });

  it('has no sentence in English where a plan goes out, and where a shop is opened from files', async () => {
    const page = await open(await startShop());
    await button(page, 'Exportieren …').click();
    await readsGerman(page);
    await page.keyboard.press('Escape');
    await page.evaluate("location.hash = '#/import'");
    const choose = (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        ...{ name: 'halle.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(text),
      });
    await choose('order,step,machine,duration,due\nA-1,10,Kran,viel,2026-11-24\n');
    await page.getByText('halle.csv, Zeile 2 (A-1): Dauer ist „viel“').waitFor();
    await readsGerman(page);
    await page.reload();
    await choose('order,step,machine,duration,due\nA-1,10,Kran,20,2026-11-24\n');
    await page.getByRole('heading', { name: 'Was gelesen wurde' }).waitFor();
    await readsGerman(page);
  });

  it('asks for a token in German, and says what its role may do', async () => {
    const tokens = [{ name: 'ann', role: 'view', token: 'view-view-view-view' }] as const;
    const page = await open(await startShop(tokens));
    await page.getByLabel('Zugangscode').fill('falsch-falsch-falsch');
    await readsGerman(page);
    await button(page, 'Anmelden').click();
    await page.getByText('kennt der Dienst nicht').waitFor();
    await page.getByLabel('Zugangscode').fill('view-view-view-view');
    await button(page, 'Anmelden').click();
    await page.getByText('ann darf nur ansehen').waitFor();
    await directory.report('halle', { events: [{ kind: 'breakdown', machine: 'Saw' }] }, boss);
    await page.getByText('Darüber muss jemand entscheiden').waitFor();
    await readsGerman(page);
  });

  it('changes its language where the reader wants, and remembers it', async () => {
    const address = await startShop();
    const page = await open(address);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Machines' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Machines' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en-GB');
    const other = await open(address, '#/shop/halle', { locale: 'fr-FR' });
    await other.getByRole('heading', { name: 'Machines' }).waitFor();
  });

  it.each([1024, 390])('has nothing cut off at %i pixels, long words included', async (width) => {
    const viewport = { width, height: 844 };
    const page = await open(await startShop(), '#/shop/halle', { viewport, hasTouch: true });
    await page.getByText('live', { exact: true }).waitFor();
    const cut = `Array.from(document.querySelectorAll('button, h1, h2, p, li, label, legend, dialog'))
      .filter((element) => element.offsetParent !== null && element.closest('.scroll, .scrolls') === null)
      .filter((element) => element.getBoundingClientRect().right > ${width} + 1 || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && getComputedStyle(element).display !== 'inline')
      .map((element) => element.tagName + ' ' + element.textContent.slice(0, 60))`;
    const fits = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate(cut)).toEqual([]);
    };
    await fits();
    await button(page, 'Störung an Lathe 1 melden').tap();
    const kinds = page.getByLabel('Was ist passiert?');
    for (const kind of await kinds.locator('option').allTextContents()) {
      await kinds.selectOption({ label: kind });
      await fits();
    }
    await kinds.selectOption({ label: 'Eine Maschine steht' });
    await button(page, 'Was würde es kosten?').tap();
    await page.locator('.trial').waitFor();
    await fits();
    await dialog(page).getByRole('button', { name: 'Melden', exact: true }).tap();
    await page.locator('.proposal').waitFor();
    await fits();
  });
});

/** The paths of all texts of a catalogue, with the kind of each. */
function pathsOf(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? pathsOf(value, `${path}.${key}`)
      : `${path}.${key}: ${typeof value}`,
  );
}

// Types hold it, too, but not for records whose keys are names of methods, policies and details.
it('each language has every text of the page', () => {
  for (const texts of Object.values(PAGE_TEXTS)) {
    expect(pathsOf(texts).sort()).toEqual(pathsOf(englishTexts).sort());
  }
});
