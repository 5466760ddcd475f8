import type { Random } from '@alas-jssp/core/random';
import type { ReportRequest, ShopStateAnswer } from '../api/shop-schemas.js';
import { demoArrival, demoShop } from './demo-shop.js';

type WireEvent = ReportRequest['events'][number];
type PlannedOperation = ShopStateAnswer['machine_states'][number]['next'][number];

/** A source of random events for the demo; the same seed and states produce the same events. */
export interface Troublemaker {
  /** Events that begin now: usually a breakdown or a delay, and new orders when work runs out. */
  next(state: ShopStateAnswer): readonly WireEvent[];
  /** Events that end breakdowns without a known end, for machines that have recovered. */
  recover(state: ShopStateAnswer): readonly WireEvent[];
}

/** The number of orders below which new ones arrive. */
const FEWEST_ORDERS = 7;

/** The number of the first order; arriving orders continue from the last one. */
const FIRST_ORDER = 4711;

/** Creates a troublemaker; times are in minutes, the unit of the shop. */
export function createTroublemaker(random: Random): Troublemaker {
  /** Minutes at which broken machines recover; the shop does not know them. */
  const backAt = new Map<string, number>();
  const breakdown = ({ now_units: now, machine_states }: ShopStateAnswer): WireEvent[] => {
    const running = machine_states.filter(({ status }) => status === 'running');
    const machine = pick(random, running)?.machine;
    if (machine === undefined) return [];
    const from = now;
    const minutes = random.integer(15, 60);
    if (random.next() < 0.5) return [{ kind: 'breakdown', machine, from, to: from + minutes }];
    backAt.set(machine, from + minutes);
    return [{ kind: 'breakdown', machine, from }];
  };
  const longer = ({ machine_states }: ShopStateAnswer): WireEvent[] => {
    const running = machine_states.flatMap(({ running }) => running ?? []);
    const one = pick(random, running);
    if (one === undefined) return [];
    const factor = 1 + random.integer(1, 6) / 10;
    return [{ kind: 'duration', job: one.job, step: one.step, factor }];
  };
  const late = ({ now_units: now, machine_states }: ShopStateAnswer): WireEvent[] => {
    const one = pick(random, firstOperations(machine_states));
    if (one === undefined) return [];
    const until = now + random.integer(60, 180);
    return [{ kind: 'delay', job: one.job, step: one.step, until }];
  };
  const arrival = ({ now_units: now, jobs }: ShopStateAnswer): WireEvent[] => {
    const order = {
      name: `WO-${FIRST_ORDER + jobs}`,
      release: now + 10,
      due: now + random.integer(10, 40) * 60,
      weight: random.integer(1, 4),
    };
    return [demoArrival(random.integer(0, demoShop().jobs - 1), order)];
  };
  const kinds = [breakdown, breakdown, breakdown, longer, late, arrival];
  let isFirst = true;
  return {
    next(state) {
      if (ordersOf(state).size < FEWEST_ORDERS) return arrival(state);
      const kind = isFirst ? breakdown : (pick(random, kinds) ?? breakdown);
      isFirst = false;
      const events = kind(state);
      return events.length > 0 ? events : arrival(state);
    },
    recover({ now_units: now, machine_states }) {
      const back = [...backAt].filter(([, time]) => time <= now).map(([machine]) => machine);
      for (const machine of back) backAt.delete(machine);
      return machine_states
        .filter(({ machine, status }) => status === 'down' && back.includes(machine))
        .map(({ machine }) => ({ kind: 'restored', machine }));
    },
  };
}

function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length === 0 ? undefined : items[random.integer(0, items.length - 1)];
}

/** The first operation that has not started, of each order. */
function firstOperations(states: ShopStateAnswer['machine_states']): PlannedOperation[] {
  const first = new Map<string, PlannedOperation>();
  for (const operation of states.flatMap(({ next }) => next)) {
    const known = first.get(operation.job);
    if (known === undefined || operation.step < known.step) first.set(operation.job, operation);
  }
  return [...first.values()];
}

function ordersOf({ machine_states }: ShopStateAnswer): Set<string> {
  const operations = machine_states.flatMap(({ running, next }) => [running ?? [], next].flat());
  return new Set(operations.map(({ job }) => job));
}
