import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow } from '../../src/define/define-workflow.js';
import { step } from '../../src/define/step.js';
import { checkWorkflow } from '../../src/ir/check/check.js';
import { parseWorkflow, writeWorkflow } from '../../src/ir/workflow-file.js';
import { createMemoryStore } from '../../src/log/memory-store.js';

const Order = z.object({ id: z.string(), amount: z.number(), note: z.string().optional() });

/** Steps that record their calls. */
function shop() {
  const done: string[] = [];
  const quote = step('quote', {
    input: Order,
    output: Order,
    kind: 'pure',
    run: (order) => ({ ...order, amount: order.amount * 2 }),
  });
  const pay = step('pay', {
    input: Order,
    output: z.object({ ref: z.string() }),
    run: ({ id, amount }) => {
      done.push(`pay ${id} ${amount}`);
      return { ref: `p-${id}`, more: 'dropped' };
    },
    externalRef: ({ ref }) => ref,
    undo: ({ input, output }) => {
      done.push(`unpay ${input.id} ${output?.ref}`);
    },
  });
  const ship = step('ship', {
    input: z.object({ order: z.string(), payment: z.string() }),
    output: z.string(),
    effect: 'irreversible',
    run: ({ order, payment }) => {
      if (order === 'bad') throw Object.assign(new Error('no'), { code: 'Lost' });
      done.push(`ship ${order} ${payment}`);
      return `s-${order}`;
    },
  });
  return { done, quote, pay, ship };
}

