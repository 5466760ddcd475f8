// A refund in four systems: check, refund, ticket, ledger entry, and a confirmation that cannot be
// taken back and therefore comes last. Runs once for everything that can go wrong and shows what
// was done, what was undone, and what a person has to look at.
import assert from 'node:assert/strict';
import { startService } from './booking-service.mjs';
import { kinds, refundAt } from './refund-workflow.mjs';
import { fateOf, printTable } from './table.mjs';

/** Runs the saga against services in the given moods. */
async function attempt(title, moods, days = 3) {
  const service = await startService(moods);
  const hasty = kinds.find((kind) => moods[kind] === 'mute');
  const order = { order: 'A-1041', amount: 59.9, days };
  const result = await refundAt(service.url, hasty).run(order);
  const fates = kinds.map((kind) => fateOf(service, kind));
  await service.stop();

  // Everything is done once, or nothing is left but what the result lists.
  const left = kinds.filter((_, index) => fates[index] === 'done');
  if (result.status === 'COMPLETED') assert.deepEqual(left, kinds);
  const doubts = result.inDoubt.map((doubt) => ({ ...doubt, reason: 'in doubt' }));
  const listed = [...result.remaining, ...doubts];
  if (result.status !== 'COMPLETED')
    assert.deepEqual(left.toSorted(), listed.map(({ nodeId }) => nodeId).toSorted());
  const remaining = listed.map(
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
