import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../packages/workflow/src/index.js';
import { writeEvents } from '../../../src/disruption/index.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { executeShop } from '../../../src/pipeline/shop/start-shop.js';
import { ft10 } from '../../pipeline/shop/fixtures.js';
import { cli } from '../cli.js';

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
const file = (name: string) => join(directory, name);
const { schedule, events } = ft10();
const shop = () => ['ft10', file('plan.json'), '--events', file('ten.json')];

/** Executes the ten events in a process that kills itself after so many appends, and never ends well. */
const KILLED = `
import { openSqliteStore } from '@alas-jssp/workflow';
import { executeShop } from 'alas-jssp/shop';
import { readEvents } from 'alas-jssp/disruption';
import { readPlan, scheduleFromPlan } from 'alas-jssp/jssp';
import { resolveSource } from 'alas-jssp';
const [log, planFile, eventsFile, lasts] = process.argv.slice(1);
const instance = resolveSource('ft10').load();
const schedule = scheduleFromPlan(instance, readPlan(planFile, instance).plan);
const { events } = readEvents(eventsFile, { instance });
const store = openSqliteStore(log);
let appends = 0;
const append = (...all) => {
  const written = store.append(...all);
  if (++appends >= Number(lasts)) process.kill(process.pid, 'SIGKILL');
  return written;
};
await executeShop({ schedule, events }, { store: { ...store, append }, runId: 'shop' });
`;

beforeAll(() => {
  writeFileSync(file('plan.json'), writePlanJson(planFromSchedule(schedule), { instance: 'ft10' }));
  writeFileSync(file('ten.json'), writeEvents(events, { instance: 'ft10' }));
});

afterAll(() => rmSync(directory, { recursive: true }));

