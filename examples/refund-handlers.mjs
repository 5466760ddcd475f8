// Handlers for the workflow in refund.json, which say what they do instead of doing it:
//   alas-jssp workflow run examples/refund.json --handlers examples/refund-handlers.mjs \
//     --input '{"order":"A-7","amount":59.9,"days":3}'
// Workers on a Temporal server take the same module. A real handler calls a service, and hands on
// its idempotency key, so that an attempt that is made twice has its effect once.

/** A step with an effect; the reference is that of the order, however often it is asked. */
function make(kind) {
  return {
    run({ order, amount }) {
      console.error(`${kind} for ${order}: ${amount}`);
      return { ref: `${kind}-${order}` };
    },
    externalRef: ({ ref }) => ref,
  };
}

/** A compensator. */
function take(kind) {
  return { run: ({ input }) => console.error(`${kind} for ${input.order} is taken back`) };
}

export const handlers = {
  eligibility: {
    kind: 'pure',
    run({ order, amount, days }) {
      if (days > 30) throw Object.assign(new Error('it is too late'), { code: 'NotEligible' });
      return { order, amount };
    },
  },
  refund: make('refund'),
  ticket: make('ticket'),
  ledger: make('ledger'),
  confirmation: make('confirmation'),
};

export const compensators = {
  'undo-refund': take('refund'),
  'undo-ticket': take('ticket'),
  'undo-ledger': take('ledger'),
};
