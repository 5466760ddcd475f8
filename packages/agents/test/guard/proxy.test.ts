import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import type { GuardReport } from '../../src/index.js';
import { createWorld, type World } from './records.js';

const BIN = new URL('../../../../bin/alas-jssp.js', import.meta.url).pathname;
const run = promisify(execFile);

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** Starts the proxy as a client of an agent does. */
async function connect(world: World, ...given: Parameters<World['policy']>) {
  const policy = join(world.directory, 'guard.json');
  writeFileSync(policy, JSON.stringify(world.policy(...given)));
  const args = [BIN, 'guard', '--policy', policy, '--log', world.log];
  const report = join(world.directory, 'report.json');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, '--report', report, '--quiet'],
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  clients.push(client);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { _meta, ...result } = await client.callTool({ name, arguments: input });
    return { ...result, guard: _meta?.['alas-jssp/guard'] };
  };
  return { client, call, report, pid: transport.pid as number };
}

/** Runs `guard --recover`; exit codes other than 0 are returned. */
async function recover(world: World): Promise<{ reports: GuardReport[]; code: number }> {
  const args = [BIN, 'guard', '--recover', world.log, '--json', '--quiet'];
  const { stdout, code } = await run(process.execPath, args).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  return { reports: JSON.parse(stdout) as GuardReport[], code };
}

describe('the proxy', () => {
  it('offers the tools of the server and its own, and answers in their form', async () => {
    const world = createWorld();
    const { client, call } = await connect(world);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'add',
      'remove',
      'find',
      'set',
      'get',
      'send',
      'guard_status',
      'guard_abort',
      'guard_commit',
    ]);
    const added = await call('add', { text: 'a' });
    expect(added.guard).toEqual({ status: 'done', message: 'done', call: 1 });
    expect(added.structuredContent).toMatchObject({ id: expect.stringContaining('r1') });
    expect(await call('peek', {})).toMatchObject({ isError: true, guard: { status: 'refused' } });
    expect(await call('guard_commit', {})).toMatchObject({
      structuredContent: { status: 'committed' },
    });
    await client.close();
    expect(world.texts()).toEqual(['a']);
  });

  it('tells what is wrong with a server that does not start', async () => {
    const { directory } = createWorld();
    const args = [BIN, 'guard', '--log', join(directory, 'none.db'), '--', 'no-such-command'];
    const ended = run(process.execPath, args);
    ended.child.stdin?.end();
    await expect(ended).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no-such-command'),
    });
  });

  it('takes back what a client that goes has not committed', async () => {
    const world = createWorld();
    const { client, call } = await connect(world);
    await call('add', { text: 'a' });
    await client.close();
    expect(world.texts()).toEqual([]);
  });

  it('is taken back by the next command after it was killed in the middle of a call', async () => {
    const world = createWorld();
    const { client, call, pid } = await connect(world, ['add=wait-act']);
    await call('set', { id: 'none', text: 'x' }).catch(() => {});
    const broken = call('add', { text: 'a' }).catch(() => 'lost');
    await world.called();
    process.kill(pid, 'SIGKILL');
    expect(await broken).toBe('lost');
    const { reports, code } = await recover(world);
    expect(reports).toMatchObject([{ status: 'taken-back', inDoubt: [], remaining: [] }]);
    expect(code).toBe(0);
    // The server was ended before it was looked whether the call had acted.
    world.openGate();
    await sleep(100);
    expect(world.texts()).toEqual([]);
    expect((await recover(world)).reports).toEqual([]);
    await client.close();
  });
});
