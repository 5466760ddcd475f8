import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  moveCatalogue,
  openToolset,
  readCatalogue,
  type ToolCatalogue,
  type Toolset,
} from '../../src/index.js';
import { callWith, objectOf } from './catalogues.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-'));
const node = `"${process.execPath}"`;
afterAll(() => rmSync(scratch, { recursive: true }));

const opened: Toolset[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolset) => toolset.close()));
});

async function open(catalogue: ToolCatalogue, directory = here): Promise<Toolset> {
  const toolset = await openToolset(catalogue, { directory });
  opened.push(toolset);
  return toolset;
}

describe('the catalogue of an MCP server', () => {
  it('holds the tools of all pages, with the access that annotations say', async () => {
    const catalogue = await readCatalogue(`mcp:${node} mcp/server.mjs`, here);
    expect(catalogue.implementation).toEqual({ mcp: `${node} mcp/server.mjs` });
    expect(
      catalogue.tools.map(({ name, access, idempotent, system }) => [
        name,
        access,
        idempotent,
        system,
      ]),
    ).toEqual([
      ['add', 'change', false, 'counter'],
      ['read-sum', 'read', true, 'counter'],
      ['reset_all', 'irreversible', true, 'counter'],
      ['die', 'change', false, 'counter'],
      ['wait', 'change', false, 'counter'],
      ['json', 'change', false, 'counter'],
    ]);
    expect(catalogue.tools[0]).toMatchObject({
      description: 'Adds to the counter.',
      input: { type: 'object', required: ['by'] },
      output: { required: ['sum'] },
    });
    expect(catalogue.tools[0].input).not.toHaveProperty('$schema');
    expect(catalogue.tools[1].description).toBe('Reads the counter');
    expect(catalogue.tools[2].output).toMatchObject({ required: ['text'] });
  });

  it.each([
    ['mcp:none-such-program', /none-such-program failed: .*ENOENT; check/],
    [`mcp:${node} mcp/server.mjs refuse`, /refuse has ended: no database is configured; check/],
    [`mcp:${node} -e 0`, /has ended; check that it runs and speaks MCP/],
    ['mcp:', /no MCP server is named; write mcp:COMMAND/],
    ['mcp:"node', /a quote is open/],
  ])('cannot be read from %s, for a reason in one line', async (source, message) => {
    const error: unknown = await readCatalogue(source, here).catch((one) => one);
    expect(error).toMatchObject({ name: 'InputError', message: expect.stringMatching(message) });
    expect((error as Error).message).not.toContain('\n');
  });
});

it('a server that does not answer is given up with the signal', async () => {
  const stop = new AbortController();
  const source = `mcp:${node} -e "process.stdin.resume()"`;
  const reading = readCatalogue(source, here, { signal: stop.signal });
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});

