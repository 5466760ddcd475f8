import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { parseAddress } from '../../src/address.js';
import { dropBlob, getBlob, putBlob } from '../../src/blobs/blob.js';
import { connect } from '../../src/connection.js';

describe.skipIf(find() === undefined)('blobs', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let client: Client;

  beforeAll(async () => {
    server = await startServer();
    client = await connect(parseAddress(server.address()));
  });

  afterAll(async () => {
    await client.connection.close();
    await server.stop();
  });

  it('come back as they went, whatever their size, without any worker', async () => {
    for (const size of [0, 1, 1_499_000, 5_000_000]) {
      const bytes = randomBytes(size);
      const ref = await putBlob(client, 'q', bytes);
      expect(ref.pieces.length).toBe(Math.max(1, Math.ceil(size / 1_500_000)));
      const got = await getBlob(client, ref);
      expect(Buffer.from(got).equals(bytes)).toBe(true);
    }
  });

  it('are sent once, and read once by a process', async () => {
    const bytes = randomBytes(1000);
    const [one, two] = [await putBlob(client, 'q', bytes), await putBlob(client, 'q', bytes)];
    expect(two).toEqual(one);
    expect((await client.workflow.getHandle(one.pieces[0]).fetchHistory()).events).toHaveLength(1);
    expect(await getBlob(client, one)).toBe(await getBlob(client, two));
  });

  it('are refused when they are not there or are something else', async () => {
    const ref = await putBlob(client, 'q', Buffer.from('one'));
    const other = await putBlob(client, 'q', Buffer.from('two'));
    await expect(getBlob(client, { ...ref, pieces: other.pieces })).rejects.toMatchObject({
      code: 'bad_blob',
    });
    // Of bytes that this process has not read before.
    const gone = { ...ref, sha256: '0'.repeat(64), pieces: ['alas-blob-none'] };
    await expect(getBlob(client, gone)).rejects.toMatchObject({ code: 'no_blob' });
  });

  it('can be dropped without a worker, be read as long as the server keeps them, and be stored again', async () => {
    const bytes = randomBytes(100);
    const ref = await putBlob(client, 'q', bytes);
    const handle = client.workflow.getHandle(ref.pieces[0]);
    await dropBlob(client, ref);
    expect((await handle.describe()).status.name).toBe('TERMINATED');
    expect(Buffer.from(await getBlob(client, ref)).equals(bytes)).toBe(true);
    await dropBlob(client, ref);
    expect(await putBlob(client, 'q', bytes)).toEqual(ref);
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });
});
