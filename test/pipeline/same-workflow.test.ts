import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../packages/workflow/src/log/memory-store.js';
import { createSchemaChecks } from '../../packages/workflow/src/validation/schema-check.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';
import { pipelineWorkflow } from '../../src/pipeline/pipeline-workflow.js';
import { createPlanner } from '../../src/pipeline/planners/planners.js';

vi.mock(import('../../packages/workflow/src/validation/schema-check.js'), async (load) => {
  const actual = await load();
  return { ...actual, createSchemaChecks: vi.fn(actual.createSchemaChecks) };
});

describe('a pipeline that is handed a copy of its workflow for every task, as worker threads are', () => {
  it('compiles the schemas of a log once', async () => {
    const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
    const workflow = await pipelineWorkflow({ variant: 'full' });
    const store = createMemoryStore();
    for (const runId of ['one', 'two', 'three']) {
      const log = { store, runId };
      const context = { seed: 1, workflow: structuredClone(workflow), log };
      const { status } = await runPipeline(tiny, createPlanner('dispatch:spt'), context);
      expect(status).toBe('ok');
    }
    expect(store.runs()).toHaveLength(3);
    expect(createSchemaChecks).toHaveBeenCalledTimes(1);
  });
});
