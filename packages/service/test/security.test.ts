import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { serveShops } from './served.js';

// What docs/how-to/serve.md lists as tried, over real HTTP with shops that are kept in a file.

const TOKEN = 'correct-horse-battery-staple';
const tokens = [{ name: 'kim', role: 'decide', token: TOKEN }] as const;
const json = { 'content-type': 'application/json' };

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: text, headers: { ...json, ...headers } });
}

/** The status of an answer; it must be a problem that shows nothing of the inside. */
async function refusal(answer: Promise<Response>): Promise<[status: number, code: string]> {
  const response = await answer;
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(text).not.toMatch(/node_modules|\.[jt]s:\d|root:|\\n {4}at /);
  return [response.status, JSON.parse(text).code];
}

/** Everything that comes back for bytes that are sent as they are, until the service hangs up. */
function send(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

describe('a caller', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: `Bearer ${'x'.repeat(TOKEN.length)}` }],
    ['the beginning of a token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['a token with more behind it', { authorization: `Bearer ${TOKEN}x` }],
    ['a token as a password', { authorization: `Basic ${btoa(`kim:${TOKEN}`)}` }],
    ['a token as a cookie', { cookie: `token=${TOKEN}` }],
  ])('with %s gets no answer', async (_, headers: Record<string, string>) => {
    const url = await serveShops(tokens);
    const [status] = await refusal(fetch(`${url}/shops`, { headers }));
    expect(status).toBe(401);
    expect((await fetch(`${url}/shops?token=${TOKEN}`, { headers })).status).toBe(401);
  });

  it('without rights does not learn whether a shop exists', async () => {
    const url = await serveShops(tokens);
    await post(`${url}/shops`, { id: 'a', instance: 'ft06' }, { authorization: `Bearer ${TOKEN}` });
    const there = await refusal(fetch(`${url}/shops/a`));
    expect(await refusal(fetch(`${url}/shops/b`))).toEqual(there);
  });
});

describe('a body', () => {
  it.each([
    ['deeper than a stack', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 400],
    ['deep below a key', `{"instance":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 400],
    ['that changes what objects are', '{"instance":"ft06","__proto__":{"id":"x"}}', 400],
    ['with a constructor', '{"instance":"ft06","constructor":{"prototype":{"id":"x"}}}', 400],
    ['of nothing', 'null', 400],
    ['that breaks off', '{"instance":"ft06"', 400],
    ['that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 400],
    ['that is too large', `{"instance":"${'a'.repeat(9_000_000)}"}`, 413],
  ])('%s is refused', async (_, body, status) => {
    const url = await serveShops();
    expect((await refusal(post(`${url}/shops`, body)))[0]).toBe(status);
    expect((await fetch(`${url}/shops`)).status).toBe(200);
  });

  it('of a form, which the page of another site could send, is refused', async () => {
    const url = await serveShops();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = post(`${url}/shops`, '{"instance":"ft06"}', { 'content-type': type });
      expect((await refusal(answer))[0]).toBe(415);
    }
  });

  it('that is compressed is refused, before anything of it is unpacked', async () => {
    const url = await serveShops();
    const body = gzipSync('{"instance":"ft06"}');
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = fetch(`${url}/shops`, { method: 'POST', body, headers });
    expect((await refusal(answer))[0]).toBe(415);
    expect(
      (await post(`${url}/shops`, { instance: 'ft06' }, { 'content-encoding': 'identity' })).status,
    ).toBe(201);
  });

  it('with two lengths is refused, and what is behind it is no request', async () => {
    const url = await serveShops();
    const inner = 'GET /shops HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const text = await send(
      url,
      `POST /shops HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    );
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
  });
});