describe('a workflow that is defined in code', () => {
  it('runs its steps one after the other, on the outputs that it names', async () => {
    const { done, quote, pay, ship } = shop();
    const sale = defineWorkflow('sale', { input: Order }, (flow, order) => {
      const quoted = flow.step(quote, order);
      const payment = flow.step(pay, quoted);
      return flow.step(ship, { order: quoted.id, payment: payment.ref });
    });
    const { status, output } = await sale.run({ id: 'a', amount: 1 });
    expect({ status, output }).toEqual({ status: 'COMPLETED', output: 's-a' });
    expect(done).toEqual(['pay a 2', 'ship a p-a']);
    expect(checkWorkflow(sale.workflow, sale.registry)).toEqual([]);
    expect(parseWorkflow(writeWorkflow(sale.workflow))).toEqual(sale.workflow);
  });

  it('undoes effects outside of its steps, on the values of that time', async () => {
    const { done, pay, ship } = shop();
    const sale = defineWorkflow('sale', { input: Order }, (flow, order) => {
      const payment = flow.step(pay, order);
      return flow.step(ship, { order: order.id, payment: payment.ref });
    });
    const { status, error } = await sale.run({ id: 'bad', amount: 1 });
    expect([status, error?.code]).toEqual(['COMPENSATED', 'Lost']);
    expect(done).toEqual(['pay bad 1', 'unpay bad p-bad']);
  });

  it('has branches side by side, choices, and loops over items', async () => {
    const one = step('one', {
      input: z.number(),
      output: z.number(),
      kind: 'pure',
      run: (n) => n + 1,
    });
    const text = step('text', { input: z.number(), output: z.string(), kind: 'pure', run: String });
    const all = step('all', {
      input: z.object({ list: z.array(z.number()), said: z.union([z.string(), z.number()]) }),
      output: z.array(z.union([z.string(), z.number()])),
      kind: 'pure',
      run: ({ list, said }) => [...list, said],
    });
    const input = z.object({ list: z.array(z.number()), first: z.number() });
    const sums = defineWorkflow('sums', { input }, (flow, given) => {
      const list = flow.map('each', given.list, (turn, n) => turn.step(one, n), { most: 3 });
      const both = flow.parallel(
        'both',
        { n: given.first },
        {
          text: (branch, { n }) => branch.step(text, n),
          one: (branch, { n }) => branch.step(one, n),
        },
      );
      const said = flow.choose('large', both, {
        '$input.one > 10': () => flow.step(text, both.one),
        otherwise: () => flow.step(one, both.one),
      });
      return flow.step(all, { list, said });
    });
    expect(checkWorkflow(sums.workflow, sums.registry)).toEqual([]);
    const run = async (first: number) => (await sums.run({ list: [1, 2], first })).output;
    expect(await run(5)).toEqual([2, 3, 7]);
    expect(await run(10)).toEqual([2, 3, '11']);
    expect((await sums.run({ list: [1, 2, 3, 4], first: 1 })).error?.code).toBe('LoopGuard');
  });

  it('may choose to do nothing', async () => {
    const [one, two] = ['one', 'two'].map((name) =>
      step(name, { input: z.number(), output: z.number(), kind: 'pure', run: (n) => n + 1 }),
    );
    const perhaps = defineWorkflow('perhaps', { input: z.object({ n: z.number() }) }, (flow, x) => {
      const chosen = flow.choose('small', x, {
        '$input.n < 10': () => flow.step(one, x.n),
        otherwise: () => x.n,
      });
      return flow.step(two, chosen);
    });
    expect((await perhaps.run({ n: 1 })).output).toBe(3);
    expect((await perhaps.run({ n: 10 })).output).toBe(11);
  });

  it('waits for messages of a form, takes signals and states invariants', () => {
    const Paid = z.object({ amount: z.number() });
    const reported = step('reported', { input: Paid, kind: 'pure', run: ({ amount }) => amount });
    const { workflow } = defineWorkflow(
      'wait',
      {
        input: z.string(),
        signals: { address: z.string() },
        invariants: { 'is paid': '$outputs.paid.amount > 0' },
      },
      (flow) => flow.step(reported, flow.wait('paid', Paid, { seconds: 5 })),
    );
    expect(workflow.nodes[0]).toMatchObject({ id: 'paid', type: 'wait', message: 'paid' });
    expect(workflow.policies.paid).toEqual({ wait: { seconds: 5 } });
    expect(workflow.signals).toEqual({ address: { type: 'string' } });
    expect(workflow.invariants).toEqual([{ name: 'is paid', holds: '$outputs.paid.amount > 0' }]);
  });

  it('keeps policies with the steps', () => {
    const careful = step('careful', {
      run: () => 1,
      retry: { maxAttempts: 3, retryOn: ['Busy'] },
      timeout: 5,
      wait: 7,
      lateAnswer: 8,
      approval: 'boss',
      undo: { run: () => {}, timeout: 2, retry: 4, triggers: ['deadline'], deadlineSeconds: 9 },
    });
    const { workflow } = defineWorkflow('w', { input: z.json() }, (flow, x) =>
      flow.step(careful, x),
    );
    const backoff = { mode: 'exponential', base: 1, cap: 60, jitter: 0 };
    expect(workflow.nodes[0]).toMatchObject({ effect: 'compensable', approval: 'boss' });
    expect(workflow.policies.careful).toEqual({
      retry: { maxAttempts: 3, retryOn: ['Busy'] },
      backoff,
      timeout: { seconds: 5 },
      wait: { seconds: 7 },
      lateAnswer: { seconds: 8 },
      idempotencyKey: { template: '{runId}|{nodeId}|{inputHash}', scope: 'node' },
      compensation: {
        handler: 'undo-careful',
        triggers: ['deadline'],
        deadlineSeconds: 9,
        compensateOn: ['*'],
        safeReinvoke: true,
        timeout: { seconds: 2 },
        retry: { maxAttempts: 4, retryOn: ['*'] },
        backoff,
      },
    });
  });

  it('holds outputs against forms, rules of zod and validators', async () => {
    const outcome = async (output: z.ZodType, value: unknown, validate?: () => string) => {
      const made = step('made', {
        output,
        run: () => value as never,
        kind: 'pure',
        ...(validate && { validate }),
      });
      const defined = defineWorkflow('w', { input: z.string() }, (flow, x) => flow.step(made, x));
      const { status, error, output: result } = await defined.run('x');
      return status === 'COMPLETED' ? result : `${error?.code}: ${error?.message}`;
    };
    const even = z.number().refine((n) => n % 2 === 0, 'it is odd');
    expect(await outcome(z.object({ n: even }), { n: 2, m: 1 })).toEqual({ n: 2 });
    expect(await outcome(z.object({ n: even }), { n: '2' })).toContain('BadOutput');
    expect(await outcome(z.object({ n: even }), { n: 3 })).toContain('Rejected: ');
    expect(await outcome(z.object({ n: even }), { n: 3 })).toContain('n: it is odd');
    expect(await outcome(z.number(), 2, () => 'too few')).toContain('too few');
    expect(await outcome(z.string().trim().default('none'), undefined)).toBe('none');
  });

  it('has schemas that contain themselves or occur in several places', async () => {
    const Tree = z.object({
      n: z.number(),
      get sub() {
        return z.array(Tree);
      },
    });
    const Name = z.string().meta({ id: 'Name' });
    const grow = step('grow', {
      input: z.object({ tree: Tree, name: Name }),
      output: z.object({ tree: Tree, name: Name }),
      kind: 'pure',
      run: (given) => given,
    });
    const { workflow, run } = defineWorkflow('w', { input: Tree }, (flow, tree) => {
      const name = flow.wait('name', Name, { seconds: 1 });
      return flow.step(grow, { tree, name });
    });
    expect(checkWorkflow(workflow).filter(({ severity }) => severity === 'error')).toEqual([]);
    await expect(run({ n: 1, sub: [{ n: 'x' as never, sub: [] }] })).rejects.toThrow('/sub/0/n');
  });

  it('resumes after a restart by its registry and its log', async () => {
    const { done, pay, ship } = shop();
    const sale = defineWorkflow('sale', { input: Order }, (flow, order) =>
      flow.step(ship, { order: order.id, payment: flow.step(pay, order).ref }),
    );
    const store = createMemoryStore();
    await sale.run({ id: 'a', amount: 1 }, { store, runId: 'r' });
    expect([...store.read({ runId: 'r' })].at(-1)?.eventType).toBe('EndRun');
    expect(done).toHaveLength(2);
  });
});

