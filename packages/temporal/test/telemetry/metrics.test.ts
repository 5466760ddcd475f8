import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WORKFLOW_SCHEMA, workflowSchema } from '@alas-jssp/workflow';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { parseAddress } from '../../src/address.js';
import { runWorkflow } from '../../src/run/run-workflow.js';
import { spawnWorker } from '../suite/worker-process.js';

const workflow = workflowSchema.parse({
  schema: WORKFLOW_SCHEMA,
  name: 'empty',
  nodes: [{ id: 'which', type: 'choice' }],
  edges: [],
  policies: { plain: {} },
  defaultPolicy: 'plain',
});

/** Listens as a collector of OpenTelemetry does, and keeps the paths of the requests. */
function startCollector(paths: Set<string>): Promise<Server> {
  const collector = createServer((request, response) => {
    paths.add(request.url ?? '');
    request.resume().on('end', () => response.end());
  });
  return new Promise((resolve) => collector.listen(0, '127.0.0.1', () => resolve(collector)));
}

describe.skipIf(find() === undefined)('metrics', () => {
  let server: Awaited<ReturnType<typeof startServer>>;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(async () => {
    await server.stop();
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('of a worker are there for Prometheus', async () => {
    const port = await freePort();
    vi.stubEnv('ALAS_JSSP_TEMPORAL_METRICS', `127.0.0.1:${port}`);
    const worker = await spawnWorker(server.address('metrics'));
    const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect
      .poll(scrape, { timeout: 20_000 })
      .toMatch(/^temporal_worker_start_total.*metrics.* \d/m);
    await worker.end();
  });

  it('and spans of a worker go to a collector', async () => {
    const paths = new Set<string>();
    const collector = await startCollector(paths);
    const { port } = collector.address() as AddressInfo;
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`);
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100');
    const address = parseAddress(server.address('collected'));
    const worker = await spawnWorker(server.address('collected'));
    await runWorkflow(workflow, 1, { address, unchecked: true });
    await expect
      .poll(() => [...paths].sort(), { timeout: 20_000 })
      .toEqual(['/v1/metrics', '/v1/traces']);
    await worker.end();
    collector.close();
  });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
