// The service: requests to all routes, bytes that may be no request, and messages of agents.
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp, openShopDirectory } from '@alas-jssp/service/internal/lab';
import type { FuzzTarget } from '../target.js';

/** A service that listens on this machine. */
interface Running {
  readonly port: number;
  /** Errors of its own since the last call. */
  faults(): string[];
  close(): Promise<void>;
}

let running: Promise<Running> | undefined;

/** Starts the service once. */
function service(): Promise<Running> {
  running ??= start();
  return running;
}

async function close(): Promise<void> {
  const now = running;
  running = undefined;
  await (await now)?.close();
}

async function start(): Promise<Running> {
  const faults: string[] = [];
  const onFault = (line: string) => faults.push(line);
  const directory = await openShopDirectory({
    mostOperations: 500,
    onFault: (error) => onFault(String(error)),
  });
  const limits = {
    seconds: 1,
    searches: 1,
    operations: 500,
    body_seconds: 2,
    header_seconds: 1,
    streams: 4,
  };
  const app = await createApp({ directory, limits, onFault });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: Number(new URL(url).port),
    faults: () => faults.splice(0),
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await directory.stop();
    },
  };
}

/** A request in the form of inputs. */
interface GivenRequest {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** An answer, or null if the client refused to send the request. */
interface ServiceAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Milliseconds for an answer: streams never end. */
const PATIENCE = 3000;

function send(
  { method, path, headers, body }: GivenRequest,
  port: number,
): Promise<ServiceAnswer | null> {
  return new Promise((resolve) => {
    try {
      const call = request({
        ...{ host: '127.0.0.1', port, timeout: PATIENCE },
        ...{ method: String(method ?? 'GET'), path: String(path ?? '/') },
        headers: headersOf(headers),
      });
      call.on('error', () => resolve(null));
      call.on('timeout', () => call.destroy());
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        const type = response.headers['content-type'] ?? '';
        const finish = () => {
          resolve({
            status: response.statusCode ?? 0,
            type,
            body: Buffer.concat(chunks).toString(),
          });
        };
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('close', finish);
        if (type.startsWith('text/event-stream')) setTimeout(() => call.destroy(), 50);
      });
      call.end(
        body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      );
    } catch {
      // Characters that no request may hold.
      resolve(null);
    }
  });
}

function headersOf(headers: unknown): Record<string, string> {
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const unframed = given.filter(
    ([name]) => !/^(?:content-length|transfer-encoding|expect)$/i.test(name),
  );
  return Object.fromEntries(unframed.map(([name, value]) => [name, String(value)]));
}

/** Throws if an answer shows a fault of the service, or a problem that is not in the promised form. */
function requireSound(answer: ServiceAnswer | null, { faults }: Running): void {
  const [fault] = faults();
  if (fault !== undefined) throw new Error(`internal error: ${fault}`);
  if (answer === null) return;
  const { status, type, body } = answer;
  if (status === 500 || status > 503)
    throw new Error(`the answer is ${status}: ${body.slice(0, 300)}`);
  if (status < 400 || body === '') return;
  if (type.startsWith('application/json') && body.includes('"jsonrpc"')) return;
  if (!type.startsWith('application/problem+json')) throw new Error(`${status} is of type ${type}`);
  const problem = JSON.parse(body) as { detail?: unknown };
  if (typeof problem.detail !== 'string' || /[\n\r]/.test(problem.detail))
    throw new Error('no detail in one line');
  if (/node_modules|\n {4}at /.test(body))
    throw new Error(`the answer shows a place in the code: ${body}`);
}

const seed = (value: object) => ({ text: JSON.stringify(value) });
const json = { 'content-type': 'application/json' };
const posted = (path: string, body: object) => seed({ method: 'POST', path, headers: json, body });
const plan = { entries: [{ job: 'Job1', step: 1, machine: 'Machine2', start: 0, end: 1 }] };
const shop = {
  machines: 2,
  jobs: [
    {
      operations: [
        { machine: 0, duration: 3 },
        { machine: 1, duration: 2 },
      ],
    },
    { operations: [{ machine: 1, duration: 4 }] },
  ],
};
const instance = { schema: 'alas-jssp/instance@1', name: 'a', ...shop };
const events = [{ kind: 'breakdown', machine: 'Machine0', from: 1, to: 5, at: 1 }];
const GETS = [
  '',
  '/plan',
  '/schedule',
  '/changes',
  '/report',
  '/story',
  '/view',
  '/plan.csv',
  '/plan.ics',
];

