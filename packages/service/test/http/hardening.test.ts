import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type AccessToken, parseTokens } from '../../src/http/tokens.js';
import { openService, post, problemIn } from './service.js';

const token = 't0ken-that-is-hard-to-guess';

/** Sends parts of a request as they are typed, and gives all that comes back until the line is cut. */
function typed(url: string, parts: readonly string[], pause = 0): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', async () => {
      for (const part of parts) {
        socket.write(part);
        await new Promise((next) => setTimeout(next, pause));
      }
    });
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('error', () => {}).on('close', () => resolve(text));
  });
}

describe('a client that keeps the service waiting', () => {
  const limits = { header_seconds: 0.5, body_seconds: 0.5 };

  it('with its headers is cut off', async () => {
    const { url } = await openService({ limits });
    const answer = await typed(url, ['GET /health HTTP/1.1\r\nHost: localhost\r\n', 'X-A: 1\r\n']);
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*application\/problem\+json[\s\S]*"too_slow"/);
  });

  it('with its body is cut off', async () => {
    const { url } = await openService({ limits });
    const head = 'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const answer = await typed(url, [`${head}Content-Length: 1000\r\n\r\n`, '{"a":', '1']);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('a request that is no HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /shops HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST /shops HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    [
      'two hosts',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s', async (_, text, status) => {
    const { url } = await openService();
    expect(await typed(url, [text])).toMatch(new RegExp(`^HTTP/1.1 ${status} .*[\\s\\S]*problem`));
  });
});

it('the log of requests shows who asked for what, and no secret', async () => {
  const lines: string[] = [];
  const tokens = [{ name: 'kim', role: 'report' as const, token }];
  const { url } = await openService({ tokens, onRequest: (line) => lines.push(line) });
  const headers = { authorization: `Bearer ${token}` };
  await post(`${url}/shops/a/events?dry-run&token=${token}`, { events: [{ kind: 'x' }] }, headers);
  await fetch(`${url}/shops`, { headers: { authorization: 'Bearer another-t0ken' } });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { by: 'kim', method: 'POST', path: '/shops/a/events', status: 400 },
    { by: 'anonymous', path: '/shops', status: 401 },
  ]);
  expect(lines.join()).not.toMatch(/t0ken/);
});

it('metrics count answers by route, for any request', async () => {
  const tokens = [{ name: 'kim', role: 'view' as const, token }];
  const { url } = await openService({ tokens });
  for (const path of ['/made-up', '/made-up-too', '/health']) await fetch(url + path);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  expect(text).toContain('alas_requests_total{method="GET",route="/health",status="200"} 1');
  expect(text).toContain('alas_requests_total{method="any",route="none",status="404"} 2');
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  expect(text).not.toContain('made-up');
});

describe('tokens', () => {
  it.each([
    '[]',
    '{}',
    '[{"name":"kim","role":"decide","token":"short"}]',
    `[{"name":"kim","role":"king","token":"${token}"}]`,
    `[{"name":"a\\nb","role":"view","token":"${token}"}]`,
    `[{"name":"a","role":"view","token":"${token}"},{"name":"b","role":"view","token":"${token}"}]`,
    `[{"name":"a","role":"view","token":"${token}"`,
    `["${token}"]`,
  ])('%s are refused, and not shown', (text) => {
    let message = '';
    try {
      parseTokens(text, 'tokens.json');
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/tokens\.json/);
    expect(message).not.toMatch(/short|t0ken/);
  });
});

it('totals of all shops are for tokens that are for all shops', async () => {
  const tokens: AccessToken[] = [
    { name: 'all', role: 'view', token },
    { name: 'hall', role: 'decide', shops: ['hall-*'], token: `${token}-2` },
  ];
  const { url } = await openService({ tokens });
  const ask = (path: string, own?: string) =>
    fetch(url + path, own === undefined ? {} : { headers: { authorization: `Bearer ${own}` } });
  const healthFor = async (own?: string) =>
    Object.keys((await (await ask('/health', own)).json()) as object);
  expect(await healthFor(token)).toContain('shops');
  for (const own of [`${token}-2`, 'an-unknown-token-of-a-client', undefined]) {
    expect(await healthFor(own)).toEqual(['status', 'version']);
  }
  expect((await ask('/metrics', token)).status).toBe(200);
  const refused = await ask('/metrics', `${token}-2`);
  expect(await problemIn(refused)).toMatchObject({ status: 403, code: 'forbidden' });
});
