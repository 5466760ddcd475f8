import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  cancelRun,
  createMemoryStore,
  defineWorkflow,
  replayRun,
  resumeRun,
  runWorkflow,
  signalRun,
  step,
  toWorkflow,
} from '../../src/index.js';
import { checkWorkflow } from '../../src/ir/check/check.js';
import type { JsonSchema } from '../../src/ir/workflow.js';

const n = z.number();

const FORM = {
  schema: 'alas-jssp/workflow@1',
  name: 'w',
  policies: { plain: {} },
  defaultPolicy: 'plain',
};

/** A saga of two effects, the second of which has an optional flag. */
function saga(flag: z.ZodType, undone: string[] = []) {
  const seen: unknown[] = [];
  const book = step('book', {
    input: z.object({ n }),
    output: z.object({ n }),
    run: (input) => input,
    undo: () => void undone.push('book'),
  });
  const pay = step('pay', {
    input: z.object({ n, flag }),
    run: (input) => {
      seen.push(input);
      return null;
    },
    undo: () => void undone.push('pay'),
  });
  const made = defineWorkflow('saga', { input: z.object({ n, flag }) }, (flow, input) => {
    const booked = flow.step(book, { n: input.n });
    return flow.step(pay, { n: booked.n, flag: input.flag } as never);
  });
  return { ...made, seen, undone };
}

describe('an input that may be absent', () => {
  test.each([
    ['has its default', z.boolean().default(false), { n: 1, flag: false }],
    ['stays absent', z.boolean().optional(), { n: 1 }],
    ['has the default of a list', z.array(z.string()).default(['a']), { n: 1, flag: ['a'] }],
    [
      'has the defaults inside of what is there',
      z.object({ deep: z.boolean().default(true) }).default({ deep: true }),
      { n: 1, flag: { deep: true } },
    ],
  ])('%s, and undoes nothing', async (_, flag, expected) => {
    const { run, seen, undone, workflow, registry } = saga(flag);
    const store = createMemoryStore();
    const result = await run({ n: 1 } as never, { store, runId: 'r' });
    expect(result.status).toBe('COMPLETED');
    expect(seen).toEqual([expected]);
    expect(undone).toEqual([]);
    expect(checkWorkflow(workflow, registry)).toEqual([]);
    expect((await replayRun(store, 'r', { registry })).parity).toBe(true);
  });

  test('has the defaults that lie deeper in a value that is there', async () => {
    const { run, seen } = saga(z.object({ deep: z.boolean().default(true) }));
    await run({ n: 1, flag: {} } as never);
    expect(seen).toEqual([{ n: 1, flag: { deep: true } }]);
  });

  test('is the same run, whether a default is given or left out', async () => {
    const { workflow, registry } = saga(z.boolean().default(false));
    const options = { store: createMemoryStore(), registry, runId: 'r' };
    const first = await runWorkflow(workflow, { n: 1 }, options);
    const again = await runWorkflow(workflow, { n: 1, flag: false }, options);
    expect(again.versions).toBe(first.versions);
  });

  test('has the default of the message that a node waits for', async () => {
    const reported = step('reported', {
      input: z.object({ urgent: z.boolean() }),
      output: z.object({ urgent: z.boolean() }),
      run: (input) => input,
    });
    const { workflow, registry } = defineWorkflow('waits', { input: z.object({}) }, (flow) =>
      flow.step(
        reported,
        flow.wait('go', z.object({ urgent: z.boolean().default(false) }), { seconds: 9 }),
      ),
    );
    const store = createMemoryStore();
    await runWorkflow(workflow, {}, { store, registry, runId: 'r' });
    await signalRun(store, 'r', { name: 'go', data: {} });
    const { status, output } = await resumeRun(store, 'r', { registry });
    expect({ status, output }).toEqual({ status: 'COMPLETED', output: { urgent: false } });
  });
});

const object = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema =>
  ({ type: 'object', properties, required, additionalProperties: false }) as JsonSchema;
const flag = { type: 'boolean' } as JsonSchema;
const WITH = object({ flag }, ['flag']);

function pair(given: JsonSchema, taken: JsonSchema, input: string | Record<string, string>) {
  return toWorkflow({
    ...FORM,
    nodes: [
      { id: 'a', type: 'task', io: { output: given } },
      { id: 'b', type: 'task', input, io: { input: taken } },
    ],
    edges: [{ from: 'a', to: 'b' }],
  });
}

const errorsOf = (workflow: Parameters<typeof checkWorkflow>[0]) =>
  checkWorkflow(workflow).filter(({ severity }) => severity === 'error');
const codes = (workflow: Parameters<typeof checkWorkflow>[0]) =>
  errorsOf(workflow)
    .map(({ code }) => code)
    .filter((code) => code !== 'no_timeout');

describe('the checker', () => {
  test.each([
    ['a key that may be missing', object({ flag }, []), { flag: 'outputs.a.flag' }, 'refuses'],
    ['a key that is always there', WITH, { flag: 'outputs.a.flag' }, 'accepts'],
    [
      'a key with a default',
      object({ flag: { type: 'boolean', default: true } as JsonSchema }, []),
      { flag: 'outputs.a.flag' },
      'accepts',
    ],
    [
      'a key of a value that may be null',
      { anyOf: [WITH, { type: 'null' }] } as JsonSchema,
      { flag: 'outputs.a.flag' },
      'refuses',
    ],
    ['a whole input that may be missing', object({ x: WITH }, []), 'outputs.a.x', 'refuses'],
  ] as const)('judges %s', (_, given, input, verdict) => {
    const expected = verdict === 'refuses' ? ['incompatible_schemas'] : [];
    expect(codes(pair(given, WITH, input))).toEqual(expected);
  });

  test('accepts what may be missing where it need not be there', () => {
    expect(
      codes(pair(object({ flag }, []), object({ flag }, []), { flag: 'outputs.a.flag' })),
    ).toEqual([]);
  });

  test('refuses what a node gives that need not have run where it is required', () => {
    const workflow = toWorkflow({
      ...FORM,
      nodes: [
        { id: 'which', type: 'choice' },
        { id: 'a', type: 'task', io: { output: WITH } },
        { id: 'b', type: 'task' },
        { id: 'c', type: 'task', input: { flag: 'outputs.a.flag' }, io: { input: WITH } },
      ],
      edges: [
        { from: 'which', to: 'a', kind: 'branch', guard: 'true' },
        { from: 'which', to: 'b', kind: 'default' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'c' },
      ],
    });
    expect(codes(workflow)).toEqual(['incompatible_schemas']);
  });
});

describe('the result of a run that waits', () => {
  test('says what it waits for, and nothing once it has ended', async () => {
    const workflow = toWorkflow({
      ...FORM,
      nodes: [
        { id: 'pay', type: 'task', approval: 'manager', policyRef: 'waits' },
        { id: 'news', type: 'wait', message: 'news', policyRef: 'waits' },
      ],
      edges: [],
      policies: { plain: {}, waits: { wait: { seconds: 100 } } },
    });
    const registry = { handlers: { pay: { kind: 'pure' as const, run: () => null } } };
    const store = createMemoryStore();
    const waiting = await runWorkflow(workflow, null, { store, registry, runId: 'r' });
    expect(waiting).toMatchObject({
      status: 'WAITING',
      waitsFor: [
        { kind: 'approval', name: 'manager' },
        { kind: 'message', name: 'news' },
      ],
    });
    cancelRun(store, 'r', { by: 'me', reason: 'enough' });
    expect(await resumeRun(store, 'r', { registry })).toMatchObject({
      status: 'CANCELLED',
      waitsFor: [],
    });
  });
});
