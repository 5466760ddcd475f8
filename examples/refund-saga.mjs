// A refund in four systems: check, refund, ticket, ledger entry, and a confirmation that cannot be
// taken back and therefore comes last. Runs once for everything that can go wrong and shows what
// was done, what was undone, and what a person has to look at.
import assert from 'node:assert/strict';
import { createMemoryStore, runWorkflow, workflowSchema } from 'alas-jssp/workflow';
import { recordsAt, startService } from './booking-service.mjs';
import { fateOf, printTable } from './table.mjs';

const kinds = ['refund', 'ticket', 'ledger', 'confirmation'];

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

/** @param {string | undefined} hasty the step that waits for a moment only */
const refund = (hasty) =>
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

/** Runs the saga against services in the given moods. */
async function attempt(title, moods, days = 3) {
  const service = await startService(moods);
  const calls = kinds.map((kind) => [kind, recordsAt(service.url, kind)]);
  const registry = {
    handlers: {
      eligibility,
      ...Object.fromEntries(calls.map(([kind, { handler }]) => [kind, handler])),
    },
    compensators: Object.fromEntries(
      calls.map(([kind, { compensator }]) => [`cancel-${kind}`, compensator]),
    ),
  };
  const hasty = kinds.find((kind) => moods[kind] === 'mute');
  const order = { order: 'A-1041', amount: 59.9, days };
  const store = createMemoryStore();
  const result = await runWorkflow(refund(hasty), order, { registry, store });
  const fates = kinds.map((kind) => fateOf(service, kind));
  await service.stop();

  // Everything is done once, or nothing is left but what the result lists.
  const left = kinds.filter((_, index) => fates[index] === 'done');
  if (result.status === 'COMPLETED') assert.deepEqual(left, kinds);
  else assert.deepEqual(left.toSorted(), result.remaining.map(({ nodeId }) => nodeId).toSorted());
  const remaining = result.remaining.map(
    ({ nodeId, reason, externalRef }) => `${externalRef ?? nodeId} (${reason})`,
  );
  return [title, result.status, ...fates, remaining.join(', ') || '-'];
}

const rows = [
  await attempt('nothing', {}),
  await attempt('the order is too old', {}, 90),
  await attempt('refund is down', { refund: 'down' }),
  await attempt('ticket is down', { ticket: 'down' }),
  await attempt('ledger is down', { ledger: 'down' }),
  await attempt('confirmation is down', { confirmation: 'down' }),
  await attempt('ticket is busy once', { ticket: 'busy' }),
  await attempt("refund's answer is lost", { refund: 'lost' }),
  await attempt("confirmation's answer is lost", { confirmation: 'lost' }),
  await attempt('ledger never answers', { ledger: 'mute' }),
  await attempt('confirmation never answers', { confirmation: 'mute' }),
  await attempt('ledger is down, refund stuck', { ledger: 'down', refund: 'stuck' }),
];
printTable(['what goes wrong', 'status', ...kinds, 'for a person to look at'], rows);
