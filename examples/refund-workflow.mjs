// The workflow of refund-saga.mjs, and its handlers and compensators.
import { workflowSchema } from 'alas-jssp/workflow';
import { recordsAt } from './booking-service.mjs';

export const kinds = ['refund', 'ticket', 'ledger', 'confirmation'];

/** A step that calls a service; whatever is undone is undone by `cancel-KIND`. */
const step = (id, effect = 'compensable') => ({
  id,
  type: 'task',
  effect,
  policyRef: id,
  input: { order: 'outputs.eligibility.order', amount: 'outputs.eligibility.amount' },
});

const policy = (kind, seconds) => ({
  retry: { maxAttempts: 2, retryOn: ['Busy', 'Lost'] },
  backoff: { mode: 'fixed', base: 0.01 },
  timeout: { seconds },
  compensation: { handler: `cancel-${kind}`, safeReinvoke: true },
});

/**
 * The workflow.
 *
 * @param {string} [hasty] the step that waits for a moment only
 */
export const refund = (hasty) =>
  workflowSchema.parse({
    schema: 'alas-jssp/workflow@1',
    name: 'refund',
    nodes: [
      { id: 'eligibility', type: 'task' },
      step('refund'),
      step('ticket'),
      step('ledger'),
      step('confirmation', 'irreversible'),
    ],
    edges: ['eligibility', 'refund', 'ticket', 'ledger'].map((from, index) => ({
      from,
      to: kinds[index],
    })),
    policies: Object.fromEntries(
      kinds.map((kind) => [kind, policy(kind, kind === hasty ? 0.3 : 60)]),
    ),
  });

const eligibility = {
  kind: 'pure',
  run({ order, amount, days }) {
    if (days > 30) throw Object.assign(new Error('it is too late'), { code: 'NotEligible' });
    return { order, amount };
  },
};

/** The handlers and compensators, which call a service. */
export function registryOf(url) {
  const calls = kinds.map((kind) => [kind, recordsAt(url, kind)]);
  return {
    handlers: {
      eligibility,
      ...Object.fromEntries(calls.map(([kind, { handler }]) => [kind, handler])),
    },
    compensators: Object.fromEntries(
      calls.map(([kind, { compensator }]) => [`cancel-${kind}`, compensator]),
    ),
  };
}
