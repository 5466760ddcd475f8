import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJobShopLib } from '../../../src/jssp/formats/exchange/write-job-shop-lib.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dispatchBest } from '../../../src/search/index.js';
import { cli } from '../cli.js';

const cwd = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const LINE = 'shops/shop.json: not read: metadata is not kept: optimum';

beforeAll(() => {
  const instance = resolveSource('ft06').load();
  const written = JSON.parse(writeJobShopLib(instance).text);
  mkdirSync(join(cwd, 'shops'));
  const shop = JSON.stringify({ ...written, metadata: { optimum: 55 } });
  writeFileSync(join(cwd, 'shops', 'shop.json'), shop);
  const { schedule } = dispatchBest(instance);
  writeFileSync(join(cwd, 'plan.json'), writePlanJson(schedule, { instance: 'shop' }));
  const rows = planFromSchedule(schedule).entries;
  const orders = Array.from({ length: 6 }, (_, machine) =>
    rows
      .filter((row) => row.machine === machine)
      .sort((a, b) => a.start - b.start)
      .map(({ job }) => job),
  );
  const document = { instance: written, job_sequences: orders, metadata: { status: 'feasible' } };
  writeFileSync(join(cwd, 'schedule.json'), JSON.stringify(document));
});

const times = (stderr: string, line: string) =>
  stderr.split('\n').filter((one) => one === line).length;

describe('parts of an instance that are not read', () => {
  it.each([
    'show shops/shop.json',
    'list instances --suite shops/shop.json',
    'plan shops/shop.json',
    'validate shops/shop.json plan.json',
    'repair shops/shop.json plan.json',
    'repair shops/shop.json plan.json --event breakdown:1:5:20',
    'optimize shops/shop.json --budget 100-iterations --threads 1',
    'convert shops/shop.json --to pyjobshop',
    'generate copy shops/shop.json',
    'run --suite shops --planner dispatch:spt',
  ])('are one line of %s', async (line) => {
    const { stderr } = await cli(line.split(' '), { cwd });
    expect({ stderr, times: times(stderr, LINE) }).toEqual({ stderr, times: 1 });
  });

  it('are silent with --quiet', async () => {
    const { stderr } = await cli(['plan', 'shops/shop.json', '--quiet'], { cwd });
    expect(stderr).toBe('');
  });

  it('are not reported of a call that has ended', async () => {
    await cli(['show', 'shops/shop.json'], { cwd });
    const { stderr } = await cli(['show', 'ft06'], { cwd });
    expect(stderr).toBe('');
  });
});

describe('parts of a plan that are not read', () => {
  const line = 'schedule.json: not read: metadata of the schedule is not kept: status';

  it.each([
    'validate shops/shop.json schedule.json',
    'repair shops/shop.json schedule.json',
    'optimize shops/shop.json --budget 100-iterations --threads 1 --start schedule.json',
    'convert shops/shop.json schedule.json --to csv',
  ])('are one line of %s', async (command) => {
    const { stderr } = await cli(command.split(' '), { cwd });
    expect({ stderr, times: times(stderr, line) }).toEqual({ stderr, times: 1 });
  });
});
