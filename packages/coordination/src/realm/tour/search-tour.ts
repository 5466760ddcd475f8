import { type CampusPlan, type CampusTour, walkMinutes } from './tour.js';

/** Partial orders after which a search of orders gives up its proof. */
const MOST_NODES = 2_000_000;

/** The cheapest order of visits, and the proof. */
export interface CampusSearch {
  readonly plan: CampusPlan | null;
  /** By the price of steps; infinite without a plan. */
  readonly cost: number;
  /** No plan costs less; infinite if it is proven that there is none. */
  readonly bound: number;
}

/** The price of a step from one stop to the next one. */
export type StepPrice = (from: string, to: string) => number;

/**
 * The cheapest tour: a depth-first search through all orders, cut where the price so far and the cheapest step into each
 * open place reach the best tour, or where the times cannot be kept.
 */
export function searchTour(
  tour: CampusTour,
  price: StepPrice = (from, to) => walkMinutes(tour, from, to),
): CampusSearch {
  const stops = [...tour.places, tour.end];
  const into = new Map(
    stops.map((to) => [
      to,
      Math.min(
        ...[tour.start, ...tour.places]
          .filter((from) => from !== to)
          .map((from) => price(from, to)),
      ),
    ]),
  );
  const root = stops.reduce((sum, to) => sum + (into.get(to) ?? 0), 0);
  let best: { cost: number; order: readonly string[] } = {
    cost: Number.POSITIVE_INFINITY,
    order: [],
  };
  let nodes = 0;
  const visit = (order: readonly string[], cost: number, rest: number): void => {
    if (nodes > MOST_NODES || cost + rest >= best.cost || timesOf(tour, order, false) === null)
      return;
    nodes++;
    const here = order.at(-1) ?? tour.start;
    const open = tour.places.filter((place) => !order.includes(place));
    if (open.length === 0) {
      const total = cost + price(here, tour.end);
      if (total < best.cost && timesOf(tour, order, true) !== null) best = { cost: total, order };
      return;
    }
    for (const place of open.toSorted((a, b) => price(here, a) - price(here, b))) {
      visit([...order, place], cost + price(here, place), rest - (into.get(place) ?? 0));
    }
  };
  visit([], 0, root);
  const plan = Number.isFinite(best.cost) ? timesOf(tour, best.order, true) : null;
  return {
    plan,
    cost: best.cost,
    bound: nodes > MOST_NODES ? Math.min(root, best.cost) : best.cost,
  };
}

/**
 * The shortest tour in this order, as late as it can begin without being longer: the wait for windows is least if the
 * tour begins as late as all windows allow. Null if the order cannot be kept.
 *
 * @param isWhole whether the places are all of the tour, so that it also goes to the end
 */
export function timesOf(
  tour: CampusTour,
  order: readonly string[],
  isWhole: boolean,
): CampusPlan | null {
  const { visitMinutes, windows, maxMinutes, limits } = tour;
  const stops = [tour.start, ...order, ...(isWhole ? [tour.end] : [])];
  const legs = stops
    .slice(1)
    .map((to, at) => walkMinutes(tour, stops[at], to) + (at > 0 ? visitMinutes : 0));
  if (!legs.every(Number.isFinite)) return null;
  let latest = Number.POSITIVE_INFINITY;
  for (let i = stops.length - 1; i > 0; i--) {
    const [, until] = i <= order.length ? (windows.get(stops[i]) ?? []) : [];
    latest = Math.min(latest, until ?? Number.POSITIVE_INFINITY) - legs[i - 1];
  }
  // Without windows any start will do: 9:00.
  const start = Number.isFinite(latest) ? latest : 540;
  if (start < 0) return null;
  const visits: { place: string; at: number }[] = [];
  let at = start;
  for (const [i, leg] of legs.entries()) {
    at += leg;
    if (i >= order.length) break;
    const [from, until] = windows.get(order[i]) ?? [at, at];
    if (at > until) return null;
    at = Math.max(at, from);
    visits.push({ place: order[i], at });
  }
  const walked = legs.reduce((sum, leg) => sum + leg, 0) - visitMinutes * (legs.length - 1);
  const minutes = limits === 'elapsed' ? at - start : walked;
  return minutes > maxMinutes ? null : { start, visits, end: at };
}
