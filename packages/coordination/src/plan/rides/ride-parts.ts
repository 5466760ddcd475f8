import type { Action } from '../../model/plan.js';
import type { Problem, Ride, Vehicle } from '../../model/problem.js';
import { stateAfter } from '../begun.js';
import { type PlanState, type RideState, riderKey } from '../state.js';
import { waysOf } from '../ways.js';

/** Maximum minutes from the earliest arrival of a ride to its people's next ride, if no window limits it. */
const LONGEST_BREAK = 240;
/** Later than any minute of a plan. */
const LAST = 1e7;

/** The remaining rides of a problem after some actions, split into parts without a change of vehicles. */
export interface RideParts {
  readonly problem: Problem;
  /** The vehicles as if they began at their current positions. */
  readonly vehicles: readonly Vehicle[];
  /** Rides from the people's current place; rides that bring people to the start of a ride come first. */
  readonly rides: readonly Ride[];
  /** The vehicle that the people of each part are in, −1 if they wait. */
  readonly inside: readonly number[];
  /** Whether the people of a part must stay in their vehicle, since the window for boarding another is over. */
  readonly staysIn: readonly boolean[];
  /** The parts of each person, in order. */
  readonly chains: ReadonlyMap<string, readonly number[]>;
}

/** A part of a ride for one person. */
interface Part {
  readonly ride: Ride;
  readonly inside: number;
  readonly staysIn: boolean;
}

/**
 * The remaining rides after the begun actions of a plan, at `now`; null if the problem has more than rides by vehicles
 * with drivers of their own.
 */
export function ridePartsNow(
  problem: Problem,
  begun: readonly Action[],
  now: number,
): RideParts | null {
  const { activities, rides } = problem;
  const isPlain = [...problem.vehicles.values()].every(
    ({ drivers, after }) => drivers === null && after.length === 0,
  );
  const state = stateAfter(problem, begun);
  if (state === null || rides.size === 0 || activities.size > 0 || !isPlain) return null;
  const vehicles = [...problem.vehicles.values()].map((one): Vehicle => {
    const { at, free, driven } = state.vehicles.get(one.id) ?? { at: one.at, free: 0, driven: 0 };
    return { ...one, at, from: Math.max(now, free), range: one.range - driven };
  });
  const parts = new Map<string, { place: number; part: Part; people: string[] }>();
  const chains = new Map<string, number[]>();
  for (const person of problem.people.keys()) {
    const own = partsOf(problem, state, vehicles, person, now);
    if (own === null) return null;
    const chain = own.map((part) => {
      const { id, from, to, pickup } = part.ride;
      const key = [id, from, to, part.inside, part.staysIn, pickup.latest].join('\n');
      const same = parts.get(key) ?? { place: parts.size, part, people: [] };
      const isLater = part.ride.pickup.earliest > same.part.ride.pickup.earliest;
      const people = [...same.people, person];
      parts.set(key, { ...same, people, part: isLater ? part : same.part });
      return same.place;
    });
    chains.set(person, chain);
  }
  const all = [...parts.values()];
  return {
    problem,
    vehicles,
    chains,
    rides: all.map(({ part, people }) => ({ ...part.ride, people })),
    inside: all.map(({ part }) => part.inside),
    staysIn: all.map(({ part }) => part.staysIn),
  };
}

/** The parts of a person, in order; null if the rides lead nowhere. */
function partsOf(
  problem: Problem,
  state: PlanState,
  vehicles: readonly Vehicle[],
  person: string,
  now: number,
): Part[] | null {
  const stateOf = ({ id }: Ride): RideState => state.rides.get(riderKey(id, person)) ?? 'waiting';
  const left = [...problem.rides.values()].filter(
    (ride) => ride.people.includes(person) && stateOf(ride) !== 'served',
  );
  const parts: Part[] = [];
  let { at, free } = state.people.get(person) ?? { at: '', free: 0 };
  const add = (ride: Ride, inside = -1, staysIn = false) => {
    parts.push({ ride, inside, staysIn });
    [at, free] = [ride.to, Number.NEGATIVE_INFINITY];
  };
  while (left.length > 0) {
    const next = nextRide(left, at, (ride) => stateOf(ride) === 'under way');
    left.splice(left.indexOf(next), 1);
    const open = { earliest: free, latest: Number.POSITIVE_INFINITY };
    if (stateOf(next) === 'under way') {
      const inside = vehicleOf(state, vehicles, person);
      const isInService = inside >= 0 && vehicles[inside].until > now;
      add({ ...next, from: at, pickup: open }, isInService ? inside : -1);
      continue;
    }
    if (next.from !== at) {
      const arrive = { earliest: Number.NEGATIVE_INFINITY, latest: next.pickup.latest };
      add({ ...next, from: at, to: next.from, pickup: open, arrive, vehicles: null });
    }
    const { latest } = next.pickup;
    const earliest = Math.max(next.pickup.earliest, free);
    // A person next to a vehicle when the window closed is in it.
    const boards = (one: Vehicle) =>
      one.at === at &&
      one.until > now &&
      (next.vehicles?.includes(one.id) ?? true) &&
      Math.max(free, state.vehicles.get(one.id)?.since ?? now) <= latest;
    const boarded = parts.length === 0 && now > latest ? vehicles.findIndex(boards) : -1;
    const pickup = boarded < 0 ? { earliest, latest } : open;
    add({ ...next, pickup }, boarded, boarded >= 0);
  }
  return parts.some(({ ride }) => ride.from === ride.to) ? null : parts;
}