describe('tools of an MCP server', () => {
  const read = (argument = '') => readCatalogue(`mcp:${node} mcp/server.mjs ${argument}`, here);

  it('are called with the idempotency key', async () => {
    const log = join(scratch, 'keys');
    const tools = await open(await read(log));
    expect(await tools.call('add', { by: 2 }, callWith('k1'))).toEqual({ sum: 2 });
    expect(await tools.call('add', { by: 3 }, callWith('k2'))).toEqual({ sum: 5 });
    expect(await tools.call('reset_all', {}, callWith())).toEqual({ text: 'done' });
    expect(await tools.call('read-sum', {}, callWith())).toEqual({ sum: 0 });
    const lines = readFileSync(log, 'utf8').split('\n');
    expect(lines[0]).toBe('add {"alas-jssp/idempotency-key":"k1"}');
    expect(lines[2]).toMatch(/^reset\/all /);
  });

  it('give the object that a text is, if the catalogue says so', async () => {
    const catalogue = await read();
    const [tool] = catalogue.tools.filter(({ name }) => name === 'json');
    const tools = await open(catalogue);
    expect(await tools.call('json', {}, callWith())).toEqual({ text: '{"ok":true}' });
    const output = objectOf({ ok: { type: 'boolean' } });
    const typed = await open({ ...catalogue, tools: [{ ...tool, output } as never] });
    expect(await typed.call('json', {}, callWith())).toEqual({ ok: true });
  });

  it('fail with ToolFailed and the text of the server', async () => {
    const tools = await open(await read());
    const call = tools.call('add', { by: -1 }, callWith());
    await expect(call).rejects.toMatchObject({
      code: 'ToolFailed',
      message: 'the tool add failed: only upwards',
    });
  });

  it('are cancelled with their callers', async () => {
    const log = join(scratch, 'cancelled');
    const tools = await open(await read(log));
    const stop = new AbortController();
    const call = tools.call('wait', {}, callWith('k', stop.signal));
    await expect.poll(() => readFileSync(log, { encoding: 'utf8', flag: 'a+' })).toContain('wait');
    stop.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('wait was cancelled');
  });

  it('report in one line that the server has ended, and start it again', async () => {
    const tools = await open(await read());
    await tools.call('add', { by: 2 }, callWith());
    const [death, other] = [tools.call('die', {}, callWith()), tools.call('wait', {}, callWith())];
    const ended = { code: 'Unavailable', message: /server\.mjs has ended: out of memory$/ };
    await expect(death).rejects.toMatchObject(ended);
    await expect(other).rejects.toMatchObject({ code: 'Unavailable' });
    const both = [1, 1].map((by) => tools.call('add', { by }, callWith()));
    expect((await Promise.all(both)).sort()).toEqual([{ sum: 1 }, { sum: 2 }]);
    await tools.close();
    await expect(tools.call('read-sum', {}, callWith())).rejects.toMatchObject({
      code: 'ToolsetClosed',
    });
  });

  it('exist on the server', async () => {
    const catalogue = await read();
    const [add] = catalogue.tools;
    const other = { ...catalogue, tools: [{ ...add, name: 'ad' }] };
    await expect(open(other)).rejects.toMatchObject({
      code: 'bad_server',
      message: /has no tool ad; did you mean add/,
    });
  });

  it('start in the directory of the catalogue, wherever it is moved', async () => {
    const moved = moveCatalogue(await read(), here, scratch);
    const tools = await open(moved, scratch);
    expect(await tools.call('add', { by: 1 }, callWith())).toEqual({ sum: 1 });
  });

  it('are those of alas-jssp mcp, too', async () => {
    const bin = fileURLToPath(new URL('../../../../bin/alas-jssp.js', import.meta.url));
    const catalogue = await readCatalogue(`mcp:${node} ${bin} mcp`, here);
    const accesses = new Map(catalogue.tools.map(({ name, access }) => [name, access]));
    expect(accesses.get('list_instances')).toBe('read');
    const tools = await open(catalogue);
    const shown = await tools.call('show_instance', { instance: 'ft06' }, callWith());
    expect(shown).toMatchObject({ operations: 36 });
    const unknown = tools.call('show_instance', { instance: 'ft07' }, callWith());
    await expect(unknown).rejects.toMatchObject({
      code: 'ToolFailed',
      message: /unknown_instance/,
    });
  });
});

describe('tools of an MCP server over HTTP', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Serves the tools of the test server, for callers with the token. */
  async function serve(token?: string): Promise<string> {
    const { createServer } = await import('./mcp/server.mjs');
    const handler = createMcpHandler(createServer);
    server = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end();
        return;
      }
      const answer = await handler.fetch(
        new Request(`http://localhost${request.url}`, {
          method: request.method ?? 'GET',
          headers: Object.entries(request.headers) as [string, string][],
          ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : undefined),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it('are not listed by an address at which nothing listens', async () => {
    const address = await serve();
    await new Promise((resolve) => server?.close(resolve));
    await expect(readCatalogue(`mcp:${address}`)).rejects.toMatchObject({
      code: 'no_server',
      message: /mcp failed: fetch failed: .*ECONNREFUSED.*; check that it runs/,
    });
  });

  it('are called by their address', async () => {
    const catalogue = await readCatalogue(`mcp:${await serve()}`);
    const tools = await open(catalogue);
    const { sum } = (await tools.call('add', { by: 2 }, callWith())) as { sum: number };
    expect(await tools.call('read-sum', {}, callWith())).toEqual({ sum });
  });

  it('get the token that an environment variable holds', async () => {
    const source = `mcp:${await serve('secret')}`;
    await expect(readCatalogue(source)).rejects.toMatchObject({ name: 'InputError' });
    const environment = { ALAS_TOOLS_TOKEN: 'secret' };
    const catalogue = await readCatalogue(source, '.', { environment });
    expect(catalogue.implementation).toHaveProperty('token', 'ALAS_TOOLS_TOKEN');
    expect(JSON.stringify(catalogue)).not.toContain('secret');
    const tools = await openToolset(catalogue, { directory: here, environment });
    opened.push(tools);
    expect(await tools.call('read-sum', {}, callWith())).toHaveProperty('sum');
    await expect(openToolset(catalogue, { directory: here })).rejects.toMatchObject({
      code: 'no_token',
      message: /ALAS_TOOLS_TOKEN is empty; set it/,
    });
  });
});
