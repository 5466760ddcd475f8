import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, skipped } from '../../test/report/page/browser.js';
import { serve } from '../scripts/serve.mjs';
import { BASE, DIST, hasPlayground } from './site.js';

/** A page of every kind. */
const KINDS = [
  '',
  'docs/',
  'docs/start/evaluate.html',
  'docs/reference/records.html',
  'docs/how-to/page.html',
  'CHANGELOG.html',
  'leaderboard.html',
  'nowhere.html',
  'api/index.html',
  'api/modules/alas-jssp_validator.html',
  'api/functions/alas-jssp_validator.validate.html',
  'api/interfaces/alas-jssp_jssp.Instance.html',
  'api/classes/alas-jssp_llm.LlmError.html',
];

/** Parts that are tested with their packages, too: here only that they work on the site. */
const PROGRAMS = ['report/', ...(hasPlayground ? ['playground/'] : [])];

/** Rules that VitePress and TypeDoc break by design, where no theme can change it. */
const NOT_OURS = {
  // The hint of the search's shortcut is not part of its name.
  'label-content-name-mismatch': { enabled: false },
};
const NOT_OURS_IN_REFERENCE = {
  ...NOT_OURS,
  // A section that opens and closes has its permalink in its heading.
  'nested-interactive': { enabled: false },
  // Settings are h3 and parameters h4, whatever is above them.
  'heading-order': { enabled: false },
};

/** The pages of the reference that are longest, of each kind: they have the widest lines. */
const longestOf = (folder: string, count: number) =>
  globSync(`api/${folder}/*.html`, { cwd: DIST })
    .map((path) => ({ path, size: statSync(join(DIST, path)).size }))
    .sort((one, other) => other.size - one.size)
    .slice(0, count)
    .map(({ path }) => path);

describe.skipIf(skipped !== '')(`the site in Chromium${skipped}`, () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  /** One for each scheme: their pages share what they load, which takes most of the time. */
  const contexts = new Map<string, BrowserContext>();

  beforeAll(async () => {
    browser = await launch();
    site = await serve({ base: BASE });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Opens a page, and collects what its console says and what it asks other hosts for. */
  async function open(
    path: string,
    { width = 1440, scheme = 'light' as 'light' | 'dark' } = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = contexts.get(scheme) ?? (await browser.newContext({ colorScheme: scheme }));
    contexts.set(scheme, context);
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      const isOwn = url.startsWith(site.address) || /^(?:data|blob):/.test(url);
      if (!isOwn) complaints.push(`request: ${url}`);
    });
    await page.goto(site.address + path, { waitUntil: 'load' });
    return { page, complaints };
  }

  /** Pixels by which a page is wider than its window, and the elements that stick out. */
  function overflow(page: Page): Promise<string[]> {
    return page.evaluate(`(() => {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > width + 1)
        .slice(0, 5)
        .map(({ tagName, className, textContent }) => tagName + '.' + className + ': ' + textContent.slice(0, 40));
    })()`);
  }

  it('has no page that is wider than a phone, or that the console complains about', async () => {
    const own = globSync('**/*.html', {
      cwd: DIST,
      ignore: ['api/**', 'report/**', 'playground/**'],
    });
    const reference = ['functions', 'interfaces', 'types', 'variables', 'classes', 'modules'];
    const paths = [
      ...own,
      'api/index.html',
      ...reference.flatMap((one) => longestOf(one, 3)),
      ...PROGRAMS,
    ];
    const faults: string[] = [];
    const queue = [...paths];
    const work = async () => {
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
        const { page, complaints } = await open(path, { width: 360 });
        faults.push(...complaints.map((complaint) => `${path}: ${complaint}`));
        faults.push(...(await overflow(page)).map((element) => `${path} is too wide: ${element}`));
        await page.close();
      }
    };
    await Promise.all([work(), work()]);
    expect(faults).toEqual([]);
    expect(paths.length).toBeGreaterThan(80);
  });

  it.each(KINDS)('is accessible in light and dark: %s', async (path) => {
    expect(path === 'nowhere.html' || existsSync(join(DIST, path))).toBe(true);
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await open(path, { scheme });
      await page.evaluate(axe.source);
      const rules = path.startsWith('api/') ? NOT_OURS_IN_REFERENCE : NOT_OURS;
      const found = await page.evaluate<axe.AxeResults>(
        `axe.run({ resultTypes: ['violations'], rules: ${JSON.stringify(rules)} })`,
      );
      const violations = found.violations.map(({ id, nodes }) => [
        id,
        nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
      ]);
      expect(violations, scheme).toEqual([]);
      await page.close();
    }
  });

  it.each([
    ['breakdown', /disruption|repair|embedding/],
    ['LCRP', /lcrp/],
    ['certificate', /validator|proofs|cli/],
  ])('finds pages about %s', async (words, expected) => {
    const { page, complaints } = await open('docs/');
    const input = page.locator('#localsearch-input');
    // The page listens to keys once its script has run.
    for (let tries = 0; tries < 20 && !(await input.isVisible()); tries++) {
      await page.keyboard.press('Control+k');
      await input.waitFor({ timeout: 1000 }).catch(() => {});
    }
    await input.fill(words);
    const results = page.locator('#localsearch-list a.result');
    await results.first().waitFor();
    const found = await results.evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')),
    );
    expect(found.slice(0, 5).join(' ')).toMatch(expected);
    await results.first().click();
    await page.waitForURL((url) => url.pathname !== `${BASE}docs/`);
    await page.getByText(new RegExp(words, 'i')).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('finds names in the reference', async () => {
    const { page, complaints } = await open('api/index.html');
    await page.locator('#tsd-search-trigger').click();
    await page.locator('#tsd-search-input').fill('repairPlan');
    await page.locator('#tsd-search-results a[href$="lcrp.repairPlan.html"]').click();
    await page
      .getByRole('heading', { name: /repairPlan/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows a page of its own for an address that does not exist', async () => {
    const { page } = await open('docs/nowhere.html');
    await page.getByText('404').first().waitFor();
    await page.getByRole('link', { name: 'Back to the first page' }).click();
    await page.waitForURL(site.address);
    await page.close();
  });

  it('goes from the first page to the results, the leaderboard, the reference and back', async () => {
    const { page, complaints } = await open('');
    await page.getByRole('link', { name: 'Results', exact: true }).click();
    await page.getByText('Which planner is best?').waitFor();
    await page.goBack();
    await page.locator('.home').getByRole('link', { name: 'Leaderboard' }).click();
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    expect(await page.locator('table').first().locator('tbody tr').count()).toBeGreaterThan(5);
    await page.locator('.VPNavBarMenu').getByRole('link', { name: 'API' }).click();
    await page.getByRole('heading', { name: 'API reference' }).waitFor();
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'Documentation' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('keeps the choice of light or dark from page to page', async () => {
    const { page } = await open('docs/');
    await page.getByRole('switch').first().click();
    await page.reload();
    expect(await page.locator('html.dark').count()).toBe(1);
    // The choice is kept for all pages of the context.
    await page.evaluate('localStorage.clear()');
    await page.close();
  });
});
