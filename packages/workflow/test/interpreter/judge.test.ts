import { expect, test } from 'vitest';
import { type Registry, replayRun, type Validator } from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

const workflow = flow({
  nodes: [effect('a'), { ...plain('b'), policyRef: 'again' }],
  edges: chain('a', 'b'),
  policies: { saga: SAGA, again: { retry: { maxAttempts: 3, retryOn: ['Busy'] } } },
});

const judgedBy = (parts: Partial<Registry>) => {
  const world = createWorld();
  return { world, registry: { ...world.registry, ...parts } };
};

test('what a validator lets pass is committed, and a replay asks it again', async () => {
  const options = judgedBy({ validators: { b: () => ({ outcome: 'pass' }) } });
  const { result, entries, store } = await runIn(workflow, 1, options);
  expect(result.output).toBe(3);
  expect(entryLines(entries, 'ValidatePass', 'EndNode').slice(1)).toEqual([
    'ValidatePass b',
    'EndNode b',
  ]);
  const strict = judgedBy({ validators: { b: () => ({ outcome: 'reject', errors: [] }) } });
  const { divergence } = await replayRun(store, 'run', strict);
  expect(divergence).toMatchObject({ cause: 'code', nodeId: 'b' });
});

test('what it rejects is not committed, and the run is undone', async () => {
  const validator: Validator = () => ({ outcome: 'reject', errors: ['too long', 'too dear'] });
  const { result, entries, world } = await runIn(
    workflow,
    1,
    judgedBy({ validators: { plain: validator } }),
  );
  expect(result).toMatchObject({
    status: 'COMPENSATED',
    error: { code: 'Rejected', message: 'the validator rejects the value: too long (and 1 more)' },
  });
  expect(world.standing.size).toBe(0);
  expect(entryLines(entries, 'ValidateFail', 'Retry', 'EndNode')).toEqual([
    'EndNode a',
    'ValidateFail b',
  ]);
});

test('a validator that throws lets nothing pass, and the run does not break off', async () => {
  const broken: Validator = () => {
    throw new TypeError('no such key');
  };
  for (const part of ['validators', 'inputValidators']) {
    const { result, entries, store, world } = await runIn(
      workflow,
      1,
      judgedBy({ [part]: { b: broken } }),
    );
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Rejected' } });
    const fail = entries.find(({ eventType }) => eventType === 'ValidateFail');
    expect(fail?.payload).toMatchObject({ errors: ['the validator failed: no such key'] });
    expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
  }
});

test.each([
  [undefined, 'the validator rejects the value'],
  [[{ message: 'too long', at: 7 }], 'the validator rejects the value: too long'],
  [[7], 'the validator rejects the value: 7'],
])('reasons %j are reported', async (errors, message) => {
  const validators = { b: () => ({ outcome: 'reject', errors }) as never };
  const { result } = await runIn(workflow, 1, judgedBy({ validators }));
  expect(result.error).toMatchObject({ code: 'Rejected', message });
});

test.each([undefined, true, { outcome: 'ok' }])(
  'an answer %j is no verdict and rejects',
  async (odd) => {
    for (const part of ['validators', 'inputValidators']) {
      const options = judgedBy({ [part]: { b: () => odd as never } });
      const { result, entries, world } = await runIn(workflow, 1, options);
      expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Rejected' } });
      expect(world.standing.size).toBe(0);
      const fail = entries.find(({ eventType }) => eventType === 'ValidateFail');
      expect(JSON.stringify(fail?.payload)).toContain('no { outcome } of pass, reject, augment');
    }
  },
);

test('a replay asks the validators of inputs again', async () => {
  const judges =
    (limit: number): Validator =>
    ({ value, committed }) =>
      Number(value) < limit && committed.a === 2
        ? { outcome: 'pass' }
        : { outcome: 'reject', errors: [] };
  const inputValidators = { b: judges(5) };
  const { result, store } = await runIn(workflow, 1, judgedBy({ inputValidators }));
  expect(result.status).toBe('COMPLETED');
  const again = await replayRun(store, 'run', judgedBy({ inputValidators }));
  expect(again).toMatchObject({ parity: true, decisions: 3 });
  const strict = await replayRun(store, 'run', judgedBy({ inputValidators: { b: judges(1) } }));
  expect(strict.divergence).toMatchObject({ cause: 'code', nodeId: 'b' });
  const refused = await runIn(workflow, 1, judgedBy({ inputValidators: { b: judges(1) } }));
  const lax = await replayRun(refused.store, 'run', judgedBy({ inputValidators }));
  expect(lax.divergence?.message).toBe('the validator of the input now says pass');
});

test('an augmented value continues with its corrections', async () => {
  const validator: Validator = () => ({ outcome: 'augment', value: 50, corrections: ['rounded'] });
  const { result, store, world } = await runIn(
    workflow,
    1,
    judgedBy({ validators: { b: validator } }),
  );
  expect(result.output).toBe(50);
  expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
});

test('its feedback reaches the next attempt, as long as there is one', async () => {
  const seen: unknown[] = [];
  const plainHandler = {
    run: (_: unknown, { feedback }: { feedback: readonly unknown[] }) => {
      seen.push([...feedback]);
      return feedback.length;
    },
  };
  const { world, registry } = judgedBy({
    validators: {
      b: ({ value }) =>
        value === 2 ? { outcome: 'pass' } : { outcome: 'feedback', feedback: `not ${value}` },
    },
  });
  const handlers = { ...registry.handlers, plain: plainHandler };
  const { result } = await runIn(workflow, 1, { world, registry: { ...registry, handlers } });
  expect(result).toMatchObject({ status: 'COMPLETED', output: 2 });
  expect(seen).toEqual([[], ['not 0'], ['not 0', 'not 1']]);
});

test('a delivery is judged before the step begins, and sees what was committed', async () => {
  const committed: unknown[] = [];
  const handOver: Validator = (judged) => {
    committed.push(judged.committed);
    return { outcome: 'augment', value: 10, corrections: [] };
  };
  const { result, entries } = await runIn(
    workflow,
    1,
    judgedBy({ inputValidators: { b: handOver } }),
  );
  expect(result.output).toBe(11);
  expect(committed).toEqual([{ a: 2 }]);
  expect(entryLines(entries, 'HandOver', 'StartNode').slice(1)).toEqual([
    'HandOver b',
    'StartNode b',
  ]);
  const refused = await runIn(
    workflow,
    1,
    judgedBy({ inputValidators: { a: () => ({ outcome: 'reject', errors: [] }) } }),
  );
  expect(refused.result).toMatchObject({
    status: 'FAILED',
    error: { code: 'Rejected', nodeId: 'a' },
  });
  expect(refused.world.calls).toEqual([]);
});

test('a validator of an output also sees the input of the step, in a replay too', async () => {
  const seen: unknown[] = [];
  const grows: Validator = ({ input, value }) => {
    seen.push([input, value]);
    if (Number(value) > Number(input)) return { outcome: 'pass' };
    return { outcome: 'reject', errors: [`${value} is not above ${input}`] };
  };
  const options = judgedBy({ validators: { b: grows } });
  const { result, store } = await runIn(workflow, 1, options);
  expect(result.status).toBe('COMPLETED');
  expect(await replayRun(store, 'run', options)).toMatchObject({ parity: true });
  expect(seen).toEqual([
    [2, 3],
    [2, 3],
  ]);
});
