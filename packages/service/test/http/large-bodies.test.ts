import { parseUntrustedJson } from '@alas-jssp/core/json-text';
import { expect, it, vi } from 'vitest';
import { openService, post, problemIn } from './service.js';

/** Beyond what is parsed in the thread of the service. */
const NOTE = 'x'.repeat(200_000);
const rows = (count: number) =>
  Array.from({ length: count }, () => ({
    ...{ job: 'Job1', step: 1, machine: 'Machine0', start: 0, end: 3 },
  }));

it('large bodies are parsed and checked in threads, and answered as small ones are', async () => {
  const { url } = await openService();
  const ask = async (plan: unknown) =>
    (await post(`${url}/validate`, { instance: 'ft06', plan, most: 0 })).json();
  const small = { job: 'Job1', step: 1, machine: 'Machine0', start: 0, end: 3 };
  expect(await ask([{ ...small, note: NOTE }])).toEqual(await ask([{ ...small, note: 'x' }]));
  const wrong = await post(`${url}/validate`, { instance: 'ft06', plan: rows(4000), most: -1 });
  expect(await problemIn(wrong)).toMatchObject({
    status: 400,
    code: 'bad_request',
    path: '$.most',
  });
  const made = await post(`${url}/shops`, { id: 'a', instance: 'ft06', plan: rows(4000) });
  expect(made.status).toBe(201);
  const faulty = await post(`${url}/shops`, { id: '/', instance: 'ft06', plan: rows(4000) });
  expect(await problemIn(faulty)).toMatchObject({ code: 'bad_request', path: '$.id' });
  const stream = await post(
    `${url}/validate`,
    { instance: 'ft06', plan: [{ ...small, note: NOTE }] },
    { accept: 'text/event-stream' },
  );
  expect(await stream.text()).toMatch(/event: result\ndata: \{"instance":"ft06"/);
});

it('a service that accepts larger instances accepts more members', async () => {
  const { url } = await openService({ limits: { operations: 40_000 } });
  const judged = await post(`${url}/validate`, { instance: 'ft06', plan: rows(100_000), most: 0 });
  expect(await judged.json()).toMatchObject({ valid: false });
  const zeros = Array.from({ length: 1_000_001 }, () => 0);
  const refused = await problemIn(await post(`${url}/validate`, { instance: 'ft06', plan: zeros }));
  expect(refused).toMatchObject({ detail: 'the JSON has more than 1000000 members' });
});

it('nesting, members and keys are bounded before anything is made of them', async () => {
  const { url } = await openService();
  const send = (body: string) =>
    fetch(`${url}/validate`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    });
  const deep = '['.repeat(33) + ']'.repeat(33);
  for (const blanks of ['', ' '.repeat(200_000)]) {
    expect(await problemIn(await send(`${deep}${blanks}`))).toMatchObject({
      ...{ status: 400, code: 'bad_json', detail: 'the JSON is nested more than 32 deep' },
    });
  }
  const wide = await problemIn(await send(`[${'0,'.repeat(500_001)}0]`));
  expect(wide).toMatchObject({ code: 'bad_json', detail: 'the JSON has more than 500000 members' });
  const keys = Array.from({ length: 22_000 }, (_, i) => `"k${i}":${i}`).join();
  const many = await problemIn(await send(`{"instance":{${keys}}}`));
  expect(many).toMatchObject({ detail: 'the JSON has objects with more than 20000 keys' });
  // What 400,000 keys cost is the parser: they are refused while they are counted.
  const parse = vi.spyOn(JSON, 'parse');
  const flood = Array.from({ length: 400_000 }, (_, i) => `"k${i}":0`).join();
  const bytes = Buffer.from(`{"instance":{${flood}}}`);
  expect(() => parseUntrustedJson(bytes)).toThrow('objects with more than 20000 keys');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  const proto = await problemIn(await send(`{"__proto__":{},"note":"${NOTE}"}`));
  expect(proto).toMatchObject({ code: 'bad_json' });
});
