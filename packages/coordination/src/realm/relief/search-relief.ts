import { cheapestFlow, type FlowArc } from '../problems/cheapest-flow.js';
import type { Relief, ReliefTrip, ReliefVehicle } from './relief.js';

/** Numbers of trips to each region, and the regions of the trips in order. */
interface TripCounts {
  readonly counts: readonly number[];
  /** The minute at which the vehicle is back. */
  readonly back: number;
  readonly trips: readonly { readonly region: number; readonly leave: number }[];
}

/** Most combinations of trips that the exact search looks at. */
const MOST_COMBINATIONS = 20_000;

/** The cheapest plan; `isProven` unless there were too many combinations to look at. */
export interface ReliefSearch {
  readonly trips: readonly ReliefTrip[];
  readonly isProven: boolean;
}

/**
 * The plan that supplies the most people, exactly: all numbers of trips in time that no other numbers of a vehicle exceed,
 * combined over the vehicles; for each combination the supplies are a cheapest flow from stocks through needs to the
 * capacity that arrives at each region.
 */
export function searchRelief(relief: Relief): ReliefSearch {
  let combined: { readonly capacity: readonly number[]; readonly plans: readonly TripCounts[] }[] =
    [{ capacity: relief.regions.map(() => 0), plans: [] }];
  let isProven = true;
  for (const vehicle of relief.vehicles) {
    const most = mostTrips(relief, vehicle);
    const next = combined.flatMap(({ capacity, plans }) =>
      most.map((one) => ({
        capacity: capacity.map((units, at) => units + one.counts[at] * vehicle.capacity),
        plans: [...plans, one],
      })),
    );
    combined = undominated(next, ({ capacity }) => capacity);
    if (combined.length > MOST_COMBINATIONS) {
      isProven = false;
      combined = combined.slice(0, MOST_COMBINATIONS);
    }
  }
  let best: {
    price: number;
    units: ReadonlyMap<string, number>;
    plans: readonly TripCounts[];
  } | null = null;
  for (const { capacity, plans } of combined) {
    const { price, units } = deliveries(relief, capacity);
    if (best === null || price < best.price) best = { price, units, plans };
  }
  return { trips: best === null ? [] : loaded(relief, best.plans, best.units), isProven };
}

/** Units of each resource for each region (by `region resource`) that supply the most people. */
function deliveries({ regions, stock, persons }: Relief, capacity: readonly number[]) {
  const arcs: FlowArc[] = Array.from(stock, ([resource, units]) => ({
    from: 'source',
    to: `stock ${resource}`,
    capacity: units,
    price: 0,
  }));
  const carried: { readonly arc: number; readonly key: string }[] = [];
  for (const [at, { id, needs }] of regions.entries()) {
    for (const [resource, units] of needs) {
      carried.push({ arc: arcs.length, key: `${at}\n${resource}` });
      const price = -(persons.get(resource) ?? 0);
      arcs.push({ from: `stock ${resource}`, to: `region ${id}`, capacity: units, price });
    }
    arcs.push({ from: `region ${id}`, to: 'sink', capacity: capacity[at], price: 0 });
  }
  const { units, price } = cheapestFlow(arcs, 'source', 'sink', true);
  return { price, units: new Map(carried.map(({ arc, key }) => [key, units[arc]])) };
}

/** The numbers of trips in time that a vehicle can make, without those that others exceed. */
function mostTrips({ regions }: Relief, { minutes, capacity }: ReliefVehicle): TripCounts[] {
  const useful = regions.map(({ needs }) => {
    const units = [...needs.values()].reduce((sum, one) => sum + one, 0);
    return capacity === 0 ? 0 : Math.ceil(units / capacity);
  });
  const found = new Map<string, TripCounts>();
  let last: TripCounts[] = [{ counts: regions.map(() => 0), back: 0, trips: [] }];
  found.set('', last[0]);
  // For equal numbers of trips, the earliest return leaves the most time for others.
  while (last.length > 0) {
    const next = new Map<string, TripCounts>();
    for (const { counts, back, trips } of last) {
      for (const [region, { id, deadline, blockedUntil }] of regions.entries()) {
        const way = minutes.get(id) ?? Number.POSITIVE_INFINITY;
        const arrives = Math.max(back + way, blockedUntil);
        if (counts[region] >= useful[region] || !(arrives <= deadline)) continue;
        const more = counts.map((count, at) => (at === region ? count + 1 : count));
        const key = more.join(' ');
        const one = {
          counts: more,
          back: arrives + way,
          trips: [...trips, { region, leave: arrives - way }],
        };
        if (one.back < (next.get(key)?.back ?? Number.POSITIVE_INFINITY)) next.set(key, one);
      }
    }
    for (const [key, one] of next) found.set(key, one);
    last = [...next.values()];
  }
  return undominated([...found.values()], ({ counts }) => counts);
}

/** The items whose numbers no other item reaches everywhere and exceeds somewhere; of equal ones the first. */
function undominated<T>(items: readonly T[], numbers: (item: T) => readonly number[]): T[] {
  return items.filter((item, at) => {
    const own = numbers(item);
    return !items.some((other, i) => {
      const others = numbers(other);
      if (i === at || !others.every((number, k) => number >= own[k])) return false;
      return others.some((number, k) => number > own[k]) || i < at;
    });
  });
}

/** The trips with what they carry: each is filled in turn. Trips without loads are not made. */
function loaded(
  { regions, vehicles }: Relief,
  plans: readonly TripCounts[],
  units: ReadonlyMap<string, number>,
): ReliefTrip[] {
  const left = new Map(units);
  return plans.flatMap(({ trips }, at) =>
    trips.flatMap(({ region, leave }): ReliefTrip[] => {
      let free = vehicles[at].capacity;
      const loads: Record<string, number> = {};
      for (const resource of regions[region].needs.keys()) {
        const key = `${region}\n${resource}`;
        const some = Math.min(free, left.get(key) ?? 0);
        if (some === 0) continue;
        loads[resource] = some;
        free -= some;
        left.set(key, (left.get(key) ?? 0) - some);
      }
      if (Object.keys(loads).length === 0) return [];
      return [{ vehicle: vehicles[at].id, region: regions[region].id, leave, loads }];
    }),
  );
}
