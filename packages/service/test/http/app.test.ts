import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccessToken } from '../../src/http/tokens.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { openService, post, problemIn } from './service.js';

const tokens = [
  { name: 'viewer', role: 'view', token: 'v'.repeat(20) },
  { name: 'kim', role: 'report', token: 'r'.repeat(20) },
  { name: 'boss', role: 'decide', token: 'd'.repeat(20) },
] as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };

describe('routes of shops', () => {
  it('hand on requests, who makes them, and their keys', async () => {
    const { url } = await openService();
    const answer = await fetch(`${url}/shops/a/events`, {
      method: 'POST',
      headers: { ...json, 'idempotency-key': 'k1' },
      body: JSON.stringify({ events: [{ kind: 'restored', machine: 1 }], now: 5 }),
    });
    expect(await answer.json()).toEqual({
      name: 'report',
      args: [
        'a',
        { events: [{ kind: 'restored', machine: 1 }], now: 5 },
        { caller: { name: 'local', role: 'decide' }, key: 'local/k1' },
      ],
    });
    const dry = await fetch(
      `${url}/shops/a/events?dry-run&policy=default&policy=${encodeURIComponent('{"base":"default"}')}`,
      { method: 'POST', headers: json, body: '{"events":[{"kind":"x"}]}' },
    );
    expect(await dry.json()).toMatchObject({
      name: 'tryOut',
      args: [
        'a',
        { events: [{ kind: 'x' }] },
        { caller: { name: 'local', role: 'decide' } },
        ['default', { base: 'default' }],
      ],
    });
    const view = await fetch(`${url}/shops/a/view?version=proposal`);
    expect(await view.json()).toEqual({ name: 'view', args: ['a', 'proposal'] });
    const plan = await fetch(`${url}/shops/a/plan?time=17`);
    expect(await plan.json()).toEqual({ name: 'plan', args: ['a', { time: 17 }] });
    const declined = await fetch(`${url}/shops/a/proposals/version-3/decline`, { method: 'POST' });
    expect(await declined.json()).toMatchObject({ args: ['a', 'version-3', '', {}] });
  });

  it('stream changes from the last one that was seen, until the service ends', async () => {
    const { url, app } = await openService();
    const answer = await fetch(`${url}/shops/a/changes`, { headers: { 'last-event-id': '4' } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const ended = answer.text();
    await app.close();
    expect(await ended).toContain('id: 41\nevent: change\ndata: {"id":"41","kind":"opened"}\n\n');
  });
});

describe('a request that cannot be answered', () => {
  it.each([
    ['GET', '/shops/none', undefined, 404, 'no_shop'],
    ['GET', '/shops/%2e%2e%2fetc', undefined, 400, 'bad_request'],
    ['GET', '/shops/%zz', undefined, 400, 'bad_address'],
    ['GET', '/nowhere', undefined, 404, 'not_found'],
    ['DELETE', '/shops/a', undefined, 405, 'bad_method'],
    ['POST', '/shops/a/events', '{"events":[]}', 400, 'bad_request'],
    ['POST', '/shops/a/events', '{"events":', 400, 'bad_json'],
    ['POST', '/shops/a/events', '', 400, 'bad_request'],
    ['POST', '/shops', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 400, 'bad_json'],
    ['POST', '/shops', `{"x":"${'a'.repeat(70_000)}","y":${'['.repeat(101)}`, 400, 'bad_json'],
    ['POST', '/shops', '{"instance":{"__proto__":{}}}', 400, 'bad_json'],
    ['POST', '/shops', JSON.stringify({ x: 'a'.repeat(2_000_000) }), 413, 'too_large'],
  ])('%s %s is refused with a reason', async (method, path, body, status, code) => {
    const { url } = await openService({ limits: { body: 1_000_000 } });
    const headers = body === undefined ? {} : json;
    const answer = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
    expect(await problemIn(answer)).toMatchObject({ status, code });
  });

  it('names the place in the request and what would be right', async () => {
    const { url } = await openService();
    const body = JSON.stringify({ events: [{ kind: 7 }], now: 1 });
    const answer = await fetch(`${url}/shops/a/events`, { method: 'POST', headers: json, body });
    expect(await problemIn(answer)).toMatchObject({
      path: '$.events[0].kind',
      detail: 'this is 7',
      hint: 'use one of breakdown, duration, arrival, cancellation, delay, restored, capacity, alternative',
    });
  });

  it.each([
    ['/shops', {}, '$.instance', 'this is missing', /give the name of a benchmark, or an instance/],
    ['/shops', { instance: { jobs: [] } }, '$.instance.schema', 'this is missing', /give/],
    [
      '/shops',
      { instance: 'shop.json' },
      '$.instance',
      'there is no benchmark',
      /send the instance/,
    ],
    ['/shops', { instance: 'ft06', name: 'x' }, '$', 'the key "name" is unknown', /use one of id,/],
    ['/shops', { instance: 'ft06', id: 'a b' }, '$.id', 'this is "a b"', /give 1 to 100 of/],
    [
      '/shops',
      { instance: 'ft06', clock: { speed: '1' } },
      '$.clock.speed',
      'this is "1"',
      /a number/,
    ],
    [
      '/shops',
      { instance: 'ft06', policy: 'fast' },
      '$.policy',
      'there is no policy',
      /use one of/,
    ],
    [
      '/shops',
      { instance: 'ft06', plan: [{ job: 'x' }] },
      '$.plan[0].start',
      'this is missing',
      /start/,
    ],
    ['/shops/a/undo', { version: '1' }, '$.version', 'this is "1"', /^give a number$/],
    ['/shops/a/events', { events: [] }, '$.events', 'this is an empty list', /1 entries or more/],
    ['/shops/a/events', [], '$', 'this is an empty list', /^give an object$/],
    ['/shops/a/events', null, '$', 'the request has no body', /application\/json/],
    ['/validate', { instance: 'ft06' }, '$.plan', 'this is missing', /give a list of operations/],
  ])(
    '%s with %j says where, what and what would be right',
    async (path, body, where, what, hint) => {
      const directory = await openShopDirectory({});
      const { url } = await openService({ directory });
      const text = body === null ? null : JSON.stringify(body);
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers: json, body: text });
      const problem = await problemIn(answer);
      expect(problem).toMatchObject({ path: where, hint: expect.stringMatching(hint) });
      expect(JSON.stringify(problem)).toContain(JSON.stringify(what).slice(1, -1));
    },
  );

  it('has a query that is not understood: what was to be tried out does not happen', async () => {
    const { url } = await openService();
    const body = JSON.stringify({ events: [{ kind: 'breakdown', machine: 'Machine2', from: 3 }] });
    for (const query of ['dryrun=true', 'dry_run', 'dry-run=yes', 'dry-run=1&policies=default']) {
      const address = `${url}/shops/a/events?${query}`;
      const answer = await fetch(address, { method: 'POST', headers: json, body });
      expect(await problemIn(answer)).toMatchObject({ status: 400, code: 'bad_request' });
    }
    const undo = { method: 'POST', headers: json, body: '{"version":1}' };
    const answer = await fetch(`${url}/shops/a/undo?dry-run`, undo);
    expect(await problemIn(answer)).toMatchObject({ hint: 'leave it out', path: '$.query' });
  });

  it('has a row that there is not, or a row and a policy', async () => {
    const { url } = await openService();
    const events = [{ kind: 'breakdown', machine: 'Machine2', from: 3, to: 9 }];
    const send = async (query: string, row: string) => {
      const body = JSON.stringify({ events, row });
      const address = `${url}/shops/a/events${query}`;
      return problemIn(await fetch(address, { method: 'POST', headers: json, body }));
    };
    expect(await send('', 'few-move')).toMatchObject({
      ...{ status: 400, code: 'bad_request', path: '$.row', hint: 'did you mean few-moves?' },
    });
    expect(await send('?dry-run&policy=default', 'few-moves')).toMatchObject({ path: '$.row' });
    expect(await send('?policy=few-moves', 'shop')).toMatchObject({ path: '$.query.policy' });
  });

  it('is not JSON', async () => {
    const { url } = await openService();
    const form = await fetch(`${url}/shops`, { method: 'POST', body: 'a=1' });
    expect(await problemIn(form)).toMatchObject({ status: 415, code: 'bad_media_type' });
  });
});

