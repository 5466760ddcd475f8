import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { bin, cli, temporaryDirectory } from '../../../../test/cli/cli.js';

const jobs = { machines: 1, jobs: [{ operations: [{ machine: 0, duration: 3 }] }] };
const shop = JSON.stringify({ schema: 'alas-jssp/instance@1', ...jobs });

describe('alas-jssp mcp', () => {
  it('serves a client that starts it, and ends with it', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'shop.json'), shop);
    const args = [bin, 'mcp', '--folder', folder];
    const transport = new StdioClientTransport({ command: process.execPath, args });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const call = { name: 'show_instance', arguments: { instance: 'shop.json' } };
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({ instance: '‹shop›', operations: 1, lower_bound: 3 });
    await client.close();
    expect(transport.pid).toBe(null);
  });

  it('says one line, and nothing on stdout, where the folder is missing', async () => {
    const { code, stdout, stderr } = await cli(['mcp', '--folder', 'none-such']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^alas-jssp: there is no folder none-such; .*\n$/);
  });

  it('ends when stdin does, and answers nonsense without ending', async () => {
    const list = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
    const { code, stdout } = await cli(['mcp'], { input: `nonsense\n${JSON.stringify(list)}\n` });
    expect(code).toBe(0);
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    }
  });
});

it('a folder for agents is one, whatever they name', async () => {
  const { agentOverStreams, callTool } = await import('../mcp/agent.js');
  const root = temporaryDirectory();
  const folder = join(root, 'open');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  writeFileSync(join(root, 'secret.json'), shop);
  writeFileSync(join(folder, 'inner', 'shop.json'), shop);
  symlinkSync(join(root, 'secret.json'), join(folder, 'link.json'));
  const agent = await agentOverStreams({ folder });
  const show = (instance: string) => callTool(agent, 'show_instance', { instance });
  expect(await show('inner/shop.json')).toMatchObject({ operations: 1 });
  const tricks = ['../secret.json', 'link.json', 'inner/../../secret.json', '/etc/passwd'];
  for (const trick of [...tricks, join(root, 'secret.json'), 'inner', '.', 'shop\0.json', '~']) {
    await expect(show(trick), trick).rejects.toThrow(/unknown_instance|not_a_file|is a directory/);
  }
  await agent.leave();
});
