import type { RideNetwork } from './ride-network.js';
import { driveRoute, type Route } from './routes.js';

/** The stops of a vehicle in order, with the data to test the insertion of a ride in constant time per position. */
export interface Tour {
  readonly vehicle: number;
  /** Stops of the network, beginning with the vehicle's start. */
  readonly stops: readonly number[];
  /** Earliest departure from each stop. */
  readonly times: readonly number[];
  /** Latest time at each stop that keeps all later stops in time. */
  readonly latest: readonly number[];
  /** People aboard after each stop. */
  readonly loads: readonly number[];
  readonly metres: number;
}

/**
 * Position of a ride in a tour: its people get in after stop `i`, and out after stop `k`, or directly after the pick-up
 * if both are equal.
 */
export interface Insertion {
  /** Metres that it adds. */
  readonly added: number;
  readonly i: number;
  readonly k: number;
}

/**
 * The tour of a vehicle by these stops; null if it breaks a window, a seat limit, the range or a person's availability.
 */
export function createTour(
  net: RideNetwork,
  vehicle: number,
  stops: readonly number[],
): Tour | null {
  const { seats, range } = net.vehicles[vehicle];
  const times = [net.ready[stops[0]]];
  const loads = [0];
  let [metres, time, load] = [0, times[0], 0];
  for (let at = 1; at < stops.length; at++) {
    const [cell, stop] = [stops[at - 1] * net.stops + stops[at], stops[at]];
    time = Math.max(time + net.minutes[cell], net.ready[stop]);
    load += stop % 2 === 0 ? net.size[stop >> 1] : -net.size[stop >> 1];
    metres += net.metres[cell];
    if (time > net.due[stop] || time > net.until[vehicle] || load > seats) return null;
    times.push(time);
    loads.push(load);
  }
  if (metres > range) return null;
  const latest = stops.map((stop) => Math.min(net.due[stop], net.until[vehicle]));
  for (let at = stops.length - 2; at >= 0; at--) {
    const takes = net.minutes[stops[at] * net.stops + stops[at + 1]];
    latest[at] = Math.min(latest[at], latest[at + 1] - takes);
  }
  const tour = { vehicle, stops, times, latest, loads, metres };
  return net.isPlain || routeOfTour(net, tour) !== null ? tour : null;
}

/** A tour as drives, one road after another. */
export function routeOfTour(net: RideNetwork, { vehicle, stops }: Tour): Route | null {
  const [, ...rest] = stops;
  const isInside = (stop: number) => stop % 2 === 0 && net.inside[stop >> 1] >= 0;
  return driveRoute(
    net.problem,
    net.vehicles[vehicle],
    rest
      .filter((stop) => !isInside(stop))
      .map((stop) => ({ ride: net.rides[stop >> 1], isPickup: stop % 2 === 0 })),
    rest.filter(isInside).map((stop) => net.rides[stop >> 1]),
  );
}

/**
 * The feasible insertion of a ride that adds the fewest metres; null if none keeps times, seats and range.
 *
 * @param after considers only insertions after this one in the order of metres and positions
 */
export function cheapestInsertion(
  net: RideNetwork,
  tour: Tour,
  ride: number,
  after: Insertion | null = null,
): Insertion | null {
  const { stops, times, latest, loads, vehicle } = tour;
  const { minutes, metres, stops: width, ready } = net;
  if (net.mayTake[ride * net.vehicles.length + vehicle] === 0) return null;
  const most = net.vehicles[vehicle].seats - net.size[ride];
  const room = net.vehicles[vehicle].range - tour.metres;
  const [pickup, arrival] = [2 * ride, 2 * ride + 1];
  const [getIn, getOut] = [pickup * width, arrival * width];
  const leaveBy = Math.min(net.due[pickup], net.until[vehicle]);
  const arriveBy = Math.min(net.due[arrival], net.until[vehicle]);
  const last = stops.length - 1;
  let best = room;
  let [bestI, bestK] = [-1, -1];
  const offer = (added: number, i: number, k: number) => {
    if (added > best || (added === best && bestI >= 0)) return;
    if (after !== null && !isBehind(after, added, i, k)) return;
    best = added;
    bestI = i;
    bestK = k;
  };
  for (let i = 0; i <= last; i++) {
    if (loads[i] > most) continue;
    const row = stops[i] * width;
    const start = Math.max(times[i] + minutes[row + pickup], ready[pickup]);
    // The quickest ways satisfy the triangle inequality, so later stops are later still.
    if (start > leaveBy) break;
    const end = Math.max(start + minutes[getIn + arrival], ready[arrival]);
    if (end > arriveBy) continue;
    const direct = metres[row + pickup] + metres[getIn + arrival];
    if (i === last) {
      offer(direct, i, i);
      break;
    }
    const next = stops[i + 1];
    const base = metres[row + next];
    if (Math.max(end + minutes[getOut + next], ready[next]) <= latest[i + 1]) {
      offer(direct + metres[getOut + next] - base, i, i);
    }
    const detour = metres[row + pickup] + metres[getIn + next] - base;
    let time = Math.max(start + minutes[getIn + next], ready[next]);
    for (let k = i + 1; time <= latest[k] && loads[k] <= most; k++) {
      const from = stops[k] * width;
      const out = time + minutes[from + arrival];
      if (out > arriveBy) break;
      if (k === last) {
        offer(detour + metres[from + arrival], i, k);
        break;
      }
      const onward = stops[k + 1];
      const then = Math.max(
        Math.max(out, ready[arrival]) + minutes[getOut + onward],
        ready[onward],
      );
      if (then <= latest[k + 1]) {
        const extra = metres[from + arrival] + metres[getOut + onward] - metres[from + onward];
        offer(detour + extra, i, k);
      }
      time = Math.max(time + minutes[from + onward], ready[onward]);
    }
  }
  return bestI < 0 ? null : { added: best, i: bestI, k: bestK };
}

/** The stops of a tour with one more ride. */
export function withRide({ stops }: Tour, ride: number, { i, k }: Insertion): number[] {
  return [
    ...stops.slice(0, i + 1),
    2 * ride,
    ...stops.slice(i + 1, k + 1),
    2 * ride + 1,
    ...stops.slice(k + 1),
  ];
}

function isBehind(one: Insertion, added: number, i: number, k: number): boolean {
  if (added !== one.added) return added > one.added;
  return i !== one.i ? i > one.i : k > one.k;
}