export const httpTarget: FuzzTarget = {
  name: 'http',
  seeds: [
    posted('/shops', { id: 's', instance, planner: 'dispatch:mwkr' }),
    posted('/shops/s/events', { events, now: 1 }),
    seed({ path: '/shops/s/export?format=xlsx&version=1' }),
    seed({ path: '/shops/s/changes?after=1', headers: { accept: 'text/event-stream' } }),
    ...[
      'undo',
      'withdraw',
      'proposals/p/approve',
      'proposals/p/decline',
      'close',
      'starts',
      'release',
    ].map((name) =>
      posted(`/shops/s/${name}`, {
        version: 1,
        reason: 'x',
        starts: [{ job: 'Job1', step: 1, start: 3 }],
      }),
    ),
    posted('/validate', { instance: 'ft06', plan }),
    posted('/repair', { instance, plan, events, now: 1, policy: { objective: 'makespan' } }),
    posted('/explain', { instance, plan, events, now: 1 }),
    posted('/optimize', { instance, budget: { iterations: 20, seconds: 1 } }),
    posted('/import', {
      orders: { name: 'o.csv', text: 'order,place,minutes\nA,Saw,3\n' },
      map: { columns: { machine: 'place' } },
    }),
    posted('/import/columns', {
      files: [{ name: 'o.csv', text: 'order,place,minutes\nA,Saw,3\n' }],
    }),
    ...GETS.map((rest) => seed({ path: `/shops/s${rest}` })),
    ...[
      '/',
      '/shops',
      '/instances',
      '/instances/ft06',
      '/health',
      '/metrics',
      '/session',
      '/openapi.json',
    ].map((path) => seed({ path, headers: { accept: '*/*', 'accept-language': 'de' } })),
  ],
  words: [
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'authorization',
    'Bearer x',
    'host',
    'origin',
    'idempotency-key',
    'last-event-id',
    '%00',
    '%2e%2e%2f',
    '/shops/',
    'text/csv',
    'null',
  ],
  run: async (input) => {
    let given: GivenRequest;
    try {
      given = JSON.parse(new TextDecoder().decode(input));
    } catch {
      return;
    }
    if (typeof given !== 'object' || given === null) return;
    const one = await service();
    requireSound(await send(given, one.port), one);
  },
  close,
};

const rpc = (method: string, params: object) => seed({ jsonrpc: '2.0', id: 1, method, params });
const tool = (name: string, given: object) => rpc('tools/call', { name, arguments: given });
const client = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
};

export const mcpTarget: FuzzTarget = {
  name: 'mcp',
  seeds: [
    rpc('initialize', client),
    ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping'].map(
      (name) => rpc(name, {}),
    ),
    rpc('resources/read', { uri: 'alas://instances/ft06' }),
    rpc('prompts/get', { name: 'plan_instance', arguments: { instance: 'ft06' } }),
    rpc('completion/complete', {
      ref: { type: 'ref/prompt', name: 'plan_instance' },
      argument: { name: 'instance', value: 'f' },
    }),
    rpc('notifications/cancelled', { requestId: 1 }),
    tool('list_instances', { suite: 'ft' }),
    tool('show_instance', { instance: 'ft06' }),
    tool('validate_plan', { instance: 'ft06', plan: plan.entries }),
    tool('repair_plan', { instance, plan }),
    tool('optimize', { instance, seconds: 1 }),
    tool('explain', { instance, plan, events, now: 1 }),
    tool('propose_event', { instance, plan, events, now: 1, policies: ['default'] }),
    ...['list_shops', 'show_shop', 'try_shop_event', 'report_event', 'withdraw_report'].map(
      (name) => tool(name, { shop: 's', events, now: 1, version: 1 }),
    ),
  ],
  run: async (input) => {
    const one = await service();
    const headers = { ...json, accept: 'application/json, text/event-stream' };
    const body = new TextDecoder().decode(input);
    requireSound(await send({ method: 'POST', path: '/mcp', headers, body }, one.port), one);
  },
  close,
};

export const socketTarget: FuzzTarget = {
  name: 'socket',
  seeds: [
    { text: 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    {
      text: 'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"instance":"ft06"}',
    },
    {
      text: 'POST /validate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    },
    { text: 'GET /shops HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n' },
    { text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  ],
  words: [
    '\r\n',
    'HTTP/1.1',
    'Transfer-Encoding: chunked',
    'Content-Length: 0',
    'Expect: 100-continue',
    'Host:',
    'OPTIONS',
    'CONNECT',
    '*',
  ],
  run: async (input) => {
    const one = await service();
    const answer = await sendBytes(input, one.port);
    const [fault] = one.faults();
    if (fault !== undefined) throw new Error(`internal error: ${fault}`);
    for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
      if (Number(status) === 500 || Number(status) > 503)
        throw new Error(`the answer is ${status}`);
    }
    const health = await send({ path: '/health' }, one.port);
    if (health?.status !== 200) throw new Error(`the service is not healthy: ${health?.status}`);
  },
  close,
};

/** Sends bytes, and ends. The answer, or its beginning. */
async function sendBytes(bytes: Uint8Array, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.end(bytes);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, wait(100)]);
  socket.destroy();
  return answer;
}
