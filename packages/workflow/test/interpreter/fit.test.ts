import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  createNullStore,
  EVENT_TYPES,
  type Handler,
  type Json,
  type LogEntry,
  type LogStore,
  redacting,
  replayRun,
  resumeRun,
  runWorkflow,
  verifyLog,
} from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

const integer = { type: 'integer' };
const schemas = { even: { type: 'integer', multipleOf: 2 } };

/** A world in which the node's params say what it gives: a list has one output for each attempt. */
function giving(more: Record<string, Handler> = {}) {
  const world = createWorld();
  const gives: Handler = {
    kind: 'pure',
    run: (input: Json, { params, attempt }) => {
      const list = (params.gives ?? [input]) as Json[];
      return list[Math.min(attempt, list.length) - 1];
    },
  };
  const handlers = { ...world.registry.handlers, gives, ...more };
  return { ...world, registry: { ...world.registry, handlers } };
}

const gives = (id: string, io: object, ...outputs: Json[]) => ({
  id,
  type: 'task',
  handler: 'gives',
  io,
  ...(outputs.length === 0 ? {} : { params: { gives: outputs } }),
});

const refusals = (entries: readonly LogEntry[]) =>
  entries
    .filter(({ eventType }) => eventType === 'ValidateFail')
    .map(({ nodeId, payload }) => ({ nodeId, ...(payload as object) }));

/** Schemas, each with a test of its values without any library. */
const isEven = (value: Json | undefined) => Number.isInteger(value) && Number(value) % 2 === 0;
const KINDS = [
  { schema: undefined, fits: () => true },
  {
    schema: { type: 'integer', minimum: 0 },
    fits: (v: Json) => Number.isInteger(v) && Number(v) >= 0,
  },
  { schema: { enum: [1, 2, 'a'] }, fits: (v: Json) => [1, 2, 'a'].includes(v as string) },
  { schema: { $ref: '#/schemas/even' }, fits: isEven },
  {
    schema: {
      type: 'object',
      required: ['n'],
      properties: { n: { $ref: '#/schemas/even' } },
    },
    fits: (v: Json) => v !== null && typeof v === 'object' && isEven((v as { n?: Json }).n),
  },
] as const;

const kind = fc.constantFrom(...KINDS);
const value = fc.constantFrom<Json>(0, 1, 2, -2, 'a', null, { n: 2 }, { n: 1 }, {});
const steps = fc.array(fc.record({ takes: kind, has: kind, value }), {
  minLength: 1,
  maxLength: 4,
});

/** The first thing that does not fit on the way through the steps. */
function firstMisfit(all: readonly { takes: Kind; has: Kind; value: Json }[], input: Json) {
  let before = input;
  for (const [k, { takes, has, value }] of all.entries()) {
    if (!takes.fits(before)) return { code: 'BadInput', nodeId: `n${k}` };
    if (!has.fits(value)) return { code: 'BadOutput', nodeId: `n${k}` };
    before = value;
  }
  return undefined;
}
type Kind = (typeof KINDS)[number];

