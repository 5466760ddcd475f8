import type { Toolset } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { DoneEffect, StepContext } from '@alas-jssp/workflow';
import { expect, test } from 'vitest';
import type { NodeUndo } from '../../src/running/node-tool.js';
import { createUndoCompensator } from '../../src/running/undo-compensator.js';

test('a tool that is busy when its call is repeated may have acted before: the effect is listed, not dropped', async () => {
  const pay = {
    name: 'pay',
    access: 'change',
    idempotent: true,
    refusals: ['Busy'],
    records: [{ does: 'create', record: 'payment', id: 'output.id' }],
  };
  const call = async () => {
    throw new AlasError('Busy', 'try again', 'pay');
  };
  const nodeUndo = {
    tool: pay,
    toolset: { tools: [pay], call } as unknown as Toolset,
    catalogue: { tools: [pay] },
    constants: {},
    undo: { strategy: 'undo', sequence: [{ tool: 'cancel', input: { id: 'output.id' } }] },
  } as unknown as NodeUndo;
  const effect = { idempotencyKey: 'k', input: {}, output: null, redacted: [] } as DoneEffect;
  const timeout = { nodeId: 'pay', eventType: 'Timeout', payload: {} };
  const context = { nodeId: 'pay', idempotencyKey: 'u', attempt: 1, slice: () => [timeout] };
  const undone = createUndoCompensator(nodeUndo).run(effect, context as unknown as StepContext);
  await expect(undone).rejects.toMatchObject({ code: 'UnknownEffect' });
});
