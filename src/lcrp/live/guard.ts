import { AlasError } from '@alas-jssp/core/errors';
import { completionTime, meetsDowntime } from '../../jssp/calendar.js';
import { describeOperation } from '../../jssp/words.js';
import { DURATION, END, FROZEN, type LiveShop, RELEASE, START } from './shop.js';

/**
 * Checks operations against every rule and against their neighbours in job and queue, deadlines excepted. If the
 * previous state was executable and nothing else has changed, this state is executable, because every rule is about one
 * operation, or about two that are adjacent in a job or queue.
 *
 * This check reveals bugs early, but does not replace the validator: a requested schedule is validated as a whole.
 *
 * @throws AlasError `bad_repair`, which is a bug
 */
export function requireFit(shop: LiveShop, operations: Iterable<number>, now: number): void {
  const { origin, predecessor, successor } = shop;
  const { jobOf } = origin;
  const occupies = (op: number) => shop.fields[DURATION][op] > 0;
  for (const op of operations) {
    const follows = op > 0 && jobOf[op - 1] === jobOf[op];
    const leads = op + 1 < origin.operations && jobOf[op + 1] === jobOf[op];
    const fits =
      keepsRules(shop, op, now) &&
      (!follows || isBefore(shop, op - 1, op)) &&
      (!leads || isBefore(shop, op, op + 1)) &&
      (!occupies(op) || predecessor[op] < 0 || isBefore(shop, predecessor[op], op)) &&
      (!occupies(op) || successor[op] < 0 || isBefore(shop, op, successor[op]));
    if (!fits) throw misfitError(shop, op);
  }
}

function keepsRules({ draft: { facts }, fields }: LiveShop, op: number, now: number): boolean {
  const start = fields[START][op];
  if (fields[END][op] !== completionTime(facts, op, start)) return false;
  if (fields[FROZEN][op] >= 0) return fields[FROZEN][op] === start;
  return start >= now && start >= fields[RELEASE][op] && meetsDowntime(facts, op, start) < 0;
}

function isBefore({ fields }: LiveShop, op: number, next: number): boolean {
  return fields[END][op] <= fields[START][next];
}

function misfitError({ origin, fields }: LiveShop, op: number): AlasError {
  const start = fields[START][op];
  return new AlasError(
    'bad_repair',
    `the right shift starts ${describeOperation(origin, op)} of ${origin.name} at ${start}, where it does not fit`,
    start,
  );
}