describe('schemas of inputs and outputs', () => {
  test('let through exactly what fits, wherever the run is broken off, and a replay agrees', async () => {
    const seen = new Set<string | undefined>();
    await fc.assert(
      fc.asyncProperty(steps, value, fc.nat(12), async (all, input, cut) => {
        const ids = all.map((_, k) => `n${k}`);
        const nodes = all.map(({ takes, has, value }, k) =>
          gives(ids[k], { input: takes.schema, output: has.schema }, value),
        );
        const workflow = flow({ nodes, edges: chain(...ids), schemas });
        const { registry } = giving();
        const options = { registry, clock: virtualClock() };
        const store = createMemoryStore();
        const broken = { ...store, append: breaking(store, cut) };
        const result = await runWorkflow(workflow, input, {
          ...options,
          store: broken,
          runId: 'run',
          unchecked: true,
        }).catch(() => (store.runs().length === 0 ? undefined : resumeRun(store, 'run', options)));
        if (result === undefined) return;

        const misfit = firstMisfit(all, input);
        seen.add(misfit?.code);
        expect(result.status).toBe(misfit === undefined ? 'COMPLETED' : 'FAILED');
        if (misfit !== undefined) expect(result.error).toMatchObject(misfit);
        for (const { eventType, nodeId, payload } of store.read({ runId: 'run' })) {
          if (eventType !== 'EndNode') continue;
          expect(all[ids.indexOf(nodeId)].has.fits((payload as { output: Json }).output)).toBe(
            true,
          );
        }
        expect(verifyLog(store).valid).toBe(true);
        expect(await replayRun(store, 'run', { registry })).toMatchObject({ parity: true });
      }),
      { numRuns: 150 },
    );
    expect(seen).toEqual(new Set([undefined, 'BadInput', 'BadOutput']));
  });

  test('say where a misfit is, and policies see it like other failures', async () => {
    const output = { type: 'object', properties: { list: { type: 'array', items: integer } } };
    const nodes = [
      { ...gives('a', { output }, { list: [1, 'x', 'y'] }, { list: [1] }), policyRef: 'again' },
      { ...gives('b', { input: { type: 'string' } }), policyRef: 'caught' },
      gives('c', {}),
      gives('mend', {}),
    ];
    const policies = {
      again: { retry: { maxAttempts: 2, retryOn: ['BadOutput'] } },
      caught: { retry: { maxAttempts: 3 }, catch: [{ errors: ['BadInput'], handler: 'mend' }] },
      plain: {},
    };
    const workflow = flow({ nodes, edges: chain('a', 'b', 'c'), policies, defaultPolicy: 'plain' });
    const { result, entries, store } = await runIn(workflow, 0, { world: giving() });
    expect(refusals(entries)).toEqual([
      {
        nodeId: 'a',
        validator: 'io.output',
        outcome: 'reject',
        errors: ['/list/1 must be integer', '/list/2 must be integer'],
      },
      {
        nodeId: 'b',
        validator: 'io.input',
        outcome: 'reject',
        errors: ['the value must be string'],
      },
    ]);
    expect(result).toMatchObject({
      status: 'COMPLETED',
      output: {
        error: {
          code: 'BadInput',
          message: 'the input does not fit io.input: the value must be string',
        },
        input: { list: [1] },
      },
    });
    // An input stays what it is: there is no use in trying again.
    expect(entryLines(entries, 'Retry')).toEqual(['Retry a']);
    expect(await replayRun(store, 'run', giving())).toMatchObject({ parity: true });
  });

  test('an effect whose output does not fit is there all the same, and is undone', async () => {
    const nodes = [
      effect('a'),
      { ...effect('b'), io: { output: { type: 'string' } } },
      effect('c'),
    ];
    const workflow = flow({ nodes, edges: chain('a', 'b', 'c'), policies: { saga: SAGA } });
    const { result, world } = await runIn(workflow);
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'BadOutput', nodeId: 'b', acted: true },
    });
    expect(world.calls).toEqual(['a', 'b', 'undo b', 'undo a']);
    const final = { ...nodes[1], effect: 'irreversible', policyRef: 'once' };
    const last = flow({ nodes: [final], policies: { once: { idempotencyKey: {} } } });
    expect((await runIn(last)).result).toMatchObject({
      status: 'COMPENSATION_FAILED',
      remaining: [{ nodeId: 'b', reason: 'irreversible' }],
    });
  });

  test('hold for what validators make of values, too', async () => {
    const augment = () => ({ outcome: 'augment' as const, value: 'no number', corrections: [] });
    const workflow = flow({ nodes: [gives('a', { input: integer, output: integer })] });
    for (const [part, code] of [
      ['validators', 'BadOutput'],
      ['inputValidators', 'BadInput'],
    ]) {
      const { registry } = giving();
      const { result } = await runIn(workflow, 1, {
        world: { ...createWorld(), registry: { ...registry, [part]: { a: augment } } },
      });
      expect(result.error).toMatchObject({ code, nodeId: 'a' });
    }
  });

  test('hold for choices, parallel nodes, loops and the workflow itself', async () => {
    const body = { nodes: [plain('x')], edges: [] };
    const inside: Record<string, object> = {
      choice: { type: 'choice' },
      parallel: { type: 'parallel', branches: { one: body } },
      items: { type: 'map', items: 'input', body },
      until: { type: 'map', until: '$output > 2', body },
    };
    const never = { type: 'null' };
    for (const [id, parts] of Object.entries(inside)) {
      const input = id === 'items' ? [1, 2] : 1;
      for (const [part, code] of [
        ['input', 'BadInput'],
        ['output', 'BadOutput'],
      ]) {
        const workflow = flow({ nodes: [{ id, ...parts, io: { [part]: never } }] });
        const { result, entries, store, world } = await runIn(workflow, input);
        expect(result.error, `${part} of ${id}`).toMatchObject({ code, nodeId: id });
        expect(entryLines(entries, 'EndNode')).not.toContain(`EndNode ${id}`);
        expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
      }
    }
    const whole = flow({ nodes: [plain('x')], io: { input: integer, output: never } });
    const { result, entries } = await runIn(whole, 1);
    expect(result).toMatchObject({ status: 'FAILED', error: { code: 'BadOutput', nodeId: '' } });
    expect(refusals(entries)).toMatchObject([{ nodeId: '', validator: 'io.output' }]);
    const log = createMemoryStore();
    await expect(runIn(whole, 'one', { log })).rejects.toMatchObject({ code: 'bad_input' });
    expect(log.runs()).toEqual([]);
  });

  test('are about the form that the log has, and checked only for a log that keeps it', async () => {
    const run = () => new Date(7);
    const output = {
      encode: (date: Date) => date.getTime(),
      decode: (n: Json) => new Date(Number(n)),
    };
    const world = giving({ dated: { run, output }, odd: { run } });
    const nodes = [{ id: 'a', type: 'task', handler: 'dated', io: { output: integer } }];
    expect((await runIn(flow({ nodes }), 0, { world })).result.status).toBe('COMPLETED');
    const odd = flow({ nodes: [{ ...nodes[0], handler: 'odd' }] });
    expect((await runIn(odd, 0, { world })).result.error).toMatchObject({ code: 'not_json' });
    const { registry } = world;
    const result = await runWorkflow(odd, 0, {
      registry,
      store: createNullStore(),
      unchecked: true,
    });
    expect(result).toMatchObject({ status: 'COMPLETED', output: new Date(7) });
  });

  test('are not asked of placeholders of secrets, which no handler is given', async () => {
    const secret = { type: 'object', properties: { token: { type: 'string' } } };
    const world = giving({ asks: { run: () => ({ token: 'hunter2hunter2' }) } });
    const workflow = flow({
      nodes: [
        { id: 'a', type: 'task', handler: 'asks', io: { output: secret } },
        { ...gives('b', { input: secret }), approval: 'kim' },
      ],
      edges: chain('a', 'b'),
    });
    const log = createMemoryStore();
    const store = redacting(log, {});
    const options = { ...world, store, clock: virtualClock() };
    const waiting = await runWorkflow(workflow, 0, { ...options, runId: 'run', unchecked: true });
    expect(waiting.status).toBe('WAITING');
    const resumed = resumeRun(store, 'run', { ...options, approvals: { kim: 'kim' } });
    await expect(resumed).rejects.toMatchObject({
      code: 'redacted_value',
      value: ['/input/token'],
    });
  });
});

