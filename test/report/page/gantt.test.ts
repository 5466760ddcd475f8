import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../cli/cli.js';
import { launch, openFile, skipped } from './browser.js';

/** The line under a chart that says what it shows. */
const textOf = (page: Page) => page.locator('.gantt-text').textContent();

/** A recorded answer: a plan in lines, two of them wrong, between prose that would run as a script. */
function answerOf(file: string) {
  const { entries } = JSON.parse(readFileSync(file, 'utf8'));
  entries[5].start += 40;
  entries[5].end += 40;
  entries.splice(20, 1);
  const lines = entries.map((entry: Record<string, unknown>) => JSON.stringify(entry));
  const response = `<script>window.hacked = 1</script>\n${lines.join('\n')}\nIs that right?`;
  return { id: 'a1', topology: 'single', model: 'scripted', instance: 'la01', response };
}

describe.skipIf(skipped !== '')(`charts in Chromium${skipped}`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'alas-gantt-'));
  const at = (name: string) => join(directory, name);
  const tapes = resolve('test/llm/cassettes/scripted');
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
    await cli(['plan', 'ft06', '--planner', 'dispatch:mwkr', '--out', at('plan.json')]);
    const plan = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    await cli(['show', 'ft06', '--gantt', at('plan.json'), '--html', at('sound.html')]);
    plan.entries[8].start -= 3;
    plan.entries[8].end -= 3;
    writeFileSync(at('faulty.json'), JSON.stringify(plan));
    await cli(['show', 'ft06', '--gantt', at('faulty.json'), '--html', at('faulty.html')]);
    await cli(['plan', 'la01', '--planner', 'dispatch:mwkr', '--out', at('la01.json')]);
    writeFileSync(at('answers.jsonl'), JSON.stringify(answerOf(at('la01.json'))));
    const planners = [
      '--planner',
      `replay:${tapes}`,
      '--planner',
      `transcripts:${at('answers.jsonl')}`,
    ];
    const run = ['run', '--suite', 'la01', ...planners, '--save-schedules'];
    await cli([...run, '--repair', '--quiet', '--out', at('run')]);
    const execution = ['--disrupt', 'medium', '--log', at('run.db'), '--out', at('executed')];
    await cli(['run', '--suite', 'ft06', '--save-schedules', '--quiet', ...execution]);
    for (const name of ['run', 'executed']) {
      await cli(['report', at(name), '--html', at(`${name}.html`)]);
    }
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('are read by keys: job, step, machine, times and slack, along the critical path', async () => {
    const { page, complaints } = await openFile(browser, at('sound.html'));
    await page.locator('canvas').focus();
    await page.keyboard.press('c');
    expect(await textOf(page)).toMatch(
      /^Job \d, step \d · machine \d · \d+ to \d+ · slack 0 · on the critical path/,
    );
    await page.keyboard.press('ArrowDown');
    expect(await textOf(page)).toMatch(/^Job \d/);
    await page.keyboard.press('Escape');
    expect(await textOf(page)).toContain('36 operations');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('are painted, also after zooming, and tell of what the mouse points at', async () => {
    const { page } = await openFile(browser, at('sound.html'));
    const canvas = page.locator('canvas');
    const picture = () =>
      canvas.evaluate((element) => (element as never as { toDataURL(): string }).toDataURL());
    const whole = await picture();
    await canvas.click({ position: { x: 400, y: 60 } });
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(100);
    expect(await picture()).not.toBe(whole);
    await page.getByRole('button', { name: 'all', exact: true }).click();
    await page.keyboard.press('Escape');
    // Names of machines take 92 pixels, the axis 28; a fiftieth of the time is left free behind the end.
    const { entries, makespan } = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
    const entry = entries.find(({ machine }: { machine: string }) => machine === 'Machine0');
    const { width = 0 } = (await canvas.boundingBox()) ?? {};
    const time = (entry.start + entry.end) / 2;
    await canvas.hover({ position: { x: 92 + ((width - 94) * time) / (1.02 * makespan), y: 44 } });
    await page.waitForTimeout(100);
    expect(await textOf(page)).toContain(
      `${entry.job.replace('Job', 'Job ')}, step ${entry.step} · machine 0 · ${entry.start} to ${entry.end}`,
    );
    await page.close();
  });

  it('lead from a violation to its operation', async () => {
    const { page } = await openFile(browser, at('faulty.html'));
    const jump = page.locator('.violations .jump').first();
    const message = ((await jump.textContent()) ?? '').replace(/^\w+ /, '');
    await jump.click();
    expect(await textOf(page)).toContain(`violation: ${message}`);
    await page.close();
  });

  it('show a repaired plan above the one before, the causes, and where the answer says what', async () => {
    const { page, complaints, go } = await openFile(browser, at('run.html'), { width: 390 });
    const html = readFileSync(at('run.html'), 'utf8');
    const [, key] = / id="(record\/la01__transcripts[^"]+)"/.exec(html) ?? [];
    const [, asked] = / id="(record\/la01__replay[^"]+)"/.exec(html) ?? [];
    await go(`#/${key}`);
    expect(await page.locator('.moves h3').textContent()).toMatch(
      /^\d+ operations? moved, makespan/,
    );
    await page.locator('.moves .jump').first().click();
    expect(await textOf(page)).toMatch(/ · (was \d+ to \d+|new): /);
    await page.locator('.conversation mark').nth(5).click();
    expect(await textOf(page)).toMatch(/^Job \d/);
    expect(await page.locator('.answer').textContent()).toContain(
      '<script>window.hacked = 1</script>',
    );
    expect(await page.locator('.facts').textContent()).toContain('49 of 50 operations');
    await go(`#/${asked}`);
    expect(await page.locator('.prompt').first().textContent()).toMatch(/^Prompt, /);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(390);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('show the versions of an execution, with the events between them and why operations moved', async () => {
    const { page, complaints, go } = await openFile(browser, at('executed.html'), {
      scheme: 'dark',
    });
    const [, key] =
      / id="(execution\/[^"]+)"/.exec(readFileSync(at('executed.html'), 'utf8')) ?? [];
    await go(`#/${key}`);
    const heading = page.locator('h3').first();
    const first = await heading.textContent();
    expect(first).toMatch(/^Time \d+, version \d+: makespan \d+/);
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    expect(await heading.textContent()).not.toBe(first);
    await page.keyboard.press('Home');
    expect(await heading.textContent()).toContain('version 1');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
