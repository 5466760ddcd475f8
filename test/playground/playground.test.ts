import { readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureBreakdowns, summary } from '../../scripts/bench-playground.mjs';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../src/jssp/formats/read-plan.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import { launch, skipped } from '../report/page/browser.js';
import {
  buildPlayground,
  openPlayground,
  savedBy,
  servePlayground,
  verdictOf,
} from './open-playground.js';
import { entriesOf, faultsOf } from './plan-oracle.js';

const ft10 = readFileSync('benchmarks/ft/ft10.txt', 'utf8').replace(/^#.*\n/gm, '');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choose = (page: Page, label: string, value: string) =>
  page.getByRole('combobox', { name: label, exact: true }).selectOption(value);
const fill = (page: Page, label: string, value: number) =>
  page.getByRole('spinbutton', { name: label, exact: true }).fill(String(value));
const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** A click on the chart at a time in the row of a machine; the whole plan is visible. */
async function clickChart(page: Page, machine: number, time: number): Promise<void> {
  const { x, y } = await chartPlace(page, machine, time);
  await page.mouse.click(x, y);
}

async function chartPlace(page: Page, machine: number, time: number) {
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('there is no chart');
  const { Makespan: makespan } = await verdictOf(page);
  const rows = await page
    .getByRole('combobox', { name: 'Machine', exact: true })
    .locator('option')
    .count();
  const row = (box.height - 30) / rows;
  const wide = box.width - 94;
  return {
    x: box.x + 93 + (time * wide) / (Number(makespan) * 1.02),
    y: box.y + 29 + row * (machine + 0.5),
  };
}

describe.skipIf(skipped !== '')(`the playground in Chromium${skipped}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    buildPlayground();
    browser = await launch();
  });

  afterAll(() => browser?.close());

  it('opens with an optimal plan from disk, and asks the network for nothing', async () => {
    const { page, complaints } = await openPlayground(browser);
    expect(await verdictOf(page)).toMatchObject({
      Verdict: 'valid',
      Makespan: '930',
      Gap: 'optimal',
    });
    expect(await button(page, 'Break a machine').isEnabled()).toBe(true);
    const entries = entriesOf(await savedBy(page, 'Plan (JSON)'));
    expect(faultsOf(entries, ft10)).toEqual([]);
    expect(Math.max(...entries.map(({ end }) => end))).toBe(930);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('breaks the machine of a clicked row, repairs the plan, keeps the past, and undoes it', async () => {
    const { page, complaints } = await openPlayground(browser);
    const before = entriesOf(await savedBy(page, 'Plan (JSON)'));
    await clickChart(page, 3, 300);
    expect(await page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue()).toBe(
      '3',
    );
    const at = Number(await page.getByRole('spinbutton', { name: 'At' }).inputValue());
    expect(Math.abs(at - 300)).toBeLessThan(8);
    await fill(page, 'For', 60);
    await button(page, 'Break it').click();
    await button(page, 'Break another machine').waitFor();
    const after = entriesOf(await savedBy(page, 'Plan (JSON)'));
    const down = { machine: 'Machine3', from: at, to: at + 60 };
    expect(faultsOf(after, ft10, [down])).toEqual([]);
    const past = before.filter(({ start }) => start < at);
    expect(past.length).toBeGreaterThan(20);
    for (const { job, step, start } of past) {
      expect(after).toContainEqual(expect.objectContaining({ job, step, start }));
    }
    const story = await page.locator('.story').innerText();
    expect(story).toMatch(/repair\s+\d+\.\d ms\s+edits\s+\d+\s+edit radius\s+\d/);
    expect(story).toContain(`machine 3 is down until ${at + 60}`);
    // The past is over.
    await fill(page, 'At', at - 1);
    expect(await button(page, 'Break it').isDisabled()).toBe(true);
    await button(page, 'Undo').click();
    expect(entriesOf(await savedBy(page, 'Plan (JSON)'))).toEqual(before);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('delays and cancels a job, and adds one', async () => {
    const { page, complaints } = await openPlayground(browser);
    const plan = async () => entriesOf(await savedBy(page, 'Plan (JSON)'));
    await choose(page, 'What happens', 'delay');
    await choose(page, 'Job', '2');
    await fill(page, 'At', 100);
    await fill(page, 'Late by', 77);
    await button(page, 'Delay it').click();
    await button(page, 'Undo').waitFor();
    const next = (await plan()).filter(({ job, start }) => job === 'Job3' && start >= 100);
    expect(Math.min(...next.map(({ start }) => start))).toBeGreaterThanOrEqual(177);
    await choose(page, 'What happens', 'cancellation');
    await choose(page, 'Job', '4');
    await fill(page, 'At', 150);
    await button(page, 'Cancel it').click();
    await page.getByRole('heading', { name: 'Cancellation of job 5 at 150' }).waitFor();
    expect((await plan()).filter(({ job, start }) => job === 'Job5' && start >= 150)).toEqual([]);
    await choose(page, 'What happens', 'arrival');
    await fill(page, 'At', 200);
    await button(page, 'Send it in').click();
    await page.getByRole('heading', { name: /^Arrival of/ }).waitFor();
    const arrived = (await plan()).filter(({ job }) => job === 'Job11');
    expect(arrived.length).toBeGreaterThan(0);
    expect(Math.min(...arrived.map(({ start }) => start))).toBeGreaterThanOrEqual(200);
    expect((await verdictOf(page)).Verdict).toBe('valid');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('opens benchmarks, generated and pasted instances, and names the line of an error', async () => {
    const { page, complaints } = await openPlayground(browser);
    for (const [name, operations] of [
      ['ft06', 36],
      ['la01', 50],
      ['mk01', 55],
    ] as const) {
      await choose(page, 'Benchmark', name);
      await page.getByRole('heading', { name: `Opened ${name}`, exact: true }).waitFor();
      expect(await page.locator('.hero').innerText()).toContain(`${operations} operations`);
      expect((await verdictOf(page)).Verdict).toBe('valid');
    }
    await fill(page, 'Jobs', 7);
    await fill(page, 'Machines', 4);
    await fill(page, 'Seed', 3);
    await button(page, 'Generate').click();
    await page.getByRole('heading', { name: 'Opened random 7 × 4, seed 3' }).waitFor();
    await page.getByText('Paste or drop an instance').click();
    await textbox(page, 'Instance').fill('2 2\n0 3 1 2\n1 4 0 x\n');
    await button(page, 'Use this instance').click();
    expect(await page.getByRole('alert').first().innerText()).toMatch(/^line 3: .*x/);
    await button(page, 'show the line').click();
    const marked = await page.evaluate(
      '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
    );
    expect(marked).toBe('1 4 0 x');
    await textbox(page, 'Instance').fill('2 2\n0 3 1 2\n1 4 0 1\n');
    await button(page, 'Use this instance').click();
    await page.getByRole('heading', { name: 'Opened instance' }).waitFor();
    expect((await verdictOf(page)).Makespan).toBe('6');
    await page.getByLabel('Instance from a file').setInputFiles({
      name: 'mine.txt.gz',
      mimeType: 'application/gzip',
      buffer: gzipSync(readFileSync('benchmarks/ft/ft06.txt')),
    });
    await page.getByRole('heading', { name: 'Opened mine' }).waitFor();
    // Its numbers are known, whatever its name.
    expect((await verdictOf(page))['No plan can end before']).toBe('55');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('refuses what is too large for a page, and shows a hundred jobs on a hundred machines', async () => {
    const { page, complaints } = await openPlayground(browser);
    await fill(page, 'Jobs', 200);
    await fill(page, 'Machines', 200);
    await button(page, 'Generate').click();
    expect(await page.locator('.notice').innerText()).toContain('40,000 operations, the limit');
    await fill(page, 'Jobs', 100);
    await fill(page, 'Machines', 100);
    await button(page, 'Generate').click();
    await page.getByRole('heading', { name: /^Opened random 100 × 100/ }).waitFor();
    expect((await verdictOf(page)).Verdict).toBe('valid');
    await button(page, 'Copy a link').click();
    await page.getByText(/the link would have .* the limit is 16,000/).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('judges a plan with faults, shows a violation in the chart, and repairs the plan', async () => {
    const { page, complaints } = await openPlayground(browser);
    await button(page, 'Put faults into the plan').click();
    await page.getByRole('heading', { name: 'This plan breaks rules' }).waitFor();
    const wrong = await savedBy(page, 'Plan (JSON)');
    expect(faultsOf(entriesOf(wrong), ft10).length).toBeGreaterThan(3);
    expect(await verdictOf(page)).toMatchObject({ Verdict: 'invalid', Gap: '–' });
    expect(await page.locator('.violations h3').innerText()).toMatch(/violations, \d root causes/);
    const jump = page.locator('.violations button.jump', { hasText: 'wrong_duration' }).first();
    await jump.click();
    const [, operation] = /(job \d+, step \d+)/.exec(await jump.innerText()) ?? [];
    const described = page.locator('.gantt-text');
    await expect
      .poll(() => described.innerText())
      .toMatch(new RegExp(`^${operation} · .*violation:`, 'i'));
    await button(page, 'Repair the plan').click();
    await page.getByRole('heading', { name: 'Repaired the plan' }).waitFor();
    const repaired = entriesOf(await savedBy(page, 'Plan (JSON)'));
    expect(faultsOf(repaired, ft10)).toEqual([]);
    await choose(page, 'cause', 'missing');
    expect(await page.locator('.moves tbody').innerText()).toContain('had no usable start');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('reads plans of rules, of tables and of language models', async () => {
    const { page, complaints } = await openPlayground(browser);
    await choose(page, 'Benchmark', 'ft06');
    for (const method of ['SPT', 'insertion', 'best']) {
      await choose(page, 'Method', method);
      await button(page, 'Make the plan').click();
      await page.getByRole('heading', { name: 'Made a plan' }).waitFor();
      expect((await verdictOf(page)).Verdict).toBe('valid');
    }
    const [json, csv] = [await savedBy(page, 'Plan (JSON)'), await savedBy(page, 'Plan (CSV)')];
    await page.getByText('Paste or drop a plan').click();
    const judge = async (text: string) => {
      await textbox(page, 'Plan').fill(text);
      await button(page, 'Judge this plan').click();
    };
    await judge(csv);
    await page.getByRole('heading', { name: 'Read a plan' }).waitFor();
    expect((await verdictOf(page)).Verdict).toBe('valid');
    await judge(
      `Here is the plan:\n\`\`\`json\n${json.replace(/"start":\d+/, '"start":40')}\n\`\`\`\nDone.`,
    );
    await page.getByRole('heading', { name: 'This plan breaks rules' }).waitFor();
    const lines = csv.trimEnd().split('\n');
    await judge(
      [...lines.slice(0, 4), lines[4].replace(/\d+$/, 'soon'), ...lines.slice(5)].join('\n'),
    );
    expect(await page.locator('.fault').innerText()).toMatch(/^line 5: /);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('opens instances and plans that are dropped anywhere', async () => {
    const { page, complaints } = await openPlayground(browser);
    const drop = (name: string, text: string) =>
      page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
      })()`);
    const plan = await savedBy(page, 'Plan (CSV)');
    await drop('ft06.txt', readFileSync('benchmarks/ft/ft06.txt', 'utf8'));
    await page.getByRole('heading', { name: 'Opened ft06' }).waitFor();
    await drop('mine.csv', plan);
    await page.getByRole('heading', { name: 'This plan breaks rules' }).waitFor();
    await drop('broken.txt', '2 2\n0 3 1 x\n');
    expect(await page.getByRole('alert').innerText()).toMatch(/^broken.txt: line 2: /);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('optimizes in a worker until an optimum is proven, and stops on request', async () => {
    const { page, complaints } = await openPlayground(browser);
    await choose(page, 'Benchmark', 'ft06');
    await choose(page, 'Optimize for', '60');
    await button(page, 'Optimize').click();
    await page.getByRole('heading', { name: 'Optimized the plan' }).waitFor();
    expect(await verdictOf(page)).toMatchObject({ Makespan: '55', Gap: 'optimal' });
    expect(await page.locator('.curve figcaption').innerText()).toContain('→ 55');
    await choose(page, 'Benchmark', 'ta41');
    const { Makespan: before } = await verdictOf(page);
    await button(page, 'Optimize').click();
    await expect
      .poll(async () => Number((await verdictOf(page)).Makespan))
      .toBeLessThan(Number(before));
    await button(page, 'Stop').click();
    await page.getByRole('heading', { name: 'Optimized the plan' }).waitFor();
    expect((await verdictOf(page)).Verdict).toBe('valid');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('moves an operation by drag and by keyboard, judges each place, and says why one is impossible', async () => {
    const { page, complaints } = await openPlayground(browser);
    await page.getByText('Paste or drop an instance').click();
    // Two jobs that visit two machines in opposite orders.
    await textbox(page, 'Instance').fill('2 2\n0 4 1 4\n1 4 0 4\n');
    await button(page, 'Use this instance').click();
    await page.getByRole('heading', { name: 'Opened instance' }).waitFor();
    const starts = async () =>
      entriesOf(await savedBy(page, 'Plan (JSON)')).map(({ start }) => start);
    expect(await starts()).toEqual([0, 4, 0, 4]);
    const said = page.locator('.gantt-text');
    const from = await chartPlace(page, 1, 2);
    const to = await chartPlace(page, 1, 7.5);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, from.y);
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await expect
      .poll(() => said.innerText())
      .toBe('job 2, step 1 here: the plan ends 8 later, at 16');
    await page.mouse.up();
    await page.getByRole('heading', { name: 'Moved job 2, step 1' }).waitFor();
    expect(await starts()).toEqual([0, 4, 8, 12]);
    expect((await verdictOf(page)).Verdict).toBe('valid');
    // Now job 1 is first everywhere: on one machine alone, it cannot be second.
    await page.locator('canvas').focus();
    for (const key of ['Escape', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    for (let i = 0; i < 13; i++) await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => said.innerText())
      .toMatch(/^job 1, step 1 here: not possible: .* would wait for itself: .* before /);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('would wait for itself');
    expect(await starts()).toEqual([0, 4, 8, 12]);
    await button(page, 'Undo').click();
    expect(await starts()).toEqual([0, 4, 0, 4]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('opens its links, refuses damaged ones, and repairs their events again', async () => {
    const { page, complaints } = await openPlayground(browser);
    await button(page, 'Break a machine').click();
    await button(page, 'Break another machine').click();
    await expect.poll(() => page.locator('.moves h3').count()).toBe(1);
    const plan = await savedBy(page, 'Plan (JSON)');
    await button(page, 'Copy a link').click();
    const link = await page.getByRole('textbox', { name: 'Link to this shop' }).inputValue();
    const hash = link.slice(link.indexOf('#'));
    expect(hash.length).toBeLessThan(1500);
    const { page: other, complaints: others } = await openPlayground(browser, { hash });
    await expect.poll(() => other.locator('.moves h3').count()).toBe(1);
    expect(await savedBy(other, 'Plan (JSON)')).toBe(plan);
    await other.evaluate(`location.hash = ${JSON.stringify(hash.slice(0, -9))}`);
    await other.getByText('this link cannot be opened').waitFor();
    expect([...complaints, ...others]).toEqual([]);
    await Promise.all([page.close(), other.close()]);
  });

  it('saves the shop of an event and its plan, which fit together and not the benchmark', async () => {
    const { page, complaints } = await openPlayground(browser);
    await button(page, 'Break a machine').click();
    await button(page, 'Break another machine').waitFor();
    const shop = parseInstance(await savedBy(page, 'Shop (JSON)'));
    const { plan } = parsePlan(await savedBy(page, 'Plan (JSON)'), undefined, shop);
    const makespan = Number((await verdictOf(page)).Makespan);
    expect(validate(shop, plan)).toMatchObject({ valid: true, makespan });
    expect(validate(resolveSource('ft10').load(), plan).valid).toBe(false);
    await choose(page, 'Optimize for', '2');
    await button(page, 'Optimize').click();
    await page.getByText('the last step was no repair').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('stops at an event of a link that fails, and says which one', async () => {
    const { page, complaints } = await openPlayground(browser);
    await button(page, 'Break a machine').click();
    await button(page, 'Break another machine').click();
    await expect.poll(() => page.locator('.moves h3').count()).toBe(1);
    await button(page, 'Copy a link').click();
    const link = await textbox(page, 'Link to this shop').inputValue();
    const [start, packed] = link.slice(link.indexOf('#')).split('=');
    const content = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString());
    expect(content.events).toHaveLength(2);
    const open = async (events: unknown) => {
      const text = JSON.stringify({ ...content, events });
      const hash = `${start}=${deflateRawSync(text).toString('base64url')}`;
      return (await openPlayground(browser, { hash })).page;
    };
    const [first, second] = content.events;
    const alone = await open([first]);
    await alone
      .locator('.story')
      .getByText(/LCRP repaired the plan/)
      .waitFor();
    const expected = await savedBy(alone, 'Plan (JSON)');
    const broken = await open([first, { ...second, now: 1 }, second]);
    await broken.getByText(/event 2 of 3 of this link cannot be repaired/).waitFor();
    expect(await savedBy(broken, 'Plan (JSON)')).toBe(expected);
    await broken.getByText(/event 2 of 3 of this link cannot be repaired/).waitFor();
    const without = await open(undefined);
    await without.getByText('this link cannot be opened').waitFor();
    expect(complaints).toEqual([]);
    await Promise.all([page, alone, broken, without].map((one) => one.close()));
  });

  // The figure is for the reader of the test's output: no test depends on speed.
  it('repairs ta41 after twenty breakdowns', async () => {
    const { page, complaints } = await openPlayground(browser);
    const measured = await measureBreakdowns(page, 'ta41');
    expect(measured).toHaveLength(20);
    expect(measured.filter(({ isValid }) => !isValid)).toEqual([]);
    process.stdout.write(`ta41: ${summary(measured)}\n`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('saves a picture and a certificate, from a server in a folder', async () => {
    const { server, address } = await servePlayground('/some/where/playground/');
    const { page, complaints } = await openPlayground(browser, { address });
    expect(await savedBy(page, 'Picture (SVG)')).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    const certificate = JSON.parse(await savedBy(page, 'Certificate'));
    expect(certificate).toMatchObject({ makespan: 930, proven_optimal: true });
    await choose(page, 'Benchmark', 'la01');
    await button(page, 'Optimize').click();
    await page.getByRole('heading', { name: 'Optimized the plan' }).waitFor();
    expect((await verdictOf(page)).Makespan).toBe('666');
    expect(complaints).toEqual([]);
    await page.close();
    server.close();
  });
});
