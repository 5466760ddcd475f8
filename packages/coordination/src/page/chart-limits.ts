import type { ChartLimit, ChartShade } from 'alas-jssp/chart';
import { formatClock } from '../model/clock.js';
import type { Activity, Person, Problem, Vehicle, Window } from '../model/problem.js';
import { windowInWords } from '../model/window.js';

/** The limits for starts and ends of a person's rides. */
export function limitsOfPerson({ rides }: Problem, { id }: Person): ChartLimit[] {
  return [...rides.values()]
    .filter(({ people }) => people.includes(id))
    .flatMap(({ id: ride, from, to, pickup, arrive }) => [
      ...limitsOf(pickup, `${ride}: leaves ${from}`),
      ...limitsOf(arrive, `${ride}: arrives at ${to}`),
    ]);
}

/** The limits for the start and end of an activity. */
export function limitsOfActivity({ name, start, end }: Activity): ChartLimit[] {
  return [...limitsOf(start, `${name} starts`), ...limitsOf(end, `${name} ends`)];
}

function limitsOf(window: Window, words: string): ChartLimit[] {
  const title = `${words} ${windowInWords(window)}`;
  return [
    { time: window.earliest, side: 'from' as const, title },
    { time: window.latest, side: 'by' as const, title },
  ].filter(({ time }) => Number.isFinite(time));
}

/** The times at which a person or a vehicle is not available. */
export function awayTimes({ name, from, until }: Person | Vehicle): ChartShade[] {
  return outside([{ earliest: from, latest: until }], (gap) =>
    gap.latest === from
      ? `${name} is there from ${formatClock(from)} on`
      : `${name} is there until ${formatClock(until)}`,
  );
}

/** The times at which the only place of an activity is closed. */
export function closedTimes({ places }: Problem, { at }: Activity): ChartShade[] {
  const open = at.length === 1 ? places.get(at[0])?.open : null;
  if (open === null || open === undefined) return [];
  return outside(open, () => `${at[0]} is open ${open.map(windowInWords).join(' and ')}`);
}

/** The times outside of sorted, disjoint windows. */
function outside(windows: readonly Window[], words: (gap: Window) => string): ChartShade[] {
  const shades: ChartShade[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { earliest, latest } of [
    ...windows,
    { earliest: Number.POSITIVE_INFINITY, latest: Number.POSITIVE_INFINITY },
  ]) {
    if (earliest > from) {
      shades.push({ from, until: earliest, title: words({ earliest: from, latest: earliest }) });
    }
    from = latest;
  }
  return shades;
}
