import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow } from '../../src/define/define-workflow.js';
import type { CaughtFailure } from '../../src/define/flow.js';
import { firstAvailable, type Ref } from '../../src/define/reference.js';
import { fromJsonSchema } from '../../src/define/schema.js';
import { declareStep, type HandlersOf, step } from '../../src/define/step.js';

const Count = z.object({ n: z.number(), done: z.boolean().optional() });

const next = step('next', {
  input: Count,
  output: Count,
  kind: 'pure',
  run: ({ n }) => ({ n: n + 1, done: n + 1 >= 3 }),
});

const add = (name: string, amount: number) =>
  step(name, { input: z.number(), output: z.number(), kind: 'pure', run: (n) => n + amount });

describe('a loop', () => {
  const count = defineWorkflow('count', { input: Count }, (flow, start) =>
    flow.loop('turns', start, (inner, value) => inner.step(next, value), {
      until: '$output.done = true',
      most: 5,
      repairable: 'time',
    }),
  );

  it('runs its body on the last output until the condition holds', async () => {
    expect((await count.run({ n: 0 })).output).toEqual({ n: 3, done: true });
  });

  it('ends with its last output after the most turns', async () => {
    expect((await count.run({ n: -10 })).output).toEqual({ n: -5, done: false });
  });
});

describe('a step that catches', () => {
  const risky = step('risky', {
    input: z.number(),
    output: z.number(),
    catch: [{ errors: ['*'], handler: 'rescue' }],
    run: (n) => {
      if (n < 0) throw Object.assign(new Error('below zero'), { code: 'Negative' });
      return n;
    },
  });
  const rescue = step('rescue', {
    input: fromJsonSchema<CaughtFailure<number>>({ type: 'object' }),
    output: z.number(),
    kind: 'pure',
    run: ({ error, input }) => (error.code === 'Negative' ? -input : 0),
  });
  const safe = defineWorkflow('safe', { input: z.number() }, (flow, n) => {
    const tried = flow.step(add('ten', 10), flow.step(risky, n));
    return flow.step(add('one', 1), firstAvailable(flow.caught(rescue), tried));
  });

  it('runs in place of the steps after the failure, with the error and the input', async () => {
    expect((await safe.run(5)).output).toBe(16);
    expect((await safe.run(-5)).output).toBe(6);
    expect(safe.workflow.nodes.find(({ id }) => id === 'rescue')?.input).toBeUndefined();
  });
});

describe('a choice', () => {
  it('has branches without steps and branches that continue at a later step', async () => {
    const skips = defineWorkflow('skips', { input: Count }, (flow, start) => {
      const small = flow.choose('small', start, {
        '$input.n < 10': (input: Ref<z.infer<typeof Count>>) =>
          flow.step(add('hundred', 100), input.n),
        '$input.n < 20': () => {},
        otherwise: 'last',
      });
      expectTypeOf(small).toEqualTypeOf<Ref<number | undefined>>();
      const doubled = flow.step(add('thousand', 1000), firstAvailable(small, start.n));
      return flow.step(add('last', 1), firstAvailable(doubled, start.n));
    });
    expect((await skips.run({ n: 1 })).output).toBe(1102);
    expect((await skips.run({ n: 10 })).output).toBe(1011);
    expect((await skips.run({ n: 20 })).output).toBe(21);
  });

  it('is refused if a step after it cannot be reached, or if its value does not exist', () => {
    const define = (use: 'step' | 'value') =>
      defineWorkflow('lost', { input: Count }, (flow, start) => {
        const nothing = flow.choose('all', start, {
          '$input.n > 0': 'last',
          otherwise: use === 'step' ? 'last' : () => {},
        });
        return flow.step(add('last', 1), use === 'step' ? start.n : (nothing as never));
      });
    expect(() => define('step')).toThrow('nothing leads to last');
    expect(() => define('value')).toThrow('no branch of the choice gives a value');
  });
});

describe('a declared step', () => {
  const charge = declareStep<{ amount: number }, { ref: string }>('charge', {
    handler: 'payments.charge',
    role: 'domain',
    params: { currency: 'EUR' },
    output: fromJsonSchema<{ ref: string }>({ $ref: '#/schemas/payment' }),
    timeout: 5,
  });
  const sale = defineWorkflow(
    'sale',
    {
      input: z.object({ amount: z.number() }),
      schemas: { payment: { type: 'object', required: ['ref'] } },
    },
    (flow, order) => flow.step(charge, order),
  );

  it('runs with the handler of the registry of the run', async () => {
    const handlers: HandlersOf<{ 'payments.charge': typeof charge }> = {
      'payments.charge': {
        run: ({ amount }, { params }) => ({ ref: `${amount} ${params.currency}` }),
      },
    };
    const { output } = await sale.run({ amount: 3 }, { registry: { handlers } });
    expect(output).toEqual({ ref: '3 EUR' });
    expect(sale.registry.handlers).toEqual({});
    await expect(sale.run({ amount: 3 })).rejects.toThrow('no handler payments.charge');
  });

  it('has its node, its policy and its schemas in the JSON form', () => {
    expect(sale.workflow.nodes[0]).toMatchObject({
      id: 'charge',
      handler: 'payments.charge',
      role: 'domain',
      policyRef: 'charge',
      io: { output: { $ref: '#/schemas/payment' } },
    });
    expect(sale.workflow.policies.charge).toEqual({ timeout: { seconds: 5 } });
  });
});
