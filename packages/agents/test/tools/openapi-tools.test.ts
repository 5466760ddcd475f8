import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openToolset, readCatalogue } from '../../src/index.js';
import { callWith } from './catalogues.js';
import { orderReference as order, shopApi, text } from './shop-api.js';

const directory = mkdtempSync(join(tmpdir(), 'openapi-'));

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A request that is answered with a status, headers and a body, or not at all. */
type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>] | null;

let server: Server;
let url: string;
let received: Received[];
let reply: (request: Received) => Reply;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    const one = { method, url: path, headers, body: Buffer.concat(chunks).toString() };
    received.push(one);
    const answer = reply(one);
    if (answer === null) return;
    const [status, body, more = {}] = answer;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

beforeEach(() => {
  received = [];
  reply = () => [200, {}];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

let files = 0;

/** The source of a document. */
function sourceOf(document: object, address = `@${url}`): string {
  const file = `api-${++files}.json`;
  writeFileSync(join(directory, file), JSON.stringify(document));
  return `openapi:${file}${address}`;
}

const read = (document = shopApi()) => readCatalogue(sourceOf(document), directory);
const open = async (document = shopApi()) => openToolset(await read(document), { directory });

describe('the catalogue of an OpenAPI document', () => {
  it('holds the operations that can be called', async () => {
    const { tools, implementation } = await read();
    expect(implementation).toEqual({ openapi: expect.stringMatching(/^api-/), url });
    expect(
      tools.map(({ name, access, idempotent, system }) => [name, access, idempotent, system]),
    ).toEqual([
      ['getOrder', 'read', true, 'shop'],
      ['delete_orders_order', 'change', false, 'shop'],
      ['listOrders', 'read', true, 'shop'],
      ['create_order', 'change', true, 'shop'],
      ['setNote', 'change', false, 'shop'],
      ['pay', 'change', false, 'shop'],
    ]);
  });

  it('has JSON Schemas of what is sent and received', async () => {
    const { tools } = await read();
    const [get, , list, create, note] = tools;
    expect(get.description).toBe('Gives an order.');
    expect(get.input).toMatchObject({ properties: { order: text }, required: ['order'] });
    expect(get.output).toEqual({
      type: 'object',
      required: ['id', 'note', 'total'],
      properties: {
        id: { ...text, readOnly: true },
        note: { type: ['string', 'null'] },
        total: { type: 'number', exclusiveMinimum: 0 },
      },
    });
    expect(list.input).toMatchObject({ required: ['page'] });
    expect(Object.keys(list.input.properties as object)).toEqual(['state', 'page', 'x-shop']);
    expect(list.output).toMatchObject({ properties: { result: { type: 'array' } } });
    expect(Object.keys(create.input.properties as object)).toEqual(['note', 'total', 'by']);
    expect(create.input.required).toEqual(['note', 'total', 'by']);
    expect(Object.keys(note.input.properties as object)).toEqual(['id', 'body']);
    expect(note.output).toMatchObject({ required: ['text'] });
  });

  it('reads the address from the document if none is given', async () => {
    const document = { ...shopApi(), servers: [{ url: 'https://shop.example/v2' }] };
    const catalogue = await readCatalogue(sourceOf(document, ''), directory);
    expect(catalogue.implementation).toHaveProperty('url', 'https://shop.example/v2');
    await expect(readCatalogue(sourceOf(shopApi(), ''), directory)).rejects.toMatchObject({
      message: /names no address of the service; write openapi:.*@URL/,
    });
  });

  type Mistake = readonly [string, (document: ReturnType<typeof shopApi>) => void, RegExp];
  const mistakes: readonly Mistake[] = [
    [
      'another version',
      (document) => {
        document.openapi = '2.0';
      },
      /\$\.openapi: the version is "2\.0"; give a document of OpenAPI 3\.0 or 3\.1/,
    ],
    [
      'a schema that contains itself',
      ({ components }) => {
        components.schemas.Order.properties.parent = order;
      },
      /\.parent: the schema contains itself: #\/components\/schemas\/Order → /,
    ],
    [
      'a reference to nothing',
      ({ components }) => {
        delete components.schemas.Order;
      },
      /there is no #\/components\/schemas\/Order; define it/,
    ],
    [
      'a reference to another document',
      ({ components }) => {
        components.schemas.Order.properties.id = { $ref: 'other.json#/id' };
      },
      /other\.json#\/id is in another document; bundle/,
    ],
    [
      'a path parameter that is not described',
      ({ paths }) => {
        paths['/orders/{id}/note'].put.parameters = [];
      },
      /\$\.paths\.\/orders\/\{id\}\/note\.put: the path has no parameter id; /,
    ],
    [
      'two operations of one name',
      ({ paths }) => {
        paths['/pay'].post.operationId = 'getOrder';
      },
      /two operations have the name getOrder/,
    ],
    [
      'no operations',
      (document) => {
        document.paths = {};
      },
      /no operation can be called/,
    ],
    [
      'references that multiply',
      ({ components }) => {
        const { schemas } = components;
        for (let level = 0; level < 30; level++) {
          const next = { $ref: `#/components/schemas/L${level + 1}` };
          schemas[`L${level}`] = { type: 'object', properties: { a: next, b: next } };
        }
        schemas.L30 = text;
        schemas.Order.properties.id = { $ref: '#/components/schemas/L0' };
      },
      /references multiply beyond measure/,
    ],
  ];
  it.each(mistakes)('with %s is refused with its place', async (_, make, message) => {
    const document = shopApi();
    make(document);
    await expect(read(document)).rejects.toMatchObject({ code: 'bad_openapi', message });
  });

  it('in YAML is refused with a hint', async () => {
    writeFileSync(join(directory, 'api.yaml'), 'openapi: 3.0.0\n');
    await expect(readCatalogue(`openapi:api.yaml@${url}`, directory)).rejects.toMatchObject({
      message: /api\.yaml: this document is YAML; convert it to JSON/,
    });
  });
});

describe('tools of an HTTP service', () => {
  it('send parameters in path, query and headers', async () => {
    const tools = await open();
    reply = ({ url: path }) => (path.includes('page') ? [200, []] : [200, newOrder]);
    const newOrder = { id: 'a/b', note: null, total: 3 };
    expect(await tools.call('getOrder', { order: 'a/b?' }, callWith())).toEqual(newOrder);
    const input = { state: ['new', 'a&b'], page: 2, 'x-shop': 'one' };
    expect(await tools.call('listOrders', input, callWith())).toEqual({ result: [] });
    expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'GET /v1/orders/a%2Fb%3F',
      'GET /v1/orders?state=new&state=a%26b&page=2',
    ]);
    expect(received[1].headers).toMatchObject({ 'x-shop': 'one', accept: 'application/json' });
    expect(received[1].headers).not.toHaveProperty('idempotency-key');
  });

  it('send bodies as JSON or forms, with the idempotency key', async () => {
    const tools = await open();
    reply = ({ url: path }) =>
      path === '/v1/orders' ? [201, { id: 'R1', note: 'x', total: 3 }] : [200, { paid: true }];
    const input = { note: 'x', total: 3, by: 'Kim' };
    await tools.call('create_order', input, callWith('run/1:pay'));
    await tools.call('pay', { amount: 3, tags: ['a', 'b c'] }, callWith('Schlüssel'));
    reply = () => [200, 'written', { 'content-type': 'text/plain' }];
    expect(await tools.call('setNote', { id: '7', body: { id: '8' } }, callWith())).toEqual({
      text: 'written',
    });
    expect(received.map(({ method, url: path, body }) => [method, path, body])).toEqual([
      ['POST', '/v1/orders', JSON.stringify(input)],
      ['POST', '/v1/pay', 'amount=3&tags=a&tags=b+c'],
      ['PUT', '/v1/orders/7/note', '{"id":"8"}'],
    ]);
    expect(received[0].headers).toMatchObject({
      'idempotency-key': 'run/1:pay',
      'content-type': 'application/json',
    });
    expect(received[1].headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(['', '.', '..'])('never leave their path for the parameter "%s"', async (given) => {
    const tools = await open();
    await expect(
      tools.call('delete_orders_order', { order: given }, callWith()),
    ).rejects.toMatchObject({ code: 'BadToolInput' });
    expect(received).toEqual([]);
  });

  it.each([
    [
      404,
      { title: 'no such order' },
      'NotFound',
      'the service answered 404 Not Found: no such order',
    ],
    [410, undefined, 'NotFound', 'the service answered 410 Gone'],
    [409, { error: { message: 'paid\nalready' } }, 'Conflict', '409 Conflict: paid already'],
    [422, { detail: 'the order is closed', title: 'x' }, 'Refused', 'the order is closed'],
    [401, 'who are you?', 'Refused', '401 Unauthorized: who are you?'],
    [429, undefined, 'Unavailable', '429 Too Many Requests'],
    [500, '<html>', 'Unavailable', '500 Internal Server Error: <html>'],
    [302, undefined, 'Refused', '302 Found'],
  ])('give the status %i a code', async (status, body, code, message) => {
    const tools = await open();
    reply = () => [status, body, { location: '/elsewhere' }];
    await expect(
      tools.call('delete_orders_order', { order: 'A7' }, callWith()),
    ).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(received).toHaveLength(1);
  });

  it('check the answers of the service', async () => {
    const tools = await open();
    const call = () => tools.call('getOrder', { order: 'A7' }, callWith());
    reply = () => [200, { id: 7 }];
    await expect(call()).rejects.toMatchObject({ code: 'BadToolOutput' });
    reply = () => [200, 'no JSON'];
    await expect(call()).rejects.toMatchObject({ code: 'BadToolOutput', message: /is not JSON/ });
    reply = () => [204];
    expect(await tools.call('delete_orders_order', { order: 'A7' }, callWith())).toEqual({});
  });

  it('report that there is no answer, and stop waiting with the caller', async () => {
    const tools = await open();
    reply = () => [0];
    const lost = tools.call('delete_orders_order', { order: 'A7' }, callWith());
    await expect(lost).rejects.toMatchObject({ code: 'Unavailable', message: /no answer: / });
    reply = () => null;
    const stop = new AbortController();
    const waiting = tools.call('delete_orders_order', { order: 'A7' }, callWith('k', stop.signal));
    await expect.poll(() => received.length).toBeGreaterThan(1);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  it('send the token as the document says', async () => {
    const environment = { ALAS_TOOLS_TOKEN: 'secret' };
    const document = shopApi();
    reply = () => [200, { paid: true }];
    for (const securitySchemes of [
      undefined,
      { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    ]) {
      document.components.securitySchemes = securitySchemes;
      const catalogue = await readCatalogue(sourceOf(document), directory, { environment });
      const tools = await openToolset(catalogue, { directory, environment });
      await tools.call('pay', { amount: 3 }, callWith());
    }
    const [usual, key] = received.map(({ headers }) => headers);
    expect(usual.authorization).toBe('Bearer secret');
    expect(key).toMatchObject({ 'x-key': 'secret' });
    expect(key).not.toHaveProperty('authorization');
  });

  it('exist in the document', async () => {
    const catalogue = await read();
    const [get] = catalogue.tools;
    const other = { ...catalogue, tools: [{ ...get, name: 'getOrders' }] };
    await expect(openToolset(other, { directory })).rejects.toMatchObject({
      message: /has no operation getOrders; did you mean getOrder/,
    });
  });
});
