// Every line under an `@ts-expect-error` must not compile; all others must.
import * as z from 'zod';
import { defineWorkflow } from '../../../../src/workflow/define/define-workflow.js';
import { step } from '../../../../src/workflow/define/step.js';

const Order = z.object({ id: z.string(), amount: z.number(), note: z.string().optional() });
const pay = step('pay', {
  input: Order,
  output: z.object({ ref: z.string() }),
  run: ({ amount }) => ({ ref: amount.toFixed(2) }),
  undo: ({ input, output }) => void [input.amount.toFixed(2), output?.ref.trim()],
  externalRef: ({ ref }) => ref,
});
const ship = step('ship', {
  input: z.object({ order: z.string(), payment: z.string(), parcels: z.number().optional() }),
  output: z.number(),
  run: async ({ order }) => order.length,
});

step('wrong-output', {
  output: z.number(),
  // @ts-expect-error a text is no number
  run: () => 'text',
});
step('wrong-input', {
  input: Order,
  // @ts-expect-error an order has no price
  run: ({ price }) => price,
});
step('wrong-undo', {
  output: z.object({ ref: z.string() }),
  run: () => ({ ref: 'r' }),
  // @ts-expect-error the output has no name
  undo: ({ output }) => void output?.name,
});
step('wrong-validator', {
  output: z.object({ ref: z.string() }),
  run: () => ({ ref: 'r' }),
  // @ts-expect-error the output has no name
  validate: ({ name }) => name,
});

const sale = defineWorkflow('sale', { input: Order }, (flow, order) => {
  const paid = flow.step(pay, order);
  // @ts-expect-error it is ref
  void paid.reff;
  // @ts-expect-error an order is no shipment
  flow.step(ship, order);
  // @ts-expect-error the payment is missing
  flow.step(ship, { order: order.id });
  // @ts-expect-error an amount is no payment
  flow.step(ship, { order: order.id, payment: order.amount });
  // @ts-expect-error there is no colour
  flow.step(ship, { order: order.id, payment: paid.ref, colour: order.id });
  // @ts-expect-error a note may be missing
  flow.step(ship, { order: order.note, payment: paid.ref });
  const both = flow.parallel(
    'both',
    { order },
    {
      one: (branch, given) => branch.step(pay, given.order),
      // @ts-expect-error the order has the name order
      two: (branch, given) => branch.step(pay, given.ordr),
    },
  );
  // @ts-expect-error there is no branch three
  void both.three;
  // @ts-expect-error what waits has the form of the message
  flow.step(pay, flow.wait('paid', z.number(), { seconds: 1 }));
  const each = flow.map('each', flow.wait('orders', z.array(Order), { seconds: 1 }), (turn, item) =>
    turn.step(pay, item),
  );
  // @ts-expect-error a list of payments is no payment
  void each.ref;
  return flow.step(ship, { order: order.id, payment: both.one.ref });
});

sale.run({ id: 'a', amount: 1 }).then(({ output }) => output?.toFixed(2));
// @ts-expect-error the amount is missing
void sale.run({ id: 'a' });
// @ts-expect-error the output is a number
void sale.run({ id: 'a', amount: 1 }).then(({ output }) => output?.trim());