describe('what does not fit', () => {
  test.each([
    [{ additionalProperties: false }, { x: 1 }, '("x")'],
    [
      { properties: { x: { enum: [2, 'a'] } } },
      { x: 1 },
      '/x must be equal to one of the allowed values (2, "a")',
    ],
    [{ properties: { x: { const: null } } }, { x: 1 }, '(null)'],
  ])('of %j is reported with a valid value', async (output, value, message) => {
    const workflow = flow({ nodes: [gives('a', { output }, value)] });
    const { result } = await runIn(workflow, 0, { world: giving() });
    expect(result.error).toMatchObject({ code: 'BadOutput' });
    expect(result.error?.message).toContain(message);
  });

  test('because its schema is none fails the step, so that what was done is undone', async () => {
    const world = giving();
    const none = { $ref: '#/schemas/none' };
    const saga = { edges: chain('a', 'b'), policies: { saga: SAGA } };
    for (const part of ['input', 'output']) {
      const nodes = [effect('a'), gives('b', { [part]: none }, 1)];
      const { result, store } = await runIn(flow({ ...saga, nodes }), 0, { world });
      expect(result).toMatchObject({
        status: 'COMPENSATED',
        error: { code: 'bad_schema', nodeId: 'b' },
      });
      expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
    }
    const whole = flow({ nodes: [effect('a')], policies: saga.policies, io: { output: none } });
    const { result } = await runIn(whole, 0, { world });
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'bad_schema', nodeId: '' },
    });
    expect(world.standing.size).toBe(0);
  });

  test('because it is a circle is no JSON, whatever its schema says', async () => {
    const circle: unknown[] = [];
    circle.push(circle);
    const world = giving({ gives: { run: () => circle } });
    const nodes = [gives('a', { output: { type: 'object' } })];
    const { result } = await runIn(flow({ nodes }), 0, { world });
    expect(result.error).toMatchObject({ code: 'not_json' });
    expect(result.error?.message).toMatch(/^\$(\[0\]){5}….*: this is a circle/);
  });
});

