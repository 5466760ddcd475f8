import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.js';
import { resumeRun, runWorkflow } from '../../workflow/src/hosts/run.js';
import type { Registry } from '../../workflow/src/interpreter/registry.js';
import { type Workflow, workflowSchema } from '../../workflow/src/ir/workflow.js';
import type { Json } from '../../workflow/src/log/entry.js';
import { createMemoryStore } from '../../workflow/src/log/memory-store.js';
import { changesetRegistry } from '../src/handlers.js';
import { plant, treeOf } from './tree.js';

const timed = { timeout: { seconds: 60 } };

function undoneBy(handler: string) {
  return { ...timed, idempotencyKey: {}, compensation: { handler, safeReinvoke: true } };
}

/** Two steps that edit, one that applies, and one that may fail. */
function workflow(): Workflow {
  const step = (id: string) => ({
    id,
    type: 'task',
    handler: 'changeset.write',
    effect: 'compensable',
    policyRef: 'write',
    input: { edits: `input.${id}` },
  });
  return workflowSchema.parse({
    schema: 'alas-jssp/workflow@1',
    name: 'edits',
    nodes: [
      step('first'),
      step('second'),
      {
        id: 'apply',
        type: 'task',
        handler: 'changeset.apply',
        effect: 'compensable',
        policyRef: 'apply',
        input: { changeset: 'outputs.second.changeset' },
      },
      { id: 'end', type: 'task', input: { fails: 'input.fails' } },
    ],
    edges: [
      { from: 'first', to: 'second' },
      { from: 'second', to: 'apply' },
      { from: 'apply', to: 'end' },
    ],
    defaultPolicy: 'timed',
    policies: { timed, write: undoneBy('changeset.discard'), apply: undoneBy('changeset.revert') },
  });
}

const edits = {
  first: [
    { op: 'write', path: 'a', text: 'A' },
    { op: 'write-bytes', path: 'bytes', base64: 'AP8=', mode: 0o600 },
  ],
  second: [
    { op: 'make-directory', path: 'd' },
    { op: 'rename', path: 'a', to: 'd/a' },
    { op: 'remove', path: 'b' },
  ],
};

function prepare() {
  const directory = temporaryDirectory();
  const root = join(directory, 'root');
  plant(root, { a: 'a', b: 'b' });
  const place = { root, directory: join(directory, 'changesets') };
  const stock = changesetRegistry(place);
  const end = {
    run: ({ fails }: { fails: boolean }) => {
      if (fails) throw new Error('no');
      return {};
    },
  };
  const registry: Registry = { ...stock, handlers: { ...stock.handlers, end } };
  return { root, registry, before: treeOf(root) };
}

describe('changesets as effects of steps', () => {
  it('apply what all steps of a run edited', async () => {
    const { root, registry } = prepare();
    const store = createMemoryStore();
    const input = { ...edits, fails: false };
    const { status } = await runWorkflow(workflow(), input, { registry, store });
    expect(status).toBe('COMPLETED');
    expect(treeOf(root)).toEqual({ bytes: '600 00ff', d: 'directory', 'd/a': '644 41' });
  });

  it('are reverted and discarded when a later step fails', async () => {
    const { root, registry, before } = prepare();
    const store = createMemoryStore();
    const input = { ...edits, fails: true };
    const { status } = await runWorkflow(workflow(), input, { registry, store, runId: 'r' });
    expect(status).toBe('COMPENSATED');
    expect(treeOf(root)).toEqual(before);
    const undone = [...store.read({ runId: 'r' })]
      .filter(({ eventType }) => eventType === 'Compensated')
      .map(({ nodeId }) => nodeId);
    expect(undone).toEqual(['apply', 'second', 'first']);
  });

  it('refuse edits that are none, with the path', async () => {
    const { root, registry, before } = prepare();
    const input: Json = { ...edits, second: [{ op: 'format', path: 'a' }], fails: false };
    const options = { registry, store: createMemoryStore() };
    const { status, error } = await runWorkflow(workflow(), input, options);
    expect(status).toBe('COMPENSATED');
    expect(error).toMatchObject({ code: 'bad_edits', nodeId: 'second' });
    expect(error?.message).toContain('$.edits[0].op');
    expect(treeOf(root)).toEqual(before);
  });

  it.each(['before', 'after'])(
    'are made once by a run that breaks off %s each step',
    async (when) => {
      for (const node of ['first', 'second', 'apply']) {
        const { root, registry } = prepare();
        const store = createMemoryStore();
        const rules = [{ label: 'crash', node, kind: 'crash' as const, when: when as 'before' }];
        const inject = { schema: 'alas-jssp/faults@1' as const, rules };
        const input = { ...edits, fails: false };
        const run = runWorkflow(workflow(), input, { registry, store, runId: 'r', inject });
        await expect(run).rejects.toMatchObject({ code: 'InjectedCrash' });
        expect((await resumeRun(store, 'r', { registry })).status).toBe('COMPLETED');
        expect(treeOf(root)).toEqual({ bytes: '600 00ff', d: 'directory', 'd/a': '644 41' });
      }
    },
  );
});
