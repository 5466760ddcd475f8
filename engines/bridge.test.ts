import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryStore, type Handler, runWorkflow } from '../packages/workflow/src/index.js';
import { resolveSources, runPipeline } from '../src/index.js';
import type { PipelineEngine } from '../src/pipeline/pipeline.js';
import { loadPlanner } from '../src/pipeline/planners/planners.js';
import { type Bridge, startBridge } from './bridge.mjs';

let bridge: Bridge;

beforeAll(async () => {
  bridge = await startBridge();
});

afterAll(() => bridge.stop());

async function call(sent: object) {
  const response = await fetch(`${bridge.url}/call`, {
    method: 'POST',
    body: JSON.stringify(sent),
  });
  return response.json() as Promise<{ output?: never; error?: { code: string; message: string } }>;
}

/** Our own runtime with handlers that know nothing but the call, and reach the real ones over the bridge. */
const overBridge: PipelineEngine = async (workflow, input, registry, codec) => {
  const runId = `run-${Math.random()}`;
  bridge.add(runId, { workflow, registry, codec });
  const remote = (handler: string): Handler => ({
    async run(given, { nodeId: path }) {
      const { output, error } = await call({ kind: 'run', handler, path, runId, input: given });
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
      return output;
    },
  });
  const names = Object.keys(registry.handlers).map((name) => [name, remote(name)]);
  const handlers: Record<string, Handler> = Object.fromEntries(names);
  const options = { registry: { handlers }, store: createMemoryStore(), runId, unchecked: true };
  const result = await runWorkflow(workflow, input, options);
  const outputOf = (id: string) => {
    const output = result.outputOf(id);
    return output === undefined ? undefined : codec.decode(output as never);
  };
  return { ...result, outputOf };
};

test.each([
  ['dispatch:mwkr', 'full'],
  ['degraded:0.3', 'full'],
  ['degraded:0.3', 'no-repair'],
  ['degraded:0.3', 'blind-repair'],
  ['degraded:0.3', 'no-validation'],
  ['file:no-{instance}.json', 'full'],
] as const)('pipelines end the same over the bridge: %s, %s', async (spec, variant) => {
  const [source] = resolveSources('ft06');
  const planner = await loadPlanner(spec);
  const budget = { iterations: 500 };
  const context = { variant, seed: 7, repair: { seed: 8 }, optimize: { seed: 9, budget } };
  const run = async (engine?: PipelineEngine) => {
    const result = await runPipeline(source.load(), planner, { ...context, engine });
    // Their seconds are measured, and bounds come as the clock has it.
    return { ...result, seconds: null, progress: null };
  };
  const here = await run();
  expect(await run(overBridge)).toEqual(here);
  expect(here.error === null).toBe(spec !== 'file:no-{instance}.json');
});

test('calls that fit no run and no task are refused', async () => {
  const sent = { kind: 'run', handler: 'plan', path: 'plan', runId: 'nobody', input: null };
  expect(await call(sent)).toEqual({
    error: { code: 'bad_call', message: 'there is no run nobody' },
  });
});
