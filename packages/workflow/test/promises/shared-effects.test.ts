import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import {
  compensateRun,
  createMemoryStore,
  type Json,
  replayRun,
  verifyLog,
  type Workflow,
} from '../../src/index.js';
import {
  createOutside,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

const CAUGHT = { catch: [{ errors: ['*'], handler: 'mend' }] };
const policies = {
  room: { ...SAGA, idempotencyKey: { template: 'room', scope: 'workflow' } },
  caught: CAUGHT,
};

const chain = (nodes: readonly object[]) => {
  const { nodes: all, edges } = program(nodes, { policies });
  return { nodes: all, edges };
};
const room = (id: string, params: Record<string, Json> = {}) =>
  step(id, params, { policyRef: 'room', input: { day: 'input' } });

/** A body whose failure is caught. */
function attempted(id: string, nodes: readonly object[]) {
  const part = { id, type: 'parallel', policyRef: 'caught', branches: { all: chain(nodes) } };
  return { nodes: [part, plainStep('mend')], edges: [] };
}

/** Two branches with one key: `x` books the room first. */
function both(x: readonly object[], y: readonly object[], after: readonly object[] = []): Workflow {
  const branches = { x: attempted('X', x), y: attempted('Y', y) };
  return program([{ id: 'both', type: 'parallel', branches }, ...after], { policies });
}

async function run(workflow: Workflow) {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  const options = { store, clock, runId: 'run', registry: world.registry };
  const result = await runWorkflow(workflow, 7, options);
  const check = async () => {
    expect(verifyLog(store).runs.flatMap(({ problems }) => problems)).toEqual([]);
    expect(await replayRun(store, 'run', options)).toMatchObject({ parity: true });
  };
  await check();
  const calls = world.calls.map((call) => call.replace(/both\/.\/(.)\/all\//, '$1/'));
  return { result, world, store, options, calls, check };
}

const ROOM_X = 'both/x/X/all/room';
const USED = { nodeId: ROOM_X, reason: 'used', detail: 'kept for both/y/Y/all/same' };

test('an effect that another branch was given is kept when the branch that made it fails, and the end says so', async () => {
  const x = [room('room'), plainStep('end', { after: 20, fail: 'Broken' })];
  const y = [plainStep('wait', { after: 5 }), room('same'), step('ticket')];
  const { result, world, calls } = await run(both(x, y));
  expect(result).toMatchObject({ status: 'COMPLETED', remaining: [USED] });
  expect(calls.filter((call) => call.startsWith('undo'))).toEqual([]);
  expect(world.there.get('room')).toBe(1);
  expect(world.there.size).toBe(2);
});

test('it is undone with the last branch that has it, after what builds on it', async () => {
  const x = [room('room'), plainStep('end', { after: 20, fail: 'Broken' })];
  const y = [
    plainStep('wait', { after: 5 }),
    room('same'),
    step('ticket'),
    plainStep('last', { after: 50, fail: 'Broken' }),
  ];
  const { result, world, calls } = await run(both(x, y));
  expect(result).toMatchObject({ status: 'COMPLETED', remaining: [] });
  expect(calls.filter((call) => call.startsWith('undo'))).toEqual(['undo Y/ticket', 'undo X/room']);
  expect(world.there.size).toBe(0);
});

test('a step that asks for an effect while it is being undone makes its own', async () => {
  const x = [room('room', { undoAfter: 10 }), plainStep('end', { after: 1, fail: 'Broken' })];
  const y = [plainStep('wait', { after: 5 }), room('same'), step('ticket')];
  const { result, world, calls } = await run(both(x, y));
  expect(result).toMatchObject({ status: 'COMPLETED', remaining: [] });
  const ofRoom = calls.filter((call) => /room|same/.test(call));
  expect(ofRoom).toEqual(['X/room', 'undo X/room', 'Y/same']);
  expect(world.there.get('room')).toBe(1);
});

test('a run that fails undoes what builds on a shared effect before that', async () => {
  const x = [room('room')];
  const y = [plainStep('wait', { after: 5 }), room('same'), step('ticket')];
  const { result, calls } = await run(both(x, y, [plainStep('last', { fail: 'Broken' })]));
  expect(result).toMatchObject({ status: 'COMPENSATED', remaining: [] });
  expect(calls.slice(-2)).toEqual(['undo Y/ticket', 'undo X/room']);
});

test('a step that a person wants undone takes along those that were given its effect', async () => {
  const x = [room('room')];
  const y = [plainStep('wait', { after: 5 }), room('same'), step('ticket')];
  const { store, options, world, check } = await run(both(x, y));
  const wanted = { ...options, nodeId: ROOM_X, evenCommitted: true };
  const result = await compensateRun(store, 'run', 'Ann', wanted);
  expect(result).toMatchObject({ status: 'COMPENSATED', remaining: [] });
  expect(world.there.size).toBe(0);
  expect(world.calls.slice(-2)).toEqual(['undo both/y/Y/all/ticket', `undo ${ROOM_X}`]);
  await check();
});

test('a body goes back also after a saga before it has failed and was caught', async () => {
  const caught = { id: 'X', type: 'parallel', policyRef: 'caught' };
  const nodes = [
    { ...caught, branches: { all: chain([step('a'), plainStep('b', { fail: 'Broken' })]) } },
    plainStep('mend'),
    plainStep('again'),
    { ...step('last'), handler: 'once', policyRef: 'back' },
  ];
  const edges = [
    { from: 'X', to: 'again' },
    { from: 'mend', to: 'again' },
    { from: 'again', to: 'last' },
  ];
  const back = { ...SAGA, catch: [{ errors: ['*'], backTo: 'again', times: 1 }] };
  const world = createOutside();
  let calls = 0;
  const once = {
    run: () => {
      if (calls++ === 0) throw new Error('not yet');
      return 1;
    },
  };
  const registry = { ...world.registry, handlers: { ...world.registry.handlers, once } };
  const parsed = program(nodes, { policies: { ...policies, back } });
  const result = await runWorkflow({ ...parsed, edges } as unknown as Workflow, 0, {
    store: createMemoryStore(),
    clock: virtualClock(),
    registry,
  });
  expect(result).toMatchObject({ status: 'COMPLETED' });
  expect(calls).toBe(2);
});

test('an effect of a run that completed is not undone while another run has it', async () => {
  const shared = { ...SAGA, idempotencyKey: { template: 'room', scope: 'resource' } };
  const book = step('book', {}, { policyRef: 'shared' });
  const workflow = program([book, step('ticket')], { policies: { shared } });
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  const options = { store, clock, registry: world.registry };
  await runWorkflow(workflow, 7, { ...options, runId: 'one' });
  await runWorkflow(workflow, 7, { ...options, runId: 'two' });
  const undo = (runId: string) =>
    compensateRun(store, runId, 'Ann', { ...options, evenCommitted: true });
  const kept = await undo('one');
  const detail = 'two:book of another run has it, too: undo that first';
  expect(kept).toMatchObject({
    status: 'COMPENSATION_FAILED',
    remaining: [{ nodeId: 'book', reason: 'failed', detail }],
  });
  expect(world.there.get('resource|room')).toBe(1);
  expect(await undo('two')).toMatchObject({ status: 'COMPENSATED', remaining: [] });
  expect(await undo('one')).toMatchObject({ status: 'COMPENSATED', remaining: [] });
  expect(world.there.size).toBe(0);
  for (const runId of ['one', 'two'])
    expect(await replayRun(store, runId, options)).toMatchObject({ parity: true });
  // Its key is free again.
  await runWorkflow(workflow, 7, { ...options, runId: 'three' });
  expect(world.there.get('resource|room')).toBe(1);
});

test('a run that asks for an effect of a completed run while that is undone makes its own', async () => {
  const shared = { ...SAGA, idempotencyKey: { template: 'room', scope: 'resource' } };
  const book = step('book', { undoAfter: 10 }, { policyRef: 'shared' });
  const workflow = program([book, step('ticket')], { policies: { shared } });
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  const options = { store, clock, registry: world.registry };
  await runWorkflow(workflow, 7, { ...options, runId: 'one' });
  const undoing = compensateRun(store, 'one', 'Ann', { ...options, evenCommitted: true });
  await clock.sleep(5000);
  const two = await runWorkflow(workflow, 7, { ...options, runId: 'two' });
  expect((await undoing).status).toBe('COMPENSATED');
  expect(two.status).toBe('COMPLETED');
  expect(world.calls.filter((call) => /book/.test(call))).toEqual(['book', 'undo book', 'book']);
  expect(world.there.get('resource|room')).toBe(1);
});
