import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, openFile, skipped } from '../../../../test/report/page/browser.js';
import { writePlan } from '../../src/model/plan.js';
import { bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { cli } from '../cli/cli.js';

/** What names may hold: markup, ends of elements, and signs that turn the direction of reading. */
const HOSTILE = `</title></script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">\u202e`;

const directory = mkdtempSync(join(tmpdir(), 'coordination-page-'));
const at = (name: string) => join(directory, name);

beforeAll(async () => {
  const change = ['--before', 'sagallm-table-6', '--now', '13:00'];
  await cli([
    ...['show', 'wedding-traffic', '--plan', 'sagallm-table-8', ...change],
    ...['--html', at('wedding.html')],
  ]);
  await cli([
    ...['show', 'thanksgiving', '--plan', 'alas-table-21', '--plan', 'alas-table-25'],
    ...['--html', at('dinner.html')],
  ]);
  const repair = ['repair', 'ride-sharing', 'ride-sharing', 'ride-sharing-reactive'];
  await cli([...repair, '--html', at('repair.html'), '--quiet']);
  const { facts } = bundledProblem('wedding');
  const people = facts.people.map((one) => ({ ...one, name: HOSTILE }));
  const vehicles = facts.vehicles.map((one) => ({ ...one, name: HOSTILE }));
  const problem = { ...facts, text: HOSTILE, assumptions: [HOSTILE], people, vehicles };
  const plan = { ...writePlan(bundledPlan('sagallm-table-6')), source: HOSTILE, notes: [HOSTILE] };
  writeFileSync(at('problem.json'), JSON.stringify(problem));
  writeFileSync(at('plan.json'), JSON.stringify(plan));
  const hostile = ['show', at('problem.json'), '--plan', at('plan.json')];
  const made = await cli([...hostile, '--html', at('hostile.html')]);
  expect(made).toMatchObject({ code: 0, stdout: '' });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each([
  [['--plan', 'wedding'], '--plan and --html are given together'],
  [['--html', at('none.html')], '--plan and --html are given together'],
  [['--before', 'wedding'], '--before goes with --plan only'],
  [['--plan', 'wedding', '--html', at('none.html'), '--now', '13:00'], '--now goes with --before'],
  [['--plan', '-', '--plan', '-', '--html', at('none.html')], 'only one can come from stdin'],
])('refuses show with %j in one line', async (options, words) => {
  const { code, stderr } = await cli(['show', 'wedding', ...options]);
  expect({ code, isSaid: stderr.includes(words) }).toEqual({ code: 2, isSaid: true });
});

it('shows a plan that was made', async () => {
  const wanted = ['plan', 'ride-sharing', '--budget', '2m', '--html', at('plan.html')];
  expect(await cli(wanted)).toMatchObject({ code: 0 });
  const html = readFileSync(at('plan.html'), 'utf8');
  expect(html).toContain('<h2>ride-sharing: optimal, cost 87.0');
  expect(html).toMatch(/valid: ends at 08:\d\d, 87.0 km/);
});

it('shows the plans of a run, and those that were repaired before and after', async () => {
  const records = at('run.jsonl');
  const problems = ['--problem', 'wedding', '--problem', 'wedding-traffic'];
  await cli(['run', '--planner', 'papers', ...problems, '--out', records, '--quiet']);
  expect(await cli(['report', records, '--html', at('run.html')])).toMatchObject({ code: 0 });
  const html = readFileSync(at('run.html'), 'utf8');
  const headings = Array.from(html.matchAll(/<h2>(.*?)<\/h2>/g), ([, words]) => words);
  expect(headings).toEqual([
    'wedding by sagallm-table-6',
    'wedding by sagallm-table-6: repaired',
    'wedding-traffic by sagallm-table-7',
    'wedding-traffic by sagallm-table-7: repaired',
    'wedding-traffic by sagallm-table-8',
    'wedding-traffic by sagallm-table-9',
  ]);
});

it('holds names as text, and no sign that turns the direction of reading', () => {
  const html = readFileSync(at('hostile.html'), 'utf8');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('&lt;img src=x');
  expect(html).not.toMatch(/\p{Bidi_Control}/u);
});

it('shows the steps of a repair, what each changed, and who is told', () => {
  const html = readFileSync(at('repair.html'), 'utf8');
  const headings = Array.from(html.matchAll(/<h2>(.*?)<\/h2>/g), ([, words]) => words);
  expect(headings).toEqual(['08:05: r2 is cancelled', '08:10: r5 from F to G is asked for']);
  expect(html.match(/valid: ends at/g)).toHaveLength(3);
  expect(html).toMatch(
    /<strong>added<\/strong> 08:26 to 08:45 \(new\): k1 drives with passenger 1 and passenger 5/,
  );
  expect(html).toContain('<dt>the driver of k1</dt>');
});

describe.skipIf(skipped !== '')(`a page of plans in Chromium${skipped}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('fits %i pixels, and says nothing on the console', async (width, scheme) => {
    for (const name of ['wedding', 'dinner', 'repair', 'hostile']) {
      const { page, complaints } = await openFile(browser, at(`${name}.html`), { width, scheme });
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ name, wide }).toEqual({ name, wide: 0 });
      expect(await page.evaluate("'hacked' in window")).toBe(false);
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(scheme);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  it('leads from a number in the chart to its sentence, from there to the table, and back', async () => {
    const { page } = await openFile(browser, at('wedding.html'));
    const target = () => page.evaluate('document.querySelector(":target")?.textContent');
    await page.locator('.badge[href="#plan1-after-fault3"]').first().press('Enter');
    expect(await target()).toContain('W to B takes 120 min from 13:05, not 80 too_fast');
    await page.locator('li:target a').press('Enter');
    expect(await target()).toContain('13:05');
    await page.locator('tr:target a').first().press('Enter');
    expect(await target()).toContain("Pat drives Pat's car from W to B, 13:05 to 14:25 (80 min)");
    await page.close();
  });

  it('keeps names of rows in view when the chart is scrolled on a narrow screen', async () => {
    const { page } = await openFile(browser, at('dinner.html'), { width: 390 });
    const chart = page.locator('.plan-chart').first();
    const left = () => chart.locator('.names').evaluate((names) => names.getBoundingClientRect().x);
    const before = await left();
    await chart.focus();
    await page.keyboard.press('End');
    await chart.evaluate((element) => {
      element.scrollLeft = 500;
    });
    expect(await chart.evaluate(({ scrollLeft }) => scrollLeft)).toBe(500);
    expect(await left()).toBe(before);
    await page.close();
  });

  it('changes between light and dark', async () => {
    const { page } = await openFile(browser, at('dinner.html'));
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'light / dark' }).press('Enter');
    expect(await ground()).not.toBe(light);
    await page.close();
  });
});
