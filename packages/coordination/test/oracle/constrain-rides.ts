import { formatClock } from '../../src/model/clock.js';
import { type Action, actorsOf, type Drive } from '../../src/model/plan.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import type { Random } from './random.js';

type RideFile = NonNullable<ProblemFile['rides']>[number];

/** A ride that people happen to make, with its drives. */
interface Made {
  readonly ride: RideFile;
  readonly drives: readonly Drive[];
}

/** Rides that mind their company, at most: the oracle goes through all combinations of their trips. */
const MOST_IN_COMPANY = 4;

/** Rides that the drives of a plan make, with windows, vehicles and company. */
export function constrainRides(
  random: Random,
  moves: readonly Action[],
  people: readonly string[],
): RideFile[] {
  const drives = moves.filter((action) => action.do === 'drive');
  const made: Made[] = [];
  for (const person of people) {
    const legs = drives
      .filter((drive) => drive.who === person || drive.with.includes(person))
      .toSorted((a, b) => a.start - b.start || a.end - b.end);
    for (const [from, to, trips] of tripsOf(legs)) {
      if (random.chance(0.6)) continue;
      const trip = random.pick(trips);
      const id = `${person}-${made.length}`;
      const since = standsSince(moves, person, trip[0]);
      const ride = rideOf(random, { id, people: [person], from, to }, trip, since);
      made.push({ ride, drives: trip });
    }
  }
  const minding = made.filter(() => random.chance(0.7)).slice(0, MOST_IN_COMPANY);
  return made.map((one) => {
    const { ride, drives: own } = one;
    const others = minding.includes(one) ? minding.filter((other) => other !== one) : [];
    const same = others.filter(
      (one) => one.drives.length === own.length && one.drives.every((drive) => own.includes(drive)),
    );
    const away = others.filter((one) => !one.drives.some((drive) => own.includes(drive)));
    return {
      ...ride,
      together: random.some(same, 0.5).map((one) => one.ride.id),
      apart: random.some(away, 0.3).map((one) => one.ride.id),
    };
  });
}

/** From when on somebody and their vehicle stand where a drive begins; its start if one of them has done nothing before. */
function standsSince(moves: readonly Action[], person: string, drive: Drive): number {
  const before = moves.filter((one) => one !== drive && one.start <= drive.start);
  // An activity may go on without those who did it: they are taken to be there until the drive.
  const endOf = (is: (one: Action) => boolean) =>
    Math.max(
      Number.NEGATIVE_INFINITY,
      ...before.filter(is).map(({ end }) => Math.min(end, drive.start)),
    );
  const vehicle = endOf((one) => one.do === 'drive' && one.vehicle === drive.vehicle);
  const own = endOf((one) => actorsOf(one).includes(person));
  return Number.isFinite(vehicle + own) ? Math.max(vehicle, own) : drive.start;
}

function rideOf(random: Random, bare: RideFile, trip: readonly Drive[], since: number): RideFile {
  const [start, end] = [random.int(since, trip[0].start), trip[trip.length - 1].end];
  const around = (time: number): [string | null, string | null] => [
    random.chance(0.3) ? null : formatClock(Math.max(0, time - random.int(0, 10))),
    random.chance(0.3) ? null : formatClock(time + random.int(0, 10)),
  ];
  return {
    ...bare,
    ...(random.chance(0.6) && { pickup: around(start) }),
    ...(random.chance(0.6) && { arrive: around(end) }),
    ...(random.chance(0.5) && { vehicles: [...new Set(trip.map(({ vehicle }) => vehicle))] }),
  };
}

/** Every two places between which somebody goes, with all trips between them, by whichever places. */
function tripsOf(legs: readonly Drive[]): [string, string, Drive[][]][] {
  const isPlace = (name: string) => !name.includes('@');
  const starts = [...new Set(legs.map(({ from }) => from))].filter(isPlace);
  const ends = [...new Set(legs.map(({ to }) => to))].filter(isPlace);
  return starts.flatMap((from) =>
    ends.flatMap((to): [string, string, Drive[][]][] => {
      const trips = legs.flatMap((first, i) =>
        first.from !== from
          ? []
          : legs.flatMap((last, k) => (k < i || last.to !== to ? [] : [legs.slice(i, k + 1)])),
      );
      return trips.length === 0 ? [] : [[from, to, trips]];
    }),
  );
}
