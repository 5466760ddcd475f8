import {
  createMemoryStore,
  type FaultsSpec,
  type Registry,
  type RunResult,
  resumeRun,
  runWorkflow as runEmbedded,
  type Workflow,
} from '@alas-jssp/workflow';
import type { Json, LogEntry } from '@alas-jssp/workflow/interpreter';
import type { Client } from '@temporalio/client';
import { startServer } from '../server.mjs';
import { type Address, parseAddress } from '../src/address.js';
import { connect } from '../src/connection.js';
import { readEntries, runWorkflow, type TemporalRunOptions } from '../src/run/run-workflow.js';
import { startWorker, type TemporalWorker } from '../src/worker.js';

/** A server of its own for a test file, with a worker for each registry. */
export interface TestServer {
  readonly address: (queue: string) => Address;
  readonly client: Client;
  work(queue: string, registry: Registry): Promise<TemporalWorker>;
  stop(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const server = await startServer();
  const address = (queue: string) => parseAddress(server.address(queue));
  const client = await connect(address('alas-jssp'));
  const workers: TemporalWorker[] = [];
  return {
    address,
    client,
    async work(queue, registry) {
      const worker = await startWorker({ address: address(queue), slots: 1, registry });
      workers.push(worker);
      return worker;
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await client.connection.close();
      await server.stop();
    },
  };
}

/** Runs a workflow on the server, and reads its log. */
export async function runThere(
  { client, address }: TestServer,
  queue: string,
  workflow: Workflow,
  input: Json,
  options: Partial<TemporalRunOptions> & { readonly runId: string },
): Promise<{ result: RunResult; entries: LogEntry[] }> {
  const all = { client, address: address(queue), leaseSeconds: 5, ...options };
  const result = await runWorkflow(workflow, input, all);
  return { result, entries: await readEntries(client.workflow.getHandle(options.runId)) };
}

/** Runs a workflow in this process, again and again while faults break it off. */
export async function runHere(
  registry: Registry,
  workflow: Workflow,
  input: Json,
  options: { readonly runId: string; readonly inject?: FaultsSpec; readonly unchecked?: boolean },
): Promise<{ result: RunResult; entries: LogEntry[] }> {
  const store = createMemoryStore();
  const { runId } = options;
  const go = (): Promise<RunResult> =>
    runEmbedded(workflow, input, { ...options, registry, store, stay: true });
  const again = (error: { code?: string }): Promise<RunResult> => {
    if (error.code !== 'InjectedCrash') throw error;
    return resumeRun(store, runId, { ...options, registry, stay: true }).catch(again);
  };
  const result = await go().catch(again);
  return { result, entries: [...store.read({ runId })] };
}

/** A log without what may differ between hosts: times, owners, and which of several nodes was first. */
export function comparable(entries: readonly LogEntry[]): Record<string, unknown[]> {
  const byNode: Record<string, unknown[]> = {};
  for (const { nodeId, eventType, payload } of entries) {
    byNode[nodeId] ??= [];
    byNode[nodeId].push({ eventType, payload: withoutTimes(payload) });
  }
  return byNode;
}

const TIMES = ['owner', 'token', 'deadline', 'until', 'sent', 'software'];

function withoutTimes(payload: Json): unknown {
  const text = JSON.stringify(payload, (key, value) => (TIMES.includes(key) ? undefined : value));
  return JSON.parse(text) as unknown;
}
