import { describe, expect, it } from 'vitest';
import { find, startServer } from '../server.mjs';
import { parseAddress } from '../src/address.js';
import { connect, connectWorker } from '../src/connection.js';

describe.skipIf(find() === undefined)('the server', () => {
  it('answers', async () => {
    const server = await startServer();
    const client = await connect(parseAddress(server.address()));
    const { serverVersion } = await client.workflowService.getSystemInfo({});
    expect(serverVersion).toMatch(/^1\.29/);
    await client.connection.close();
    const nowhere = { ...parseAddress(server.address()), namespace: 'nowhere' };
    const refusal = { code: 'no_namespace', message: expect.stringContaining("'nowhere'") };
    await expect(connect(nowhere)).rejects.toMatchObject(refusal);
    await expect(connectWorker(nowhere)).rejects.toMatchObject(refusal);
    await server.stop();
  });
});
