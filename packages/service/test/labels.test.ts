import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../../src/disruption/event-text.js';
import { readEventList } from '../../../src/disruption/events-json.js';
import { applyEvents, type EventInput } from '../../../src/disruption/index.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { explainEdit, explainRepair, repair } from '../../../src/lcrp/index.js';
import { openShop } from '../../../src/pipeline/shop/index.js';
import { dispatch } from '../../../src/search/index.js';
import { createMemoryStore } from '../../workflow/src/index.js';
import { post } from './http/service.js';
import { agentOverStreams, callTool } from './mcp/agent.js';
import { serveShops } from './served.js';

const document = {
  schema: 'alas-jssp/instance@1',
  name: 'letters',
  machines: ['A', 'B'],
  jobs: [
    {
      name: 'WO-1',
      operations: [
        { machine: 'A', duration: 5 },
        { machine: 'B', duration: 5 },
      ],
    },
    {
      name: 'WO-2',
      operations: [
        { machine: 'B', duration: 5 },
        { name: 'drill', machine: 'A', duration: 5 },
      ],
    },
  ],
};
const breakdown = (machine: unknown) => ({ kind: 'breakdown', machine, from: 2, to: 4 });
const spellings = [0, '0', 'A', 'Machine0', 'machine 0'];

describe.each(spellings)('a machine called A is understood as %j', (machine) => {
  it('in files, programs and the short form', () => {
    const instance = parseInstance(JSON.stringify(document), { name: 'letters' });
    expect(readEventList([breakdown(machine)], { instance })).toMatchObject([{ machine: 0 }]);
    const text = `breakdown:machine=${machine},from=2,to=4`;
    expect(parseEvent(text, { instance })).toMatchObject({ machine: 0 });
  });
});

describe('events of programs', () => {
  const instance = parseInstance(JSON.stringify(document), { name: 'letters' });
  const schedule = dispatch(instance, { rule: 'spt' });
  const applied = (...events: EventInput[]) => applyEvents(schedule, events, 1).events;

  it('may name machines, jobs and steps, as files do; numbers count from 0', () => {
    for (const machine of [1, 'B', 'Machine1']) {
      expect(applied({ kind: 'breakdown', machine, from: 2, to: 4 })).toMatchObject([
        { machine: 1 },
      ]);
      const operations = [{ machine, duration: 3 }];
      expect(applied({ kind: 'arrival', job: { name: 'rush', operations } })).toMatchObject([
        { job: { operations: [{ machine: 1 }] } },
      ]);
    }
    for (const job of [1, 'WO-2', 'Job2']) {
      expect(applied({ kind: 'cancellation', job })).toMatchObject([{ job: 1 }]);
      for (const step of [1, 'drill']) {
        expect(applied({ kind: 'duration', job, step, duration: 9 })).toMatchObject([
          { job: 1, step: 1 },
        ]);
      }
    }
    const rush = { name: 'rush', operations: [{ machine: 'A', duration: 2 }] };
    const arrived = applied({ kind: 'arrival', job: rush }, { kind: 'cancellation', job: 'rush' });
    expect(arrived).toMatchObject([{}, { job: 2 }]);
  });

  it('are refused by what they name, with what there is', () => {
    const refusal = { code: 'bad_event', message: expect.stringContaining('use one of A, B') };
    expect(() => applied({ kind: 'restored', machine: 'C' })).toThrow(
      expect.objectContaining(refusal),
    );
    expect(() => applied({ kind: 'restored', machine: '1' })).toThrow(
      /use one of A, B|whole number/,
    );
  });

  it('are understood by shops and repairs, which report their edits in sentences', async () => {
    const shop = await openShop({ store: createMemoryStore(), schedule });
    await shop.report([{ kind: 'cancellation', job: 'WO-2' }], { now: 1 });
    expect(shop.schedule.instance.operations).toBeLessThan(4);
    const result = await repair({
      ...{ schedule, now: 1 },
      events: [{ kind: 'breakdown', machine: 'A', from: 2, to: 9 }],
    });
    const sentences = explainRepair(result).map((edit) => explainEdit(edit, result));
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.join('\n')).toMatch(/^WO-\d.* waits \d+: .*A (is|will be) down .*9/m);
  });
});

it('machines of letters are understood by their numbers over HTTP and by agents, as jobs are', async () => {
  const url = await serveShops();
  await post(`${url}/shops`, { id: 'a', instance: document });
  const agent = await agentOverStreams();
  const plan = [
    ...[
      { job: 1, step: 1, machine: 0, start: 0, end: 5 },
      { job: 1, step: 2, machine: 1, start: 5, end: 10 },
    ],
    ...[
      { job: 2, step: 1, machine: 1, start: 0, end: 5 },
      { job: 2, step: 2, machine: 0, start: 5, end: 10 },
    ],
  ];
  for (const machine of spellings) {
    const events = [breakdown(machine)];
    const answer = await post(`${url}/shops/a/events?dry-run`, { events, now: 1 });
    expect(await answer.json()).toMatchObject({ trials: [{ makespan: { after: 12 } }] });
    const tried = await callTool(agent, 'propose_event', { instance: document, plan, events });
    expect(tried.result.isError, JSON.stringify(machine)).not.toBe(true);
  }
  await agent.leave();
  for (const job of [2, '2', 'WO-2', 'Job2']) {
    const answer = await post(`${url}/shops/a/starts`, { starts: [{ job, step: 2, start: 20 }] });
    expect(await answer.json()).toMatchObject({ status: 'committed' });
  }
});

it('a name that is too long is refused with how long it may be', async () => {
  const url = await serveShops();
  const long = 'x'.repeat(201);
  const [first, second] = document.jobs;
  const jobs = [{ ...first, name: long }, second];
  await post(`${url}/shops`, { id: 'a', instance: document });
  const job = { name: long, operations: [{ machine: 0, duration: 3 }] };
  for (const [path, body] of [
    ['/shops', { instance: { ...document, jobs } }],
    ['/shops', { instance: { ...document, machines: [long, 'B'] } }],
    ['/shops/a/events', { events: [{ kind: 'arrival', job }], now: 1 }],
  ] as const) {
    const answer = await post(`${url}${path}`, body);
    expect(await answer.json()).toMatchObject({ hint: 'use at most 200 characters' });
  }
});