describe('an instance, a planner, a policy', () => {
  it('is never a file or a program of this machine', async () => {
    const url = await serveShops();
    const place = temporaryDirectory();
    const file = join(place, 'secret.txt');
    const trace = join(place, 'trace');
    writeFileSync(file, '1 1\n0 7\n');
    writeFileSync(
      join(place, 'planner.mjs'),
      `import('node:fs').then((fs) => fs.writeFileSync(${JSON.stringify(trace)}, ''))`,
    );
    const requests = [
      { instance: file },
      { instance: '../../../../etc/passwd' },
      { instance: '/dev/stdin' },
      { instance: 'ft06', planner: `exec:touch ${trace}` },
      { instance: 'ft06', planner: `module:${join(place, 'planner.mjs')}` },
      { instance: 'ft06', planner: `replay:${file}` },
      { instance: 'ft06', planner: 'llm:gpt-4o' },
      { instance: 'ft06', policy: file },
      { instance: 'ft06', policy: './package.json' },
      { instance: 'ft06', plan: file },
    ];
    for (const request of requests) {
      const [status] = await refusal(post(`${url}/shops`, request));
      expect([400, 404], JSON.stringify(request)).toContain(status);
    }
    expect(() => readFileSync(trace)).toThrow('ENOENT');
    expect(await (await fetch(`${url}/shops`)).json()).toEqual([]);
  });

  it.each([
    [
      'more work than fits',
      { machines: 1, jobs: [{ operations: [{ machine: 0, duration: 2 ** 30 }] }] },
    ],
    ['more machines than memory', { machines: 2 ** 31, jobs: [{ operations: [] }] }],
    ['no jobs', { machines: 1, jobs: [] }],
    ['a number that is none', { machines: '1e9', jobs: [{ operations: [] }] }],
  ])('with %s is refused', async (_, parts) => {
    const url = await serveShops();
    const instance = { schema: 'alas-jssp/instance@1', ...parts };
    expect((await refusal(post(`${url}/shops`, { instance })))[0]).toBe(400);
  });
});

describe('an address', () => {
  it.each([
    '/shops/../../../../etc/passwd',
    '/shops/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/shops/%00',
    '/shops/a%00.json',
    '/shops/....//....//etc/passwd',
    '/page.js/../../package.json',
    '/instances/..%2f..%2fpackage.json',
    '/instances/%2Fetc%2Fpasswd',
    '/shops/%',
    '/shops/%c0%ae%c0%ae',
    `/shops/${'a'.repeat(5000)}`,
    '/shops/__proto__',
    '/shops/constructor',
  ])('%s leads nowhere', async (path) => {
    const url = await serveShops();
    const answer = await send(
      url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 (400|404|414) /);
    expect(answer).not.toMatch(/root:|"devDependencies"|"dependencies"/);
  });
});

describe('a page of another site', () => {
  it('gets no leave to read or to write', async () => {
    const url = await serveShops();
    const origin = 'http://evil.example';
    const headers = { ...json, origin };
    const written = await post(`${url}/shops`, { instance: 'ft06' }, headers);
    expect(written.status).toBe(403);
    expect(written.headers.get('access-control-allow-origin')).toBeNull();
    const asked = await fetch(`${url}/shops`, { method: 'OPTIONS', headers });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    expect(asked.headers.get('access-control-allow-methods')).toBeNull();
    expect(await (await fetch(`${url}/shops`)).json()).toEqual([]);
  });

  it('cannot reach it under a name of its own', async () => {
    const url = await serveShops();
    const lines = ['GET /shops HTTP/1.1', 'Host: rebound.example:8017', 'Connection: close'];
    expect(await send(url, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('names from files', () => {
  it('stay on their line, in stories and in errors', async () => {
    const url = await serveShops();
    const { id } = (await (await post(`${url}/shops`, { instance: 'ft06' })).json()) as {
      id: string;
    };
    const name = 'WO-1\nversion 9: all is well \u202e\u001b[31m';
    const job = { name, operations: [{ machine: 'Machine0', duration: 3 }], release: 5 };
    const events = [{ kind: 'arrival', at: 5, job }];
    await post(`${url}/shops/${id}/events`, { events });
    const { lines } = (await (await fetch(`${url}/shops/${id}/story`)).json()) as {
      lines: string[];
    };
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    const wrong = await post(`${url}/shops/${id}/events`, { events: [{ kind: name }] });
    expect(((await wrong.json()) as { detail: string }).detail).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it.each(['a\r\nx-injected: 1', 'ü', 'k'.repeat(300), ''])(
    'of keys are checked: %j',
    async (key) => {
      const url = await serveShops();
      const { id } = (await (await post(`${url}/shops`, { instance: 'ft06' })).json()) as {
        id: string;
      };
      const body = '{"events":[{"kind":"restored","machine":"Machine1","at":1}]}';
      const answer = await send(
        url,
        `POST /shops/${id}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
          `Idempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(answer).not.toMatch(/^x-injected/im);
      expect(answer).toMatch(/^HTTP\/1.1 (400|200) /);
    },
  );
});