/** The vehicle whose last drive was also a person's last; −1 if there is none. */
function vehicleOf({ actions }: PlanState, vehicles: readonly Vehicle[], person: string): number {
  const drives = actions.filter((one) => one.do === 'drive');
  const last = drives.findLast((one) => one.with.includes(person));
  if (last === undefined || drives.findLast((one) => one.vehicle === last.vehicle) !== last)
    return -1;
  return vehicles.findIndex(({ id }) => id === last.vehicle);
}

/** The next ride: a begun one, else the most urgent one from the person's place. */
function nextRide(left: readonly Ride[], at: string, isBegun: (ride: Ride) => boolean): Ride {
  const due = ({ pickup, arrive }: Ride) => Math.min(LAST, pickup.latest, arrive.latest);
  const rank = (ride: Ride) => (isBegun(ride) ? 0 : ride.from === at ? 1 : 2);
  return left.toSorted((a, b) => rank(a) - rank(b) || due(a) - due(b))[0];
}

/**
 * The same parts, with people free to leave their current vehicle if they need not stay; the parts themselves if no
 * person may leave.
 */
export function withoutSeats(parts: RideParts): RideParts {
  const inside = parts.inside.map((v, r) => (parts.staysIn[r] ? v : -1));
  return inside.join() === parts.inside.join() ? parts : { ...parts, inside };
}

/**
 * The same parts, with disjoint windows for consecutive rides of the same people: a split minute ends the first ride
 * and begins the second.
 *
 * @param share position of the split minute between the earliest arrival and the latest departure, 0 to 1
 * @param arrivals planned arrivals, used as split minutes instead; NaN where there is none
 * @returns the parts themselves if no windows overlap
 */
export function withoutOverlaps(
  parts: RideParts,
  share: number,
  arrivals: readonly number[] = [],
): RideParts {
  const ways = waysOf(parts.problem);
  const start = Math.min(...parts.vehicles.map(({ from }) => from));
  const rides = [...parts.rides];
  let isCut = false;
  const pairs = [...parts.chains.values()].flatMap((chain) =>
    chain.slice(1).map((b, i) => [chain[i], b] as const),
  );
  for (const [a, b] of pairs) {
    const [first, second] = [rides[a], rides[b]];
    if (first.arrive.latest <= second.pickup.earliest) continue;
    const begin = Math.max(start, first.pickup.earliest) + ways.minutes(first.from, first.to);
    const earliest = Math.max(begin, first.arrive.earliest);
    const latest = Math.min(
      Math.max(earliest + LONGEST_BREAK, second.pickup.earliest),
      first.arrive.latest,
      second.pickup.latest,
      second.arrive.latest - ways.minutes(second.from, second.to),
    );
    const planned = arrivals[a] ?? Number.NaN;
    const middle = Number.isNaN(planned)
      ? Math.max(
          Math.floor(earliest + share * Math.max(0, latest - earliest)),
          Math.min(second.pickup.earliest, latest),
        )
      : planned;
    const cut = Math.min(LAST, middle);
    const arrive = { ...first.arrive, latest: Math.min(cut, first.arrive.latest) };
    const pickup = { ...second.pickup, earliest: Math.max(cut, second.pickup.earliest) };
    rides[a] = { ...first, arrive };
    rides[b] = { ...second, pickup };
    isCut = true;
  }
  return isCut ? { ...parts, rides } : parts;
}
