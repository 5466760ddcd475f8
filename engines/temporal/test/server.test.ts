import { describe, expect, it } from 'vitest';
import { find, startServer } from '../server.mjs';
import { parseAddress } from '../src/address.js';
import { connect } from '../src/connection.js';

describe.skipIf(find() === undefined)('the server', () => {
  it('answers', async () => {
    const server = await startServer();
    const client = await connect(parseAddress(server.address()));
    const { serverVersion } = await client.workflowService.getSystemInfo({});
    expect(serverVersion).toMatch(/^1\.29/);
    await client.connection.close();
    await server.stop();
  });
});
