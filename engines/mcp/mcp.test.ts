import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createCompute } from '../../packages/service/src/compute/compute.js';
import { guardAccess } from '../../packages/service/src/http/access.js';
import { createApp } from '../../packages/service/src/http/app.js';
import type { Routes } from '../../packages/service/src/http/context.js';
import { takeJsonBodies } from '../../packages/service/src/http/json-body.js';
import { fillLimits } from '../../packages/service/src/http/limits.js';
import { answerToError, sendProblem } from '../../packages/service/src/http/problems.js';
import { addAgentRoute } from '../../packages/service/src/mcp/http.js';
import type { ShopDirectory } from '../../packages/service/src/shops/shop-directory.js';
import { conformanceServer } from './fixtures.js';

// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const place = join(home, 'mcp-conformance-0.1.12-inspector-1.0.3');
const suite = join(place, 'node_modules/.bin/conformance');
// Its command expects another layout; its program looks for its package from where it stands.
const inspector = join(place, 'node_modules/@modelcontextprotocol/inspector-cli/build');
const bin = fileURLToPath(new URL('../../bin/alas-jssp.js', import.meta.url));
const run = promisify(execFile);

/** The scenarios of the suite by whether they passed. */
async function conformance(url: string, ...more: string[]): Promise<Record<string, boolean>> {
  const args = ['server', '--url', `${url}/mcp`, ...more];
  // It ends with 1 where a scenario fails.
  const { stdout } = await run(suite, args).catch((error: { stdout: string }) => error);
  const lines = stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm);
  return Object.fromEntries(Array.from(lines, ([, sign, name]) => [name, sign === '✓']));
}

/** A shopless service of ours. */
async function service() {
  const app = await createApp({ directory: { list: () => [] } as unknown as ShopDirectory });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** The fixtures of the suite behind our route. */
async function fixtures() {
  const app = fastify();
  app.setErrorHandler((error, _, reply) => sendProblem(reply, answerToError(error)));
  const compute = createCompute(fillLimits());
  app.addHook('onClose', () => compute.stop());
  takeJsonBodies(app, compute);
  guardAccess(app, [], []);
  addAgentRoute(app as unknown as Routes, conformanceServer);
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** An answer of the inspector. */
async function inspect(...args: string[]) {
  const { stdout } = await run(process.execPath, ['index.js', ...args], {
    cwd: inspector,
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout);
}

describe.skipIf(!existsSync(join(place, 'installed.json')))('the conformance suite', () => {
  it('passes what a service of ours offers', async () => {
    const { app, url } = await service();
    const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'];
    for (const scenario of [...scenarios, 'dns-rebinding-protection']) {
      const { stdout } = await run(suite, [
        ...['server', '--url', `${url}/mcp`, '--scenario', scenario],
      ]);
      expect(stdout, scenario).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    }
    await app.close();
  });

  it('passes all but the questions of servers to clients, with its own tools behind our route', async () => {
    const { app, url } = await fixtures();
    const passed = await conformance(url, '--suite', 'all');
    await app.close();
    const failed = Object.keys(passed).filter((name) => !passed[name]);
    expect(Object.keys(passed).length).toBe(32);
    expect(failed.toSorted()).toEqual([
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-elicitation',
      'tools-call-sampling',
    ]);
  });
});

describe.skipIf(!existsSync(join(place, 'installed.json')))('the inspector', () => {
  const call = ['--method', 'tools/call', '--tool-name', 'show_instance'];

  it('lists tools, and calls one, over stdin and stdout', async () => {
    const command = [process.execPath, bin, 'mcp'];
    const { tools } = await inspect(...command, '--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('repair_plan');
    const shown = await inspect(...command, ...call, '--tool-arg', 'instance=ft06');
    expect(shown.structuredContent).toMatchObject({ instance: 'ft06', operations: 36 });
    const { resources } = await inspect(...command, '--method', 'resources/list');
    expect(resources.length).toBeGreaterThan(5);
  });

  it('does so over HTTP', async () => {
    const { app, url } = await service();
    const where = [`${url}/mcp`, '--transport', 'http'];
    const { tools } = await inspect(...where, '--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('report_event');
    const shown = await inspect(...where, ...call, '--tool-arg', 'instance=ft06');
    expect(shown.structuredContent).toMatchObject({ instance: 'ft06', operations: 36 });
    const { prompts } = await inspect(...where, '--method', 'prompts/list');
    expect(prompts).toHaveLength(3);
    await app.close();
  });
});