describe('alas-jssp execute', () => {
  it('keeps an execution in a log that has its story and can be replayed, compared and restored', async () => {
    const log = file('shop.db');
    const made = await cli(['execute', ...shop(), '--log', log, '--approve', 'kim']);
    expect(made.code).toBe(0);
    const [first, second] = made.stdout.split('\n');
    expect(first).toBe('version 1 is the plan, all done by 1108');
    expect(second).toMatch(/^at 100 machine 3 broke down until 200, job 3 step 5 takes 1.5 times/);
    expect(second).toMatch(
      /\d+ operations move, all done by \d+ instead of 1108; version 2, approved by kim$/,
    );
    const shown = await cli(['log', 'show', log]);
    expect(shown.stdout).toBe(made.stdout);
    expect((await cli(['log', 'show', log, '--entries', '--json'])).stdout).toContain('log-show@1');
    expect((await cli(['log', 'replay', log])).stdout).toContain('shop-1: parity');
    expect((await cli(['log', 'verify', log])).code).toBe(0);

    const diff = await cli(['log', 'diff', log, '2', '4', '--versions', '--json']);
    const { changes } = JSON.parse(diff.stdout);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes[0]).toMatchObject({ job: expect.any(Number), start: expect.any(Number) });

    const out = ['--out', file('plan-3.json'), '--out-instance', file('shop-3.json')];
    expect((await cli(['log', 'restore', log, '3', ...out])).code).toBe(0);
    expect((await cli(['validate', file('shop-3.json'), file('plan-3.json')])).code).toBe(0);
  });

  it.each([
    [['--method', 'lcrb'], "there is no repair method 'lcrb'"],
    [['--policy', 'rash'], "there is no policy 'rash'"],
    [['--approve', ''], 'the approver has no name'],
  ])('refuses %j in one line, and leaves no log behind', async (more, message) => {
    const log = file('none.db');
    const { code, stderr } = await cli(['execute', ...shop(), '--log', log, ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(log)).toBe(false);
  });

  it('looks up what events name before it writes', async () => {
    const log = file('none.db');
    const event = ['--event', 'breakdown:machine=99,from=3,to=9'];
    const { code, stderr } = await cli(['execute', ...shop().slice(0, 2), '--log', log, ...event]);
    expect(code).toBe(2);
    expect(stderr).toContain('this is "Machine99", which does not exist');
    expect(existsSync(log)).toBe(false);
  });

  it('refuses versions that there are not', async () => {
    const log = file('shop.db');
    const restored = await cli(['log', 'restore', log, '99', '--out', file('no.json')]);
    expect([restored.code, existsSync(file('no.json'))]).toEqual([2, false]);
    expect(restored.stderr).toMatch(/has no version 99; give one from 1 to \d+/);
    expect((await cli(['log', 'diff', log, '0', '2', '--versions'])).code).toBe(2);
  });

  it('waits for an approval that another process gives, and for more events', async () => {
    const log = file('asking.db');
    const policy = file('asking.json');
    const approval = { seconds: 86_400, otherwise: 'decline' };
    writeFileSync(policy, JSON.stringify({ schema: 'alas-jssp/policy@1', approval }));
    const longer = ['--event', 'duration:at=100,job=3,step=5,factor=1.5'];
    const event = ['--event', 'breakdown:machine=3,from=100,to=200', ...longer];
    const args = ['ft10', file('plan.json'), ...event, '--log', log, '--policy', policy, '--live'];
    const made = await cli(['execute', ...args]);
    expect(made.code).toBe(1);
    expect(made.stdout).toContain('it waits for the approval version-2');
    const by = ['--by', 'kim'];
    await cli(['log', 'deny', log, 'shop-1', 'version-2', ...by, '--reason', 'too much']);
    expect((await cli(['log', 'resume', log])).stdout).toContain(
      'version 2\nit waits for commands',
    );
    const wrong = await cli(['log', 'signal', log, 'shop-1', 'command', '--data', '{"now":1}']);
    expect(wrong.code).toBe(2);
    const news = { undo: 1, now: 105 };
    const data = ['--data', JSON.stringify(news), ...by];
    expect((await cli(['log', 'signal', log, 'shop-1', 'command', ...data])).code).toBe(0);
    // It moves nothing, so it needs no approval.
    const undone = await cli(['log', 'resume', log]);
    expect(undone.stdout).toContain('version 3\nit waits for commands');
    const job = { name: 'rush', operations: [{ machine: 2, duration: 40 }] };
    const rush = JSON.stringify({ now: 150, events: [{ kind: 'arrival', job }] });
    await cli(['log', 'signal', log, 'shop-1', 'command', '--data', rush]);
    await cli(['log', 'resume', log]);
    await cli(['log', 'approve', log, 'shop-1', 'version-4', ...by]);
    await cli(['log', 'signal', log, 'shop-1', 'command', '--data', '{"close":true}']);
    expect((await cli(['log', 'resume', log])).code).toBe(0);
    const { stdout } = await cli(['log', 'show', log]);
    expect(stdout).toContain(
      'the repair by lcrp was not accepted: kim denied version-2: too much; by affected ',
    );
    expect(stdout).toContain('version 4, approved by kim');
    expect(stdout).toContain('went back to version 1');
    expect((await cli(['log', 'replay', log])).stdout).toContain('parity');
  });

  it.each([1, 3, 6, 9])(
    'goes on to the same schedule when it was killed after %i appends',
    async (lasts) => {
      const log = file(`killed-${lasts}.db`);
      const paths = [log, file('plan.json'), file('ten.json'), String(lasts)];
      const flags = ['--input-type=module', '-e', KILLED];
      const { signal } = spawnSync(process.execPath, [...flags, ...paths], { timeout: 60_000 });
      expect(signal).toBe('SIGKILL');
      const whole = file('whole.db');
      if (!existsSync(whole)) {
        const store = openSqliteStore(whole);
        await executeShop({ schedule, events }, { store, runId: 'shop' });
        store.close();
      }
      expect((await cli(['log', 'resume', log])).code).toBe(0);
      const last = async (of: string) => {
        const number = (await cli(['log', 'show', of])).stdout.split('; version ').at(-1)?.trim();
        await cli(['log', 'restore', of, `${number}`, '--out', file('end.json')]);
        return [number, readFileSync(file('end.json'), 'utf8')];
      };
      expect(await last(log)).toEqual(await last(whole));
    },
  );
});
