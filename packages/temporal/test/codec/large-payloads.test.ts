import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { LargePayloads } from '../../src/codec/codecs.js';
import { wrap } from '../../src/codec/payload.js';

it.skipIf(find() === undefined)('a large payload waits for a server that is away', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'alas-jssp-large-')), 'temporal.db');
  let server = await startServer({ file });
  // Without the tries of the SDK, which would hide a short absence.
  const connection = Connection.lazy({ address: server.server, interceptors: [] });
  const codec = new LargePayloads(new Client({ connection }), 'q');
  const payload = wrap('binary/plain', randomBytes(1_100_000));
  await server.kill();
  const encoding = codec.encode([payload]);
  encoding.catch(() => {});
  await sleep(500);
  server = await startServer({ file, port: server.port });
  const encoded = await encoding;
  expect(encoded[0].data?.length).toBeLessThan(1000);
  const [decoded] = await codec.decode(encoded);
  expect(Buffer.from(decoded.data ?? []).equals(Buffer.from(payload.data ?? []))).toBe(true);
  await connection.close();
  await server.stop();
});