describe('a definition is refused', () => {
  const one = step('one', { input: z.number(), output: z.number(), run: (n) => n, kind: 'pure' });

  it('with a step that stands twice in one body, unless it has another id', () => {
    const twice = (id?: string) =>
      defineWorkflow('w', { input: z.number() }, (flow, n) =>
        flow.step(one, flow.step(one, n), id),
      );
    expect(() => twice()).toThrow('one is used twice in one body; give one of them another id');
    expect(twice('two').workflow.nodes[1]).toMatchObject({ id: 'two', handler: 'one' });
  });

  it('with two steps of one name', () => {
    const other = step('one', { input: z.number(), output: z.number(), run: (n) => n });
    expect(() =>
      defineWorkflow('w', { input: z.number() }, (flow, n) =>
        flow.step(other, flow.step(one, n), 'two'),
      ),
    ).toThrow('two steps have the name one');
  });

  it('with a choice that comes to nothing at the end of a body', () => {
    expect(() =>
      defineWorkflow('w', { input: z.object({ n: z.number() }) }, (flow, x) =>
        flow.choose('small', x, {
          '$input.n < 10': () => flow.step(one, x.n),
          otherwise: () => x.n,
        }),
      ),
    ).toThrow('a branch of small has no step, and none comes after it');
  });

  it('with a value of another body', () => {
    expect(() =>
      defineWorkflow('w', { input: z.array(z.number()) }, (flow, list) => {
        const first = flow.step(step('first', { output: z.number(), run: () => 1 }), list);
        return flow.map('each', list, (turn) => turn.step(one, first));
      }),
    ).toThrow('outputs.first belongs to another body of the workflow; pass it as');
  });

  it('with errors that the checker finds', () => {
    const output = z.object({ n: z.number() });
    const object = step('object', { input: z.number(), output, run: (n) => ({ n }) });
    expect(() =>
      defineWorkflow('w', { input: z.number() }, (flow, n) => {
        const made = flow.step(object, n);
        return flow.choose('large', made, {
          '$input.m > 1': () => flow.step(one, made.n),
          otherwise: () => flow.step(one, made.n, 'two'),
        });
      }),
    ).toThrow('$.edges[1].guard: the key m never exists (character 8); use one of n');
  });

  it('with a guard that misspells a key of the input, which has no others', async () => {
    const define = (guard: string) =>
      defineWorkflow('w', { input: z.object({ n: z.number() }) }, (flow, input) =>
        flow.choose('large', input, {
          [guard]: () => flow.step(one, input.n),
          otherwise: () => flow.step(one, input.n, 'two'),
        }),
      );
    expect(() => define('$input.m > 1')).toThrow('the key m never exists');
    const more = { n: 1, m: 2 };
    await expect(define('$input.n > 1').run(more)).rejects.toThrow('additional properties ("m")');
  });

  it('with a schema that JSON does not have', () => {
    const dated = step('dated', { output: z.date(), run: () => new Date(0) });
    expect(() =>
      defineWorkflow('w', { input: z.json() }, (flow, x) => flow.step(dated, x)),
    ).toThrow('the schema of datedOutput: Date cannot be represented in JSON Schema');
  });
});
