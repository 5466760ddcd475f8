import { formatClock } from '../../model/clock.js';
import { costOfRelief, type Relief, type ReliefTrip, tripMinutes } from './relief.js';

interface ReliefFault {
  readonly code:
    | 'unknown_name'
    | 'over_capacity'
    | 'overlap'
    | 'blocked'
    | 'late_delivery'
    | 'not_needed'
    | 'over_stock';
  readonly message: string;
}

/** Judges a plan of deliveries. What a plan does not deliver costs, and breaks no rule. */
export function judgeRelief(relief: Relief, trips: readonly ReliefTrip[]) {
  const violations = [
    ...trips.flatMap((trip) => [...tripFaults(relief, trip)]),
    ...overlaps(relief, trips),
    ...stockFaults(relief, trips),
  ];
  return { valid: violations.length === 0, violations, cost: costOfRelief(relief, trips) };
}

function* tripFaults(relief: Relief, trip: ReliefTrip): Generator<ReliefFault> {
  const { vehicle, region, leave, loads } = trip;
  const carrier = relief.vehicles.find(({ id }) => id === vehicle);
  const place = relief.regions.find(({ id }) => id === region);
  if (carrier === undefined)
    yield { code: 'unknown_name', message: `there is no vehicle '${vehicle}'` };
  if (place === undefined)
    yield { code: 'unknown_name', message: `there is no region '${region}'` };
  if (carrier === undefined || place === undefined) return;
  const units = Object.values(loads).reduce((sum, one) => sum + one, 0);
  if (units > carrier.capacity) {
    yield {
      code: 'over_capacity',
      message: `${vehicle} carries ${units} units, and can carry ${carrier.capacity}`,
    };
  }
  const arrives = leave + tripMinutes(relief, vehicle, region);
  if (arrives < place.blockedUntil) {
    const message = `${vehicle} arrives at ${region} at ${formatClock(arrives)}, and transport is blocked until ${formatClock(place.blockedUntil)}`;
    yield { code: 'blocked', message };
  }
  if (arrives > place.deadline) {
    const message = `${vehicle} arrives at ${region} at ${formatClock(arrives)}, and the deadline is ${formatClock(place.deadline)}`;
    yield { code: 'late_delivery', message };
  }
  for (const [resource, some] of Object.entries(loads)) {
    if (some === 0 || place.needs.has(resource)) continue;
    yield { code: 'not_needed', message: `${region} needs no ${resource}, and gets ${some}` };
  }
}

/** A vehicle is back before it leaves again. */
function* overlaps(relief: Relief, trips: readonly ReliefTrip[]): Generator<ReliefFault> {
  for (const { id } of relief.vehicles) {
    const own = trips.filter(({ vehicle }) => vehicle === id).toSorted((a, b) => a.leave - b.leave);
    for (const [i, next] of own.slice(1).entries()) {
      const back = own[i].leave + 2 * tripMinutes(relief, id, own[i].region);
      if (!Number.isFinite(back) || next.leave >= back) continue;
      const message = `${id} leaves for ${next.region} at ${formatClock(next.leave)}, and is back from ${own[i].region} at ${formatClock(back)}`;
      yield { code: 'overlap', message };
    }
  }
}

function* stockFaults({ stock }: Relief, trips: readonly ReliefTrip[]): Generator<ReliefFault> {
  const resources = new Set(trips.flatMap(({ loads }) => Object.keys(loads)));
  for (const resource of resources) {
    const units = trips.reduce((sum, { loads }) => sum + (loads[resource] ?? 0), 0);
    const there = stock.get(resource) ?? 0;
    if (units <= there) continue;
    yield {
      code: 'over_stock',
      message: `${units} units of ${resource} are loaded, and ${there} are there`,
    };
  }
}
