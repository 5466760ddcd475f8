import { describe, expect, it, vi } from 'vitest';
import { dispatch, planFromSchedule, resolveSource } from '../../../../src/index.js';
import { writePlanJson } from '../../../../src/jssp/formats/plan-json.js';
import {
  explainAnswerSchema,
  optimizeAnswerSchema,
  repairAnswerSchema,
  validateAnswerSchema,
} from '../../src/api/work-schemas.js';
import { openService, post, problemIn } from './service.js';

const ft06 = resolveSource('ft06').load();
const schedule = dispatch(ft06, { rule: 'mwkr' });
const plan = JSON.parse(writePlanJson(planFromSchedule(schedule)));
const wrong = { ...plan, entries: plan.entries.slice(1) };
const breakdown = { kind: 'breakdown', machine: 'Machine2', from: 10, to: 25 };

describe('requests that are computed', () => {
  it('are answered as the library answers', async () => {
    const { url } = await openService();
    const valid = await (await post(`${url}/validate`, { instance: 'ft06', plan })).json();
    expect(validateAnswerSchema.parse(valid)).toMatchObject({
      valid: true,
      makespan: schedule.makespan,
      upper_bound: { value: 55 },
    });
    const invalid = await (await post(`${url}/validate`, { instance: 'ft06', plan: wrong })).json();
    expect(validateAnswerSchema.parse(invalid)).toMatchObject({
      valid: false,
      causes: [{ code: 'missing_operation', job: 'Job1', step: 1 }],
    });
    const request = { instance: 'ft06', plan, events: [breakdown], now: 10, with_instance: true };
    const repaired = await (await post(`${url}/repair`, request)).json();
    const repair = repairAnswerSchema.parse(repaired);
    expect(repair).toMatchObject({ feasible: true, method: 'lcrp', now: 10 });
    expect(repair.moves[0].cause).toMatch(/machine 2 .*down until 25/);
    // The judge agrees, on the instance in execution.
    const again = await post(`${url}/validate`, {
      instance: repair.instance_after,
      plan: repair.plan,
    });
    expect(await again.json()).toMatchObject({ valid: true, makespan: repair.makespan.after });
    const corrected = await (await post(`${url}/repair`, { instance: 'ft06', plan: wrong })).json();
    expect(repairAnswerSchema.parse(corrected)).toMatchObject({ feasible: true, phase: 'plan' });
    const { with_instance, ...explained } = request;
    const why = explainAnswerSchema.parse(await (await post(`${url}/explain`, explained)).json());
    expect(why.lines).toEqual(repair.moves.map(({ cause }) => cause));
    const found = await post(`${url}/optimize`, { instance: 'ft06', budget: '20k-iterations' });
    expect(optimizeAnswerSchema.parse(await found.json())).toMatchObject({
      status: 'optimal',
      value: 55,
    });
  });

  it('list the pins that no schedule keeps', async () => {
    const { url } = await openService();
    const { start, instance } = schedule;
    const hit = start.findIndex(
      (time, op) => instance.machine[op] === 2 && time >= 10 && time < 25,
    );
    const [job, step] = [instance.jobOf[hit], hit - instance.jobOffset[instance.jobOf[hit]]];
    const policy = { limits: { pinned: [{ job: `Job${job + 1}`, step: step + 1 }] } };
    const request = { instance: 'ft06', plan, events: [breakdown], now: 10, policy };
    const { lost_pins } = repairAnswerSchema.parse(
      await (await post(`${url}/repair`, request)).json(),
    );
    expect(lost_pins).toMatchObject([{ job: `Job${job + 1}`, step: step + 1, was: start[hit] }]);
    expect(lost_pins[0].why).toContain('is not kept: it cannot start before');
  });

  it('reduce policies, and methods that search, to the time of a request, and say so', async () => {
    const { url } = await openService({ limits: { seconds: 5 } });
    const request = { instance: 'ft06', plan, events: [breakdown], now: 10 };
    const clampedOf = async (route: string, more: object) =>
      (
        (await (await post(`${url}/${route}`, { ...request, ...more })).json()) as {
          clamped: unknown;
        }
      ).clamped;
    const policy = { budget: { passes: 1e9, evaluations: 1e12 } };
    const reduced = (seconds: number) => [
      { setting: 'budget.passes', asked: 1e9, used: 100 },
      { setting: 'budget.evaluations', asked: 1e12, used: 1e6 },
      { setting: 'budget.seconds', asked: null, used: seconds },
    ];
    expect(await clampedOf('repair', { policy })).toEqual(reduced(4));
    // The cost of limits takes a second repair.
    expect(await clampedOf('explain', { policy })).toEqual(reduced(2));
    const time = [{ setting: 'budget.seconds', asked: null, used: 4 }];
    expect(await clampedOf('repair', { method: 'recompute' })).toEqual(time);
    const plain = { policy: 'default', method: 'recompute' };
    expect(await clampedOf('repair', plain)).toEqual(time);
    expect(await clampedOf('repair', {})).toEqual([]);
    expect(await clampedOf('repair', { method: 'lcrp' })).toEqual([]);
  });

  it('report their progress', async () => {
    const { url } = await openService();
    const body = { instance: 'ta31', budget: { seconds: 1.2 } };
    const answer = await post(`${url}/optimize`, body, { accept: 'text/event-stream' });
    const events = (await answer.text()).match(/^event: .*/gm) ?? [];
    expect(events.at(-1)).toBe('event: result');
    expect(events.filter((event) => event === 'event: progress').length).toBeGreaterThan(2);
    const bad = { instance: 'ft99' };
    const refused = await post(`${url}/optimize`, bad, { accept: 'text/event-stream' });
    expect(await refused.text()).toMatch(/event: problem\ndata: .*"no_instance"/);
  });

  it.each([
    ['validate', 'bad_request', 400, { instance: 'ft06' }],
    ['validate', 'no_instance', 404, { instance: './package.json', plan }],
    ['validate', 'no_instance', 404, { instance: '/etc/passwd', plan }],
    ['validate', 'bad_instance', 400, { instance: { schema: 'x' }, plan }],
    ['repair', 'no_policy', 400, { instance: 'ft06', plan, policy: './package.json' }],
    ['repair', 'bad_event', 400, { instance: 'ft06', plan, events: [{ kind: 'flood' }] }],
    [
      'repair',
      'unknown_method',
      400,
      { instance: 'ft06', plan, method: '../x', events: [breakdown] },
    ],
    ['optimize', 'too_long', 400, { instance: 'ft06', budget: '2h' }],
    ['optimize', 'infeasible_start', 400, { instance: 'ft10', start: wrong }],
    ['optimize', 'too_many_operations', 413, { instance: 'ta80' }],
  ])('%s is refused: %s', async (name, code, status, body) => {
    const { url } = await openService({ limits: { operations: 1500 } });
    expect(await problemIn(await post(`${url}/${name}`, body))).toMatchObject({ status, code });
  });
});

