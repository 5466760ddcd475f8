import { formatClock } from '../../src/model/clock.js';
import type { Drive } from '../../src/model/plan.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import type { Random } from './random.js';

type RideFile = NonNullable<ProblemFile['rides']>[number];

/** A ride that people happen to make, with its drives. */
interface Made {
  readonly ride: RideFile;
  readonly drives: readonly Drive[];
}

/** Rides that the drives of a plan make, with windows, vehicles and company. */
export function constrainRides(
  random: Random,
  drives: readonly Drive[],
  people: readonly string[],
): RideFile[] {
  const made: Made[] = [];
  for (const person of people) {
    const legs = drives
      .filter((drive) => drive.who === person || drive.with.includes(person))
      .toSorted((a, b) => a.start - b.start || a.end - b.end);
    for (const [from, to, trips] of tripsOf(legs)) {
      if (random.chance(0.6)) continue;
      const trip = random.pick(trips);
      const id = `${person}-${made.length}`;
      const ride = rideOf(random, { id, people: [person], from, to }, trip);
      // Where several trips would do, the ride is not compared with others: any may be meant.
      made.push({ ride, drives: trips.length === 1 ? trip : [] });
    }
  }
  return made.map(({ ride, drives: own }) => {
    const others = own.length === 0 ? [] : made.filter((one) => one.ride !== ride);
    const same = others.filter(
      (one) => one.drives.length === own.length && one.drives.every((drive) => own.includes(drive)),
    );
    const away = others.filter(
      (one) => one.drives.length > 0 && !one.drives.some((drive) => own.includes(drive)),
    );
    return {
      ...ride,
      together: random.some(same, 0.5).map((one) => one.ride.id),
      apart: random.some(away, 0.3).map((one) => one.ride.id),
    };
  });
}

function rideOf(random: Random, bare: RideFile, trip: readonly Drive[]): RideFile {
  const [start, end] = [trip[0].start, trip[trip.length - 1].end];
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

/** Every two places between which somebody goes, with all trips between them. */
function tripsOf(legs: readonly Drive[]): [string, string, Drive[][]][] {
  const isPlace = (name: string) => !name.includes('@');
  const starts = [...new Set(legs.map(({ from }) => from))].filter(isPlace);
  const ends = [...new Set(legs.map(({ to }) => to))].filter(isPlace);
  return starts.flatMap((from) =>
    ends.flatMap((to): [string, string, Drive[][]][] => {
      const trips: Drive[][] = [];
      for (const [i, leg] of legs.entries()) {
        if (leg.from !== from) continue;
        const end = legs.findIndex((one, k) => k >= i && one.to === to);
        const again = legs.findIndex((one, k) => k > i && one.from === from);
        if (end >= 0 && (again < 0 || again > end)) trips.push(legs.slice(i, end + 1));
      }
      return trips.length === 0 ? [] : [[from, to, trips]];
    }),
  );
}