describe('a request without a body', () => {
  it('is answered to HEAD where the page and probes of load balancers ask', async () => {
    const { url } = await openService({ tokens });
    for (const path of ['/', '/page.js', '/health']) {
      const head = await fetch(`${url}${path}`, { method: 'HEAD' });
      expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    }
    expect((await fetch(`${url}/shops`, { method: 'HEAD' })).status).toBe(405);
  });

  it.each(['close', 'proposals/version-3/approve'])('refuses one: %s', async (path) => {
    const { url } = await openService();
    const send = (body: string, type = 'application/json') => {
      return fetch(`${url}/shops/a/${path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    };
    expect(await problemIn(await send('{"reason":"mistake"}'))).toMatchObject({ status: 400 });
    expect(await problemIn(await send('[1]'))).toMatchObject({ status: 400 });
    expect(await problemIn(await send('x', 'text/plain'))).toMatchObject({ status: 415 });
    expect((await send('{}')).status).toBe(200);
    expect((await fetch(`${url}/shops/a/${path}`, { method: 'POST' })).status).toBe(200);
  });
});

describe('access', () => {
  it('needs a token whose role suffices', async () => {
    const { url } = await openService({ tokens });
    const tryIt = (path: string, headers: Record<string, string>, method = 'POST') => {
      const body = method === 'GET' ? null : '{"events":[{"kind":"x"}]}';
      return fetch(`${url}${path}`, { method, headers: { ...json, ...headers }, body });
    };
    const none = await tryIt('/shops', {}, 'GET');
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await problemIn(none)).toMatchObject({ status: 401, code: 'no_token' });
    const wrong = await tryIt('/shops', bearer('w'.repeat(20)), 'GET');
    expect(await problemIn(wrong)).toMatchObject({ status: 401, code: 'bad_token' });
    const viewer = bearer(tokens[0].token);
    expect((await tryIt('/shops', viewer, 'GET')).status).toBe(200);
    const { name, role } = tokens[0];
    expect(await (await tryIt('/session', viewer, 'GET')).json()).toEqual({ name, role });
    expect((await tryIt('/shops/a/events', viewer)).status).toBe(403);
    expect((await tryIt('/shops/a/events?dry-run', viewer)).status).toBe(200);
    expect((await tryIt('/shops/a/events?dry-run=false', viewer)).status).toBe(403);
    const kim = bearer(tokens[1].token);
    const tried = await tryIt('/shops/a/events', kim);
    expect(await tried.json()).toMatchObject({ args: ['a', {}, { caller: { name: 'kim' } }] });
    expect((await tryIt('/shops/a/close', kim)).status).toBe(403);
    const closed = await fetch(`${url}/shops/a/close`, {
      method: 'POST',
      headers: bearer(tokens[2].token),
    });
    expect(closed.status).toBe(200);
  });

  it('is for the shops that a token names, which are all that there are for its owner', async () => {
    const directory = await openShopDirectory({});
    onTestFinished(() => directory.stop());
    const hall: AccessToken = {
      name: 'ada',
      role: 'decide',
      token: 'h'.repeat(16),
      shops: ['hall-*'],
    };
    const { url } = await openService({ directory, tokens: [...tokens, hall] });
    const all = bearer(tokens[2].token);
    const own = bearer(hall.token);
    const open = async (body: object, headers: Record<string, string>) => {
      return post(`${url}/shops`, { instance: 'ft06', ...body }, headers);
    };
    expect((await open({ id: 'hall-1' }, own)).status).toBe(201);
    expect((await open({ id: 'yard-1' }, all)).status).toBe(201);
    for (const body of [{ id: 'yard-2' }, { id: 'hall' }, {}]) {
      expect(await problemIn(await open(body, own))).toMatchObject({ code: 'bad_request' });
    }
    const listed = await (await fetch(`${url}/shops`, { headers: own })).json();
    expect(listed).toMatchObject([{ id: 'hall-1' }]);
    expect(await (await fetch(`${url}/shops`, { headers: all })).json()).toHaveLength(2);
    const broken = {
      events: [{ kind: 'breakdown', machine: 'Machine3', from: 10, to: 20 }],
      now: 5,
    };
    const reads = ['', '/view', '/plan', '/history', '/story', '/changes'];
    const answers = [
      ...reads.map((path) => fetch(`${url}/shops/yard-1${path}`, { headers: own })),
      ...['/events', '/events?dry-run'].map((path) =>
        post(`${url}/shops/yard-1${path}`, broken, own),
      ),
      post(`${url}/shops/yard-1/starts`, { starts: [{ job: 'Job1', step: 1, start: 9 }] }, own),
      post(`${url}/shops/yard-1/undo`, { version: 1 }, own),
      post(`${url}/shops/yard-1/proposals/version-2/approve`, {}, own),
      post(`${url}/shops/yard-1/proposals/version-2/decline`, {}, own),
      post(`${url}/shops/yard-1/close`, {}, own),
    ];
    const codes = (await Promise.all(answers)).map(
      async (answer) => (await problemIn(answer)).code,
    );
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['no_shop']));
    expect((await post(`${url}/shops/hall-1/events`, broken, own)).status).toBe(200);
  });

  it('keeps the idempotency keys of callers apart', async () => {
    const directory = await openShopDirectory({});
    onTestFinished(() => directory.stop());
    const second = { name: 'ada', role: 'decide', token: 'h'.repeat(16) } as const;
    const { url } = await openService({ directory, tokens: [...tokens, second] });
    const callers = [tokens[2], second].map(({ token }) => {
      return { ...bearer(token), 'idempotency-key': 'k1' };
    });
    const open = async (headers: Record<string, string>) => {
      const answer = await post(`${url}/shops`, { instance: 'ft06' }, headers);
      return ((await answer.json()) as { id: string }).id;
    };
    const [first, other] = [await open(callers[0]), await open(callers[1])];
    expect(other).not.toBe(first);
    expect(await open(callers[0])).toBe(first);
    const report = async (headers: Record<string, string>) => {
      const events = [{ kind: 'breakdown', machine: 'Machine3', from: 10, to: 20 }];
      const answer = await post(`${url}/shops/${first}/events`, { events, now: 5 }, headers);
      return ((await answer.json()) as { repeated: boolean }).repeated;
    };
    expect([await report(callers[0]), await report(callers[0])]).toEqual([false, true]);
    expect(await report(callers[1])).toBe(false);
  });

  it('is refused before the body is read', async () => {
    const { url } = await openService({ tokens });
    const huge = await fetch(`${url}/shops`, {
      method: 'POST',
      headers: json,
      body: `{"x":"${'a'.repeat(100_000)}"}`,
    });
    expect(huge.status).toBe(401);
  });

  it.each([
    ['evil.example', undefined, 403],
    ['evil.example:80', undefined, 403],
    ['localhost.evil.example', undefined, 403],
    ['floor.example', undefined, 200],
    ['127.0.0.1', 'http://evil.example', 403],
    ['127.0.0.1', 'null', 403],
    ['127.0.0.1:1', 'http://127.0.0.1:2', 403],
    ['localhost:8017', 'http://localhost:8017', 200],
    ['[::1]:8017', undefined, 200],
    ['a@b', undefined, 400],
    ['', undefined, 400],
  ])('Host %s and Origin %s: status %i', async (host, origin, status) => {
    const { url } = await openService({ hosts: ['floor.example'] });
    const answer = await rawRequest(url, [
      'GET /shops HTTP/1.1',
      `Host: ${host}`,
      ...(origin === undefined ? [] : [`Origin: ${origin}`]),
      'Connection: close',
    ]);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

/** An answer to a request as it is typed. */
function rawRequest(url: string, lines: readonly string[]): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

it('says what there is in OpenAPI 3.1', async () => {
  const { url } = await openService();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.openapi).toMatch(/^3\.1/);
  expect(document.paths['/shops/{id}/events'].post.operationId).toBe('reportEvents');
});