describe('entries of handlers', () => {
  const OWN = [
    'ValidatePass',
    'ValidateFail',
    'RepairStart',
    'RepairApply',
    'RepairCommit',
    'Request',
    'Response',
    'Decide',
    'Bind',
  ];

  test.each([...EVENT_TYPES, 'Nope'])(
    'of type %s cannot forge those of the runtime',
    async (type) => {
      const world = giving();
      const writes: Handler = {
        run: (_, { log }) => {
          log(type as never, { status: 'COMPLETED' });
          return 1;
        },
      };
      const handlers = { ...world.registry.handlers, writes };
      const workflow = flow({
        nodes: [effect('a'), { id: 'b', type: 'task', handler: 'writes' }],
        edges: chain('a', 'b'),
        policies: { saga: SAGA },
      });
      const registry = { ...world.registry, handlers };
      const { result, entries, store } = await runIn(workflow, 0, { registry });
      const own = OWN.includes(type);
      expect(result.status).toBe(own ? 'COMPLETED' : 'COMPENSATED');
      expect(result.error?.code).toBe(own ? undefined : 'BadLogEntry');
      expect(entryLines(entries, type).includes(`${type} b`)).toBe(
        own || ['StartNode', 'FailNode'].includes(type),
      );
      expect(await replayRun(store, 'run', { registry })).toMatchObject({ parity: true });
    },
  );

  test('are refused once the run has ended', async () => {
    let late: (() => void) | undefined;
    const writes: Handler = {
      run: (_, { log }) => {
        late = () => log('RepairStart', {});
        return 1;
      },
    };
    const nodes = [{ id: 'a', type: 'task', handler: 'writes' }];
    const { store } = await runIn(flow({ nodes }), 0, { world: giving({ writes }) });
    expect(late).toThrow('the run has ended');
    expect(verifyLog(store).runs[0].ended).toBe(true);
  });
});

describe('log schemas', () => {
  const writes: Handler = {
    run: (_, { params, log }) => {
      log('RepairStart', params.writes);
      return 1;
    },
  };
  const workflowOf = (payload: Json, more: object = {}) =>
    flow({
      nodes: [
        {
          id: 'fix',
          type: 'task',
          handler: 'writes',
          params: { writes: payload },
          logSchemaRef: 'repair',
          ...more,
        },
      ],
      schemas,
      logSchemas: {
        repair: { required: ['round'], properties: { round: { $ref: '#/schemas/even' } } },
      },
    });

  test('hold for what a handler writes: what does not fit is not written, and fails the step', async () => {
    const world = giving({ writes });
    const right = await runIn(workflowOf({ round: 2, more: 'x' }), 0, { world });
    expect(right.result.status).toBe('COMPLETED');
    expect(entryLines(right.entries, 'RepairStart')).toEqual(['RepairStart fix']);
    for (const [payload, message] of [
      [{}, "the value must have required property 'round'"],
      [{ round: 3 }, '/round must be multiple of 2'],
      [7, 'the value must be object'],
    ] as const) {
      const { result, entries, store } = await runIn(workflowOf(payload), 0, { world });
      expect(result.error).toMatchObject({ code: 'BadLogEntry', nodeId: 'fix' });
      expect(result.error?.message).toContain(`does not fit repair: ${message}`);
      expect(entryLines(entries, 'RepairStart')).toEqual([]);
      expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
    }
  });

  test('leave an effect standing that may have come about before', async () => {
    const world = giving({ writes });
    const policies = { once: { idempotencyKey: {} } };
    const irreversible = { effect: 'irreversible', policyRef: 'once' };
    const workflow = { ...workflowOf({}, irreversible), policies };
    const { result } = await runIn(flow(workflow), 0, { world });
    expect(result).toMatchObject({
      status: 'COMPENSATION_FAILED',
      remaining: [{ nodeId: 'fix', reason: 'irreversible' }],
    });
  });
});

/** An `append` that fails after so many calls. */
function breaking(store: LogStore, calls: number): LogStore['append'] {
  let left = calls;
  return (entries, options) => {
    if (left-- <= 0) throw new Error('power cut');
    return store.append(entries, options);
  };
}
