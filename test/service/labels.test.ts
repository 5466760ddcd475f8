import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../src/disruption/event-text.js';
import { readEventList } from '../../src/disruption/events-json.js';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { post } from './http/service.js';
import { agentOverStreams, callTool } from './mcp/agent.js';
import { serveShops } from './served.js';

const document = {
  schema: 'alas-jssp/instance@2',
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
        { machine: 'A', duration: 5 },
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
    expect(await answer.json()).toMatchObject({ cure: 'use at most 200 characters' });
  }
});