describe('limits', () => {
  const endless = { instance: 'ta80', budget: '50s' };

  it('of requests at once are kept, by caller and in all', async () => {
    const { url } = await openService({ limits: { searches: 1, waiting: 1, per_caller: 2 } });
    const gone = new AbortController();
    const first = post(`${url}/optimize`, endless, {}, gone.signal).catch(() => 'gone');
    const second = post(`${url}/optimize`, endless, {}, gone.signal).catch(() => 'gone');
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toMatch(/^alas_work_working 1$/m);
      expect(metrics).toMatch(/^alas_work_waiting 1$/m);
    }, 20_000);
    const third = await post(`${url}/optimize`, endless);
    expect(third.headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(await problemIn(third)).toMatchObject({ status: 429, code: 'too_many_requests' });
    // Who goes away makes room for others.
    gone.abort();
    expect(await Promise.all([first, second])).toEqual(['gone', 'gone']);
    for (let status = 429; status !== 200; ) {
      status = (await post(`${url}/validate`, { instance: 'ft06', plan })).status;
      expect([200, 429]).toContain(status);
    }
  });

  it('of time end a search with its best', async () => {
    const { url } = await openService({ limits: { seconds: 1 } });
    const answer = await post(`${url}/optimize`, { instance: 'ta31', budget: '900m-iterations' });
    expect(await answer.json()).toMatchObject({ status: 'interrupted' });
  });

  it('of a service that ends do, too', async () => {
    const { url, app } = await openService();
    const body = { instance: 'ta31', budget: '50s' };
    const answer = await post(`${url}/optimize`, body, { accept: 'text/event-stream' });
    let text = '';
    let closed: Promise<unknown> | undefined;
    for await (const part of answer.body ?? []) {
      text += new TextDecoder().decode(part);
      if (/"best":\d/.test(text)) closed ??= app.close();
    }
    await closed;
    expect(text).toMatch(/event: result\ndata: .*"status":"interrupted"/);
  });
});
