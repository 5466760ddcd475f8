import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../cli/cli.js';
import { launch, openFile, skipped } from './browser.js';

/**
 * What answers of models, names and errors may hold: markup, ends of elements, whatever looks like data, and signs
 * that turn the direction of reading.
 */
const HOSTILE = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><!--\${alert(3)}\u202e`;

/** The same where a name stands in a file of JSON lines: quoted as JSON wants it. */
const quoted = JSON.stringify(HOSTILE).slice(1, -1);

const PATHS = ['manifest.json', 'records.jsonl'];

/** The routes of a page: all views, and all details that it has. */
function routesOf(html: string): string[] {
  const details = Array.from(
    html.matchAll(/ id="((?:record|execution|log)\/[^"]+)"/g),
    ([, id]) => id,
  );
  return [
    '#/',
    '#/record',
    '#/failures',
    '#/execution',
    '#/log',
    ...details.map((id) => `#/${id}`),
  ];
}

describe.skipIf(skipped !== '')(`a page of results in Chromium${skipped}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'alas-page-'));
  const at = (name: string) => join(directory, name);
  const tapes = at('answers');
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
    cpSync('test/llm/cassettes/scripted', tapes, { recursive: true });
    for (const name of readdirSync(tapes).filter((file) => !file.startsWith('planner'))) {
      const file = JSON.parse(readFileSync(join(tapes, name), 'utf8'));
      file.answer.text = `${HOSTILE}\n${file.answer.text}`;
      writeFileSync(join(tapes, name), JSON.stringify(file));
    }
    const run = (suite: string) => ['run', '--suite', suite, '--save-schedules', '--quiet'];
    await cli([
      ...run('la01'),
      ...['--planner', 'insertion', '--planner', `replay:${tapes}`, '--repair', '--out', at('run')],
      ...['--log', at('run.db'), '--disrupt', 'medium'],
    ]);
    const both = ['--planner', 'dispatch:best', '--planner', 'insertion'];
    await cli([...run('ft06,la01,la03'), ...both, '--out', at('two')]);
    for (const name of ['run', 'two']) {
      const made = await cli(['report', at(name), '--html', at(`${name}.html`)]);
      expect(made.stderr).toContain(`wrote ${at(name)}.html`);
    }
    for (const file of PATHS) {
      const text = readFileSync(join(at('run'), file), 'utf8');
      const changed = text
        .replaceAll('"insertion"', `"${quoted}"`)
        .replaceAll('"la01"', `"la01 ${quoted}"`)
        .replaceAll(/"error":null/g, `"error":"${quoted}"`);
      writeFileSync(join(at('run'), file), changed);
    }
    await cli(['report', at('run'), '--html', at('hostile.html')]);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('runs nothing that stands in names, errors and answers, and shows it as text', async () => {
    const html = readFileSync(at('hostile.html'), 'utf8');
    const { page, complaints, go } = await openFile(browser, at('hostile.html'));
    let answers = 0;
    for (const route of routesOf(html)) {
      await go(route);
      const said = await page.locator('.conversation').allTextContents();
      if (said.join('').includes('<img src=x')) answers++;
    }
    expect(answers).toBeGreaterThan(0);
    await go('#/record');
    expect(await page.locator('main').textContent()).toContain('onerror="window.hacked=2"');
    expect(await page.locator('main').textContent()).toContain('\\u202e');
    expect(html).not.toMatch(/\p{Bidi_Control}/u);
    expect(await page.evaluate("'hacked' in window")).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has a policy that keeps a script out that somebody wrote into it', async () => {
    const script = '<script>window.hacked = 1</script>';
    const html = readFileSync(at('two.html'), 'utf8').replace('</body>', `${script}</body>`);
    writeFileSync(at('tampered.html'), html);
    const { page, complaints } = await openFile(browser, at('tampered.html'));
    expect(await page.evaluate("'hacked' in window")).toBe(false);
    expect(complaints.join()).toContain('Content Security Policy');
    await page.close();
  });

  it.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    'fits %i pixels in every view, and says nothing on the console',
    async (width, scheme) => {
      const html = readFileSync(at('run.html'), 'utf8');
      const { page, complaints, go } = await openFile(browser, at('run.html'), { width, scheme });
      for (const route of routesOf(html)) {
        await go(route);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ route, wide }).toEqual({ route, wide: 0 });
        const words = await page.locator('main').innerText();
        expect({ route, words }).not.toEqual({ route, words: '' });
        expect(words).not.toContain('cannot be shown');
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it('says which planner is best, on all suites and on one, and whether that is significant', async () => {
    const { page } = await openFile(browser, at('two.html'));
    const verdict = page.locator('.verdict');
    expect(await verdict.innerText()).toMatch(/On all suites together \(3 instances\)/);
    await page.getByRole('combobox', { name: 'Suite' }).selectOption('la');
    expect(await verdict.innerText()).toMatch(
      /On la \(2 instances\)[\s\S]*not significant: too few/,
    );
    await page.close();
  });

  it('calls no planner the best that makes faults on purpose', async () => {
    const { page } = await openFile(browser, at('two.html'));
    const best = page.locator('.verdict > p strong');
    const name = await best.innerText();
    await page.close();
    cpSync(at('two'), at('synthetic'), { recursive: true });
    const file = join(at('synthetic'), 'records.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = lines.map((line) =>
      line.includes(`"planner":"${name}"`)
        ? line.replace('"synthetic":false', '"synthetic":true')
        : line,
    );
    expect(changed).not.toEqual(lines);
    writeFileSync(file, changed.join('\n'));
    await cli(['report', at('synthetic'), '--html', at('synthetic.html')]);
    const { page: other } = await openFile(browser, at('synthetic.html'));
    expect(await other.locator('.verdict > p strong').innerText()).not.toBe(name);
    const suites = other.getByRole('table', { name: 'Primal gap by suite' });
    const headers = await suites.locator('thead th').allInnerTexts();
    const column = headers.findIndex((header) => header.startsWith(name)) + 1;
    const gaps = suites.locator(`tbody tr > :nth-child(${column})`);
    expect(column).toBeGreaterThan(1);
    expect((await gaps.allInnerTexts()).join()).not.toContain('●');
    await other.close();
  });

  it('sorts and filters by keyboard', async () => {
    const { page, go } = await openFile(browser, at('two.html'));
    await go('#/record');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(6);
    const gaps = async () =>
      (await page.locator('tbody td:nth-child(6)').allInnerTexts()).map(parseFloat);
    await page.getByRole('button', { name: /^gap/ }).focus();
    await page.keyboard.press('Enter');
    expect(await gaps()).toEqual((await gaps()).toSorted((a, b) => a - b));
    await page.keyboard.press('Enter');
    expect(await gaps()).toEqual((await gaps()).toSorted((a, b) => b - a));
    await page.getByLabel('Search').focus();
    await page.keyboard.type('ft06');
    expect(await rows.count()).toBe(2);
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('article h2');
    expect(page.url()).toContain('#/record/ft06__');
    await page.close();
  });

  it('tells a view that there is not, and a detail that is damaged', async () => {
    const html = readFileSync(at('two.html'), 'utf8');
    const damaged = html.replace(/(id="record\/la01[^"]*">)[^<]{40}/, '$1AAAA');
    writeFileSync(at('damaged.html'), damaged);
    const { page, complaints, go } = await openFile(browser, at('damaged.html'));
    const words = () => page.locator('main').innerText();
    await go('#/nowhere');
    expect(await words()).toContain('There is no view of this name');
    await go('#/record/nobody');
    expect(await words()).toContain('no record of the name “nobody”');
    await go(routesOf(html).find((route) => route.startsWith('#/record/la01')) ?? '');
    expect(await words()).toContain('cannot be read');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
