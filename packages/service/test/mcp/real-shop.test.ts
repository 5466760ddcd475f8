import { afterEach, expect, it } from 'vitest';
import { createSchedule } from '../../../../src/jssp/schedule.js';
import { validate } from '../../../../src/validator/index.js';
import { realEvents, realWorkshop } from '../../../../test/pipeline/shop/real-workshop.js';
import { wireInstance } from '../../src/api/wire.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { openService, post } from '../http/service.js';
import { agentOverHttp, callTool } from './agent.js';

// A shop with alternatives, setups, transport and operators, for programs over HTTP and for agents.

const instance = wireInstance(realWorkshop());
const [first, second] = realEvents;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function openDirectory() {
  const directory = await openShopDirectory({});
  ends.push(() => directory.stop());
  return directory;
}

it('programs open it, report a broken lathe and an operator who is ill, and each plan is valid', async () => {
  const directory = await openDirectory();
  const { url } = await openService({ directory });
  const opened = await post(`${url}/shops`, { id: 'hall', instance, planner: 'dispatch:best' });
  expect(opened.status).toBe(201);
  for (const { now, events } of realEvents) {
    const answer = await post(`${url}/shops/hall/events`, { events, now });
    expect(await answer.json()).toMatchObject({ status: 'committed' });
  }
  const followed = await directory.schedule('hall');
  const schedule = createSchedule(followed.instance, followed.start);
  expect(validate(followed.instance, schedule)).toMatchObject({ valid: true });
  const plan = await (await fetch(`${url}/shops/hall/plan`)).json();
  expect((plan as { entries: object[] }).entries).toHaveLength(27);
});

it('programs repair and optimize it without a shop', async () => {
  const { url } = await openService();
  const found = await post(`${url}/optimize`, { instance, budget: '2k-iterations' });
  const { plan } = (await found.json()) as { plan: { entries: object[] } };
  expect(plan.entries).toHaveLength(27);
  const request = { instance, plan, ...first, with_instance: true };
  const answer = await post(`${url}/repair`, request);
  const repaired = (await answer.json()) as Record<string, unknown>;
  expect(repaired).toMatchObject({ feasible: true, method: 'lcrp' });
  const body = { instance: repaired.instance_after, plan: repaired.plan };
  expect(await (await post(`${url}/validate`, body)).json()).toMatchObject({ valid: true });
  const lost = { ...plan, entries: plan.entries.slice(1) };
  const corrected = await (await post(`${url}/repair`, { instance, plan: lost })).json();
  expect(corrected).toMatchObject({ feasible: true, phase: 'plan' });
});

it('agents optimize it, try events and report them', async () => {
  const directory = await openDirectory();
  const boss = { caller: { name: 'boss', role: 'decide' as const } };
  await directory.create({ id: 'hall', instance, planner: 'dispatch:best' }, boss);
  const agent = await agentOverHttp({ directory });
  ends.unshift(() => agent.leave());
  const shown = await callTool(agent, 'show_instance', { instance });
  expect(shown).toMatchObject({ jobs: 8, machines: 8, operations: 27 });
  const best = await callTool(agent, 'optimize', { instance, seconds: 1 });
  const { uri: plan } = best.plan as { uri: string };
  expect(await callTool(agent, 'validate_plan', { instance, plan })).toMatchObject({ valid: true });
  const tried = await callTool(agent, 'propose_event', { instance, plan, ...first });
  expect(tried.trials).toMatchObject([{ repaired: true, feasible: true }]);
  const reported = await callTool(agent, 'report_event', { shop: 'hall', ...first, key: 'k1' });
  expect(reported).toMatchObject({ status: 'committed', version: 2 });
  const ill = await callTool(agent, 'report_event', { shop: 'hall', ...second, key: 'k2' });
  expect(ill).toMatchObject({ status: 'committed', version: 3 });
});
