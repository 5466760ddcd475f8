import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { bin, cli } from '../../../../test/cli/cli.js';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';

const token = 'a-t0ken-of-kim-alone';

describe('alas-jssp serve', () => {
  it('listens until Ctrl-C, and says where', async () => {
    const data = join(temporaryDirectory(), 'shops');
    const interrupt = (stderr: string) => stderr.includes('the service listens');
    const { code, stdout, stderr } = await cli(['serve', '--port', '0', '--data', data], {
      interrupt,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`kept in ${data}`)]);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(readdirSync(data)).toContain('shops.db');
  });

  it('ends streams when it ends, and resumes its shops later', async () => {
    const data = join(temporaryDirectory(), 'shops');
    const first = await start(data);
    const headers = { 'content-type': 'application/json' };
    const body = '{"id":"a","instance":"ft06"}';
    const opened = await fetch(`${first.url}/shops`, { method: 'POST', headers, body });
    expect(opened.status).toBe(201);
    const stream = await fetch(`${first.url}/shops/a/changes`);
    const text = stream.text();
    first.process.kill('SIGTERM');
    await text;
    expect(await first.ended).toEqual([0, null]);
    const second = await start(data);
    const shops = (await (await fetch(`${second.url}/shops`)).json()) as { id: string }[];
    expect(shops.map(({ id }) => id)).toEqual(['a']);
    second.process.kill('SIGTERM');
    expect(await second.ended).toEqual([0, null]);
  });

  it('refuses to be reached by others without tokens', async () => {
    const { code, stderr } = await cli(['serve', '--host', '0.0.0.0', '--port', '0', '--demo']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/could do everything; give tokens, or listen on 127\.0\.0\.1\n$/);
  });

  it('takes tokens of a file or the environment, and shows none', async () => {
    const file = join(temporaryDirectory(), 'tokens.json');
    writeFileSync(file, JSON.stringify([{ name: 'kim', role: 'decide', token }]), { mode: 0o644 });
    const interrupt = (stderr: string) => stderr.includes('the service listens');
    const args = ['serve', '--port', '0', '--host', '0.0.0.0', '--demo', '--quiet'];
    const wrong = await cli(args, { env: { ALAS_JSSP_TOKENS: `[{"token":"${token}"}]` } });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/ALAS_JSSP_TOKENS/)]);
    expect(wrong.stderr).not.toContain(token);
    const loud = [...args.filter((arg) => arg !== '--quiet'), '--tokens', file];
    const { code, stderr } = await cli(loud, { interrupt });
    expect(code).toBe(0);
    // Windows has no modes of files.
    if (process.platform !== 'win32') expect(stderr).toContain('chmod 600');
    expect(stderr).not.toContain(token);
  });

  it.each([
    [['--limit', 'seconds=0'], /limit/],
    [['--limit', 'wishes=3'], /limit/],
    [['--port', '99999'], /port/],
    [['--host', 'nowhere.invalid', '--tokens', 'missing.json'], /missing\.json/],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await cli(['serve', '--demo', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('reports an address that is already in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await cli(['serve', '--demo', '--port', String(port)]);
    other.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('choose another port')]);
  });
});

/** The command in a process of its own, once it listens. */
async function start(data: string) {
  const args = [bin, 'serve', '--port', '0', '--data', data, '--quiet'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, process: child, ended };
}
