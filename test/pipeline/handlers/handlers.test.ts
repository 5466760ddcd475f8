import { expect, it } from 'vitest';
import { type Json, runWorkflow } from '../../../packages/workflow/src/index.js';
import { createMemoryStore } from '../../../packages/workflow/src/log/memory-store.js';
import { findBenchmark } from '../../../src/jssp/suites.js';
import { fillPipelineInput } from '../../../src/pipeline/pipeline-input.js';
import { pipelineWorkflow } from '../../../src/pipeline/pipeline-workflow.js';
import { createReplayRegistry } from '../../../src/pipeline/replay-registry.js';

const store = createMemoryStore();

/** Runs the pipeline on a large instance as a workflow of its own. */
async function plan(runId: string, budget: string, signal?: AbortSignal): Promise<string> {
  const source = findBenchmark('dmu80');
  if (source === undefined) throw new Error('there is no dmu80');
  const { input, instance } = fillPipelineInput({ budget }, 0, () => source);
  const settings = { budget: { iterations: 1 }, seed: 0 };
  const workflow = await pipelineWorkflow({ variant: 'full', optimize: settings });
  const task = { ...input } as unknown as Json;
  const registry = createReplayRegistry(task, () => instance);
  const { status } = await runWorkflow(workflow, task, { registry, store, runId, signal });
  return status;
}

it('ends a search with its run, so that the next one need not wait for it', async () => {
  const abort = new AbortController();
  const watch = setInterval(() => {
    const isSearching = [...store.read({ runId: 'long' })].some(
      ({ nodeId }) => nodeId === 'optimize',
    );
    if (isSearching) abort.abort(new Error('enough'));
  }, 20);
  try {
    expect(await plan('long', '1h', abort.signal)).toBe('CANCELLED');
    expect(await plan('short', '10-iterations')).toBe('COMPLETED');
  } finally {
    clearInterval(watch);
  }
});
