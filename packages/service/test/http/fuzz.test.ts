import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { openService, post } from './service.js';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}

/** Values near to what is right: the words of the interface in wrong places, and anything else. */
const word = fc.constantFrom(
  ...['ft06', 'a', 'Job1', 'Machine2', 'breakdown', 'arrival', 'default', '1', '-1', '9e99', ''],
  ...['instance', 'plan', 'events', 'kind', 'entries', 'job', 'step', 'start', 'policy', '../x'],
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    word,
    fc.jsonValue({ maxDepth: 1 }),
    fc.dictionary(word, tie('value'), { maxKeys: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** A request that is right, from which others are made by putting something else somewhere. */
const plan = {
  entries: [
    { job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 },
    { job: 'Job2', step: 1, machine: 'Machine0', start: 0, end: 50 },
  ],
};
const event = { kind: 'breakdown', machine: 'Machine2', from: 10, to: 25, at: 3 };
const arriving = { operations: [{ machine: 'Machine1', duration: 3 }], due: 90, name: 'rush' };
const file = { name: 'orders.csv', text: 'order,place,minutes,due\nA,Saw,30,2026-11-24\n' };
const right = {
  instance: {
    schema: 'alas-jssp/instance@1',
    name: 'shop',
    machines: 3,
    jobs: [
      { operations: [{ machine: 2, duration: 1, frozen: 0 }], due: 9, weight: 2 },
      { operations: [{ machine: 0, duration: 50 }] },
    ],
    downtimes: [{ machine: 1, from: 3, to: 4, resumable: true }],
  },
  plan,
  start: plan,
  events: [
    event,
    { kind: 'arrival', at: 9, job: arriving },
    { kind: 'cancellation', job: 'Job2', at: 9 },
  ],
  now: 9,
  seed: 1,
  most: 2,
  policy: { objective: 'makespan', limits: { most_edited: 3 }, budget: { passes: 1 } },
  method: 'right-shift',
  budget: { iterations: 50, seconds: 1 },
  objective: 'makespan',
  with_instance: true,
  clock: { speed: 60 },
  starts: [{ job: 'Job1', step: 1, start: 3 }],
  version: 1,
  reason: 'no',
  orders: file,
  files: [file],
  map: { columns: { machine: 'place' }, times: 'hours' },
  epoch: '2026-11-23T06:00',
  zone: 'Europe/Berlin',
};
const WANTED: Record<string, readonly (keyof typeof right)[]> = {
  '/validate': ['instance', 'plan', 'most'],
  '/repair': ['instance', 'plan', 'events', 'now', 'policy', 'seed', 'most', 'with_instance'],
  '/explain': ['instance', 'plan', 'events', 'now', 'policy', 'method', 'most'],
  '/optimize': ['instance', 'budget', 'objective', 'seed'],
  '/import': ['orders', 'map', 'epoch', 'zone'],
  '/import/columns': ['files'],
  '/shops/{id}/events': ['events', 'now'],
  '/shops': ['instance', 'plan', 'policy', 'seed', 'clock'],
  '/shops/{id}/starts': ['starts', 'now'],
  '/shops/{id}/undo': ['version', 'now'],
  '/shops/{id}/withdraw': ['version', 'now'],
  '/shops/{id}/proposals/{name}/decline': ['reason'],
};

/** Puts something else at a random place. */
function spoil(document: unknown, steps: readonly number[], replacement: unknown): unknown {
  if (typeof document !== 'object' || document === null || steps.length === 0) return replacement;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(document)
    ? [...document]
    : { ...document };
  const keys = Object.keys(copy);
  if (keys.length === 0) return replacement;
  const key = keys[steps[0] % keys.length] as keyof typeof copy;
  const inner = spoil(copy[key], steps.slice(1), replacement);
  if (inner === undefined && !Array.isArray(copy)) delete copy[key];
  else copy[key] = inner as never;
  return copy;
}

const request = fc.record({
  steps: fc.option(fc.array(fc.nat(20), { maxLength: 6 })),
  parameter: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'b') },
    word,
    fc.string({ maxLength: 20 }),
  ),
  query: fc.oneof(word, fc.string({ maxLength: 20, unit: 'binary' })),
  body: value,
});

it('answers whatever it is asked as its OpenAPI document says, and never with 500', async () => {
  const faults: string[] = [];
  const directory = await openShopDirectory({ mostShops: 20 });
  const { url } = await openService({ directory, onFault: (line) => faults.push(line) });
  for (const id of ['a', 'b']) {
    const opened = await post(`${url}/shops`, { id, instance: 'ft06' });
    expect(opened.status).toBe(201);
  }
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.length).toBeGreaterThan(15);
  for (const path of [
    ...['/validate', '/repair', '/explain', '/optimize'],
    ...['/import', '/import/columns'],
  ]) {
    const body = Object.fromEntries((WANTED[path] ?? []).map((key) => [key, right[key]]));
    const answer = await post(url + path, body);
    expect({ path, status: answer.status, text: await answer.text() }).toMatchObject({
      status: 200,
    });
  }
  const any = fc.constantFrom(...operations);
  await fc.assert(
    fc.asyncProperty(any, request, async ({ path, method, operation }, { body, ...given }) => {
      // One shop stays open, so that there is something to ask.
      const id = path.endsWith('/close') && given.parameter === 'a' ? 'b' : given.parameter;
      const parameter = encodeURIComponent(id).replace(/^\.{0,2}$/, 'x');
      const address = new URL(path.replaceAll(/\{\w+\}/g, parameter), url);
      for (const { name, in: place } of operation.parameters ?? []) {
        if (place !== 'query' || given.query === '') continue;
        const isTrial = name === 'dry-run' && given.query.length < 5;
        address.searchParams.set(name, isTrial ? 'true' : given.query);
      }
      const wanted = WANTED[path]?.map((key) => [key, right[key]]);
      const { steps } = given;
      const good = wanted && Object.fromEntries(wanted);
      const sent = !good || !steps ? body : steps.length === 0 ? good : spoil(good, steps, body);
      const gone = new AbortController();
      const answer = await fetch(address, {
        method,
        headers: operation.requestBody ? { 'content-type': 'application/json' } : {},
        body: operation.requestBody ? JSON.stringify(sent) : null,
        signal: gone.signal,
      });
      const type = answer.headers.get('content-type') ?? '';
      if (type.startsWith('text/event-stream')) return gone.abort();
      const text = await answer.text();
      const isListed = Object.hasOwn(operation.responses, String(answer.status));
      if (!isListed) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
      if (answer.status >= 400) expect(type).toMatch(/^application\/problem\+json/);
      expect(text).not.toMatch(/node_modules|\n {4}at /);
    }),
    { numRuns: Number(process.env.ALAS_JSSP_FUZZ_RUNS ?? 500) },
  );
  expect(faults).toEqual([]);
  await directory.stop();
});
