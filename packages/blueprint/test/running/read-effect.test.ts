import type { Toolset } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import type { StepContext } from '@alas-jssp/workflow';
import { expect, test } from 'vitest';
import type { NodeUndo } from '../../src/running/node-tool.js';
import { readEffect } from '../../src/running/read-effect.js';

const record = { record: 'order', id: 'input.id' };
const make = { name: 'make', access: 'change', records: [{ ...record, does: 'create' }] };
const look = {
  name: 'look',
  access: 'read',
  input: { required: ['id'] },
  refusals: ['RateLimited'],
  records: [{ ...record, does: 'read' }],
};

function undoWhose(code: string): NodeUndo {
  const call = async () => {
    throw new AlasError(code, 'it is refused', 'look');
  };
  const toolset = { tools: [make, look], call } as unknown as Toolset;
  const undo = { sequence: [{ tool: 'unmake', input: { id: 'input.id' } }] };
  return { tool: make, toolset, undo } as unknown as NodeUndo;
}

test.each([
  ['NotFound', 'absent'],
  ['no_such_order', 'absent'],
  ['RateLimited', undefined],
  ['BadToolInput', undefined],
  ['NotPermitted', undefined],
])('a reader that fails with %s says about the record: %s', async (code, expected) => {
  const context = { idempotencyKey: 'k', attempt: 1, slice: () => [] } as unknown as StepContext;
  expect(await readEffect(undoWhose(code), { id: 'o-1' }, context)).toBe(expected);
});
