import { describe, expect, it } from 'vitest';
import { runWorkflow } from '../../../src/hosts/run.js';
import { requireSoundWorkflow } from '../../../src/ir/check/sound.js';
import { toWorkflow } from '../../../src/ir/workflow-file.js';
import { createMemoryStore } from '../../../src/log/memory-store.js';

const pure = { a: { kind: 'pure' as const, run: (n: number) => n + 1 } };
const form = {
  schema: 'alas-jssp/workflow@1',
  name: 'w',
  nodes: [{ id: 'a', type: 'task' }],
  edges: [],
};
const unsound = toWorkflow(form);
const sound = () => toWorkflow({ ...form, policies: { p: {} }, defaultPolicy: 'p' });

describe('a run', () => {
  it('does not begin with errors that the checker finds, and leaves nothing in the log', async () => {
    const store = createMemoryStore();
    const run = runWorkflow(unsound, 1, { registry: { handlers: pure }, store });
    await expect(run).rejects.toMatchObject({
      code: 'unsound_workflow',
      message: '$.nodes[0]: a has no policy; give it a policyRef, or the workflow a defaultPolicy',
      value: [{ code: 'no_policy' }],
    });
    expect(store.runs()).toEqual([]);
  });

  it('begins with warnings, and with errors if that is asked for', async () => {
    const options = { registry: { handlers: pure }, store: createMemoryStore() };
    expect((await runWorkflow(sound(), 1, options)).output).toBe(2);
    expect((await runWorkflow(unsound, 1, { ...options, unchecked: true })).output).toBe(2);
  });
});

describe('a sound workflow', () => {
  it('is checked once with handlers of the same names and kinds', () => {
    const workflow = sound();
    requireSoundWorkflow(workflow, { handlers: pure });
    // It was found sound, and is not looked at again.
    (workflow as { defaultPolicy?: string }).defaultPolicy = 'q';
    requireSoundWorkflow(workflow, { handlers: { ...pure } });
    expect(() => requireSoundWorkflow(workflow, { handlers: { a: {} } })).toThrow('no policy q');
  });
});
