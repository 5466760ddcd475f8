// Plans for random shops: such that the plain judge finds no fault, and such with faults; shops in execution.
import type { Random } from '@alas-jssp/core';
import { judgePlain } from './plain-judge.js';
import { horizonOf, modeOf, type PlainPlan, type PlainShop } from './shop.js';

/** Operations in an order in which each comes after those of its job with smaller numbers. */
function randomOrder(shop: PlainShop, random: Random): number[] {
  const jobs = random.shuffle(shop.operations.map(({ job }) => job));
  const waiting = shop.jobs.map((_, job) =>
    shop.operations.flatMap((one, op) => (one.job === job ? [op] : [])),
  );
  return jobs.map((job) => waiting[job].shift() as number);
}

/**
 * A plan without faults other than missed deadlines, operation by operation at the first time at which the judge has
 * nothing against it; null where it runs into a dead end.
 */
export function buildPlan(shop: PlainShop, random: Random): PlainPlan | null {
  const plan: PlainPlan = {
    start: shop.operations.map(({ frozen }) => frozen),
    mode: shop.operations.map(({ chosen }) => chosen),
  };
  const horizon = horizonOf(shop);
  for (const op of randomOrder(shop, random)) {
    if (shop.operations[op].frozen !== null) continue;
    const modes = random.shuffle(shop.operations[op].modes.map((_, mode) => mode));
    if (!modes.some((mode) => placeFirst(shop, plan, op, mode, horizon))) return null;
  }
  return plan;
}

function placeFirst(
  shop: PlainShop,
  plan: PlainPlan,
  op: number,
  mode: number,
  horizon: number,
): boolean {
  plan.mode[op] = mode;
  const { release, after } = shop.operations[op];
  const ends = after.map(
    ({ from, minLag }) => (plan.start[from] ?? 0) + modeOf(shop, plan, from).duration + minLag,
  );
  for (let time = Math.max(release, ...ends); time <= horizon; time++) {
    plan.start[op] = time;
    if (judgePlain(shop, plan).every((fault) => fault.startsWith('deadline'))) return true;
  }
  plan.start[op] = null;
  return false;
}

/** A plan with some starts and modes changed; often by little, so that it may have no fault. */
export function disturb(shop: PlainShop, plan: PlainPlan, random: Random): PlainPlan {
  const start = plan.start.slice();
  const mode = plan.mode.slice();
  const count = start.length;
  for (let change = random.integer(1, 3); change > 0; change--) {
    const op = random.integer(0, count - 1);
    const other = random.integer(0, count - 1);
    const kind = random.integer(0, 4);
    if (kind === 0) mode[op] = random.integer(0, shop.operations[op].modes.length - 1);
    else if (kind === 1) [start[op], start[other]] = [start[other], start[op]];
    else if (kind === 2) start[op] = start[other];
    else start[op] = Math.max(0, (start[op] ?? 0) + random.integer(-4, 4));
  }
  return { start, mode };
}

/** A plan whose starts and modes are drawn without regard to anything. */
export function scatter(shop: PlainShop, random: Random): PlainPlan {
  const span = Math.max(1, Math.ceil(horizonOf(shop) / 2));
  return {
    start: shop.operations.map(() => random.integer(0, span)),
    mode: shop.operations.map(({ modes }) => random.integer(0, modes.length - 1)),
  };
}

/** The shop at a time within a plan: what has started keeps start and mode, the rest cannot start earlier. */
export function inExecution(shop: PlainShop, plan: PlainPlan, now: number): PlainShop {
  return {
    ...shop,
    operations: shop.operations.map((one, op) => {
      const start = plan.start[op];
      const chosen = plan.mode[op];
      return start !== null && start < now
        ? { ...one, chosen, frozen: start }
        : { ...one, chosen, release: Math.max(one.release, now) };
    }),
  };
}
