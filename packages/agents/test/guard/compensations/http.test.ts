import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@alas-jssp/workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../../../src/guard/blob-store.js';
import type { GuardedCall } from '../../../src/guard/compensation.js';
import { httpCompensation } from '../../../src/guard/compensations/http/http-compensation.js';

/** A service with orders: made by POST, replaced by PUT, deleted by DELETE; with versions. */
const orders = new Map<string, { item: string; version: number }>();
let isDown = false;
let service: Server;
let url: string;

beforeAll(async () => {
  service = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const answer = (status: number, body?: object, etag?: number) => {
      response.writeHead(status, etag === undefined ? {} : { etag: `"${etag}"` });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    if (isDown) return answer(503);
    const id = decodeURIComponent(request.url?.replace('/shop/orders/', '') ?? '');
    const order = orders.get(id);
    if (request.method === 'POST') {
      const made = `o${orders.size + 1}`;
      orders.set(made, { item: JSON.parse(text).item, version: 1 });
      return answer(201, { id: made });
    }
    if (order === undefined) return answer(404);
    const match = request.headers['if-match'];
    if (match !== undefined && match !== `"${order.version}"`) return answer(412);
    if (request.method === 'PUT') {
      orders.set(id, { item: JSON.parse(text).item, version: order.version + 1 });
    }
    if (request.method === 'DELETE') {
      orders.delete(id);
      return answer(204);
    }
    const now = orders.get(id);
    return answer(200, { id, ...now }, now?.version);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/shop`;
});
afterAll(() => service.close());
beforeEach(() => {
  isDown = false;
  orders.clear();
  orders.set('o1', { item: 'tea', version: 1 });
});

function callOf(input: Record<string, Json>): GuardedCall {
  const none = () => Promise.reject(new Error('not called'));
  const { signal } = new AbortController();
  const blobs = createMemoryBlobs();
  return {
    server: 'shop',
    tool: 'order',
    input,
    key: 'k',
    signal,
    blobs,
    read: none,
    change: none,
  };
}

const request = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json().catch(() => null) as Promise<Json>;
};

const create = () =>
  httpCompensation({ url, resource: '/orders/{output.id}', undo: { method: 'DELETE' } });
const replace = () =>
  httpCompensation({
    url,
    resource: '/orders/{input.id}',
    undo: { method: 'PUT', body: 'before' },
    ignore: ['version'],
  });

describe('a request to an HTTP service', () => {
  it('that makes something is undone by deleting it', async () => {
    const call = callOf({ item: 'milk' });
    const prepared = await create().prepare(call);
    const output = await request('POST', '/orders', { item: 'milk' });
    const { state, after } = await create().observe(call, prepared, output);
    expect([state, orders.size]).toEqual(['done', 2]);
    expect(await create().undo(call, prepared, after)).toMatchObject({ state: 'undone' });
    expect([...orders.keys()]).toEqual(['o1']);
    expect(await create().undo(call, prepared, after)).toMatchObject({ state: 'nothing-to-undo' });
    // Nobody knows the id of what was made if the answer is lost.
    expect(await create().observe(call, prepared, undefined)).toMatchObject({ state: 'unknown' });
  });

  it('that changes something is undone by what was there before, also without its answer', async () => {
    const call = callOf({ id: 'o1', item: 'milk' });
    const prepared = await replace().prepare(call);
    expect(await replace().observe(call, prepared, undefined)).toMatchObject({ state: 'not-done' });
    await request('PUT', '/orders/o1', { item: 'milk' });
    const { state, after } = await replace().observe(call, prepared, undefined);
    expect(state).toBe('done');
    expect(await replace().undo(call, prepared, after)).toMatchObject({ state: 'undone' });
    expect(orders.get('o1')).toEqual({ item: 'tea', version: 3 });
  });

  it('is not undone over a change of somebody else', async () => {
    const call = callOf({ id: 'o1', item: 'milk' });
    const prepared = await replace().prepare(call);
    await request('PUT', '/orders/o1', { item: 'milk' });
    const { after } = await replace().observe(call, prepared, {});
    await request('PUT', '/orders/o1', { item: 'of somebody else' });
    expect(await replace().undo(call, prepared, after)).toMatchObject({ state: 'conflict' });
    expect(orders.get('o1')?.item).toBe('of somebody else');
  });

  it('is refused if it could not be undone', async () => {
    const refused = (input: Record<string, Json>) =>
      expect(replace().prepare(callOf(input))).rejects;
    await refused({ item: 'milk' }).toThrow('does not fill /orders/{input.id}');
    await refused({ id: '..', item: 'milk' }).toThrow('does not fill');
    await refused({ id: 'o9' }).toThrow('does not exist, so it could not be restored');
    isDown = true;
    await refused({ id: 'o1' }).toThrow('answered with 503');
    expect(() => httpCompensation({ url: 'ftp://x', resource: '/', undo: {} })).toThrow('$.url');
  });

  it('whose undo fails says so', async () => {
    const call = callOf({ id: 'o1' });
    const wrong = httpCompensation({
      url,
      resource: '/orders/{input.id}',
      undo: { method: 'POST', path: '/orders', body: { item: 'before.item' } },
      ignore: ['version'],
    });
    const prepared = await wrong.prepare(call);
    await request('DELETE', '/orders/o1');
    const { state, after } = await wrong.observe(call, prepared, {});
    expect(state).toBe('done');
    orders.set('o5', { item: 'other', version: 1 });
    // The service gives the order another id.
    expect(await wrong.undo(call, prepared, after)).toMatchObject({ state: 'failed' });
  });
});
