import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ProposalView } from '../../../../src/report/page/views/schedule-data.js';
import { callerSchema } from '../../src/api/common.js';
import {
  changeSchema,
  dryRunSchema,
  outcomeSchema,
  shopStateSchema,
  shopSummarySchema,
} from '../../src/api/shop-schemas.js';
import { benchmarkSchema } from '../../src/api/work-schemas.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
// Whatever else is loaded beside it: schemas have ids in common.
import '../../../workflow/src/index.js';
import { openService, post, problemIn } from './service.js';

/** A shop with everything that an answer may contain: names, a clock, due dates, an approval. */
const instance = {
  schema: 'alas-jssp/instance@1',
  machines: ['Lathe 2', 'Mill'],
  jobs: [
    { name: 'WO-1', due: 40, operations: [operation('turning', 'Lathe 2', 30)] },
    {
      name: 'WO-2',
      due: 50,
      operations: [operation('turning', 'Lathe 2', 20), operation('milling', 'Mill', 10)],
    },
  ],
  time_scale: { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
};

function operation(name: string, machine: string, duration: number) {
  return { name, machine, duration };
}

it('answers of shops are as the document says, with approvals, names and a clock', async () => {
  const directory = await openShopDirectory({});
  const { url, app } = await openService({ directory });
  const read = async (path: string) => (await fetch(`${url}${path}`)).json();
  expect(callerSchema.parse(await read('/session'))).toEqual({ name: 'local', role: 'decide' });
  const policy = { approval: { seconds: 900, otherwise: 'decline' } };
  const opened = await post(`${url}/shops`, { id: 'a', instance, policy });
  expect([opened.status, await opened.clone().text()]).toEqual([201, expect.anything()]);
  expect(opened.headers.get('location')).toBe('/shops/a');
  shopSummarySchema.parse(await opened.json());
  const events = [
    {
      kind: 'breakdown',
      machine: 'Lathe 2',
      from: '2026-11-23T06:05:00+01:00',
      to: '2026-11-23T06:25:00+01:00',
    },
  ];
  const headers = { 'idempotency-key': 'k1' };
  const dry = await post(`${url}/shops/a/events?dry-run&policy=high-stability`, { events });
  expect(dryRunSchema.parse(await dry.json()).trials).toHaveLength(1);
  const reported = await post(`${url}/shops/a/events`, { events }, headers);
  expect(outcomeSchema.parse(await reported.json())).toMatchObject({ status: 'waiting' });
  const again = await post(`${url}/shops/a/events`, { events }, headers);
  expect(outcomeSchema.parse(await again.json())).toMatchObject({ repeated: true });
  const other = await post(`${url}/shops/a/events`, { events, now: 30 }, headers);
  expect(await problemIn(other)).toMatchObject({ status: 422, code: 'other_request' });
  const state = shopStateSchema.parse(await read('/shops/a'));
  const [move] = state.proposal?.moves ?? [];
  expect(move.cause).toMatch(/^WO-\d, turning waits 20 min: .*Lathe 2 will be down from .*06:05/);
  const name = state.proposal?.name ?? '';
  const view = (await read('/shops/a/view?version=proposal')) as ProposalView;
  expect(view.start).toHaveLength(3);
  expect(view.moves.moved[0]).toMatchObject({
    cause: move.kind,
    why: expect.stringContaining('Lathe 2'),
  });
  expect(view.moves.moved).toHaveLength(state.proposal?.moved ?? 0);
  const approved = await post(`${url}/shops/a/proposals/${name}/approve`, undefined);
  expect(outcomeSchema.parse(await approved.json())).toMatchObject({ status: 'committed' });
  const twice = await post(`${url}/shops/a/proposals/${name}/approve`, undefined);
  expect(await problemIn(twice)).toMatchObject({ status: 409, code: 'no_proposal' });
  expect(shopStateSchema.parse(await read('/shops/a')).late.map(({ job }) => job)).toContain(
    'WO-1',
  );
  const closed = await post(`${url}/shops/a/close`, undefined);
  expect(shopSummarySchema.parse(await closed.json())).toMatchObject({ status: 'closed' });
  const stream = await fetch(`${url}/shops/a/changes?after=0`);
  const changes = (await stream.text()).match(/(?<=^data: ).*/gm) ?? [];
  const kinds = changes.map((text) => changeSchema.parse(JSON.parse(text)).kind);
  expect(kinds).toEqual(expect.arrayContaining(['proposal', 'committed', 'closed']));
  expect(z.array(shopSummarySchema).parse(await read('/shops'))).toHaveLength(1);
  expect(z.array(benchmarkSchema).parse(await read('/instances?suite=ft'))).toHaveLength(3);
  expect(await read('/instances/FT-6')).toMatchObject({ benchmark: { name: 'ft06' } });
  await app.close();
  await directory.stop();
});

it('examples of the document are answered well', async () => {
  const directory = await openShopDirectory({});
  const { url, app } = await openService({ directory });
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { post?: { requestBody?: { content: Record<string, { schema: { $ref: string } }> } } }
    >;
    components: { schemas: Record<string, { examples?: object[] }> };
  };
  const tried: string[] = [];
  for (const [path, { post: operation }] of Object.entries(document.paths)) {
    const reference = operation?.requestBody?.content['application/json'].schema.$ref;
    const examples = document.components.schemas[reference?.split('/').at(-1) ?? '']?.examples;
    for (const example of examples ?? []) {
      tried.push(path);
      const { status } = await post(url + path.replace('{id}', 'hall-3'), example);
      expect([path, status]).toEqual([path, path === '/shops' ? 201 : 200]);
    }
  }
  expect(tried).toEqual(expect.arrayContaining(['/shops', '/repair', '/shops/{id}/undo']));
  await app.close();
  await directory.stop();
});
