import {
  type GroupTour,
  type GroupTours,
  type TourGuide,
  type VisitorGroup,
  wantedStart,
} from './groups.js';

/** The price of a tour besides the balance between guides. */
export type TourPrice = (tour: GroupTour, group: VisitorGroup) => number;

/** Most groups that the exact search takes: it looks at all sets of groups. */
export const MOST_GROUPS = 12;

/** The best tours of a guide for one set of groups. */
interface GuideDay {
  readonly cost: number;
  readonly tours: readonly GroupTour[];
}

/**
 * The cheapest plan of tours, exactly: for each guide and each set of groups the best order and times, then the best
 * division of the groups among the guides. Starts lie where a tour begins at a wanted time, at an arrival or at an end of
 * a guide's day, or a whole number of tours away from there: between those the price of a chain of tours is linear.
 *
 * @param starts more minutes at which tours may start, such as those of a plan to keep
 * @returns null if no plan keeps all rules
 */
export function searchGroups(
  problem: GroupTours,
  price: TourPrice = ({ start }, group) => Math.abs(start - wantedStart(group)),
  starts: readonly number[] = [],
): { readonly tours: readonly GroupTour[]; readonly cost: number } | null {
  const { groups, guides, minutes } = problem;
  const times = startsOf(problem, starts);
  const all = (1 << groups.length) - 1;
  const days = guides.map((guide) => daysOf(problem, guide, times, price));
  // By set of served groups, fewest and most tours of a guide.
  let best = new Map<
    string,
    GuideDay & { readonly set: number; readonly few: number; readonly most: number }
  >();
  best.set('start', { set: 0, few: groups.length, most: 0, cost: 0, tours: [] });
  for (const day of days) {
    const next: typeof best = new Map();
    for (const { set, few, most, cost, tours } of best.values()) {
      for (const [more, one] of day) {
        if ((set & more) !== 0) continue;
        const count = one.tours.length;
        const state = {
          set: set | more,
          few: Math.min(few, count),
          most: Math.max(most, count),
          cost: cost + one.cost,
          tours: [...tours, ...one.tours],
        };
        const key = `${state.set} ${state.few} ${state.most}`;
        if (state.cost < (next.get(key)?.cost ?? Number.POSITIVE_INFINITY)) next.set(key, state);
      }
    }
    best = next;
  }
  const whole = [...best.values()]
    .filter(({ set }) => set === all)
    .map(({ tours, cost, few, most }) => ({ tours, cost: cost + minutes * (most - few) }));
  return whole.toSorted((a, b) => a.cost - b.cost)[0] ?? null;
}

/** All minutes at which a tour of a cheapest plan may start. */
function startsOf({ groups, guides, minutes }: GroupTours, more: readonly number[]): number[] {
  const anchors = [
    ...groups.flatMap((group) => [group.arrives, wantedStart(group)]),
    ...guides.flatMap(({ from, until }) => [from, until - minutes]),
    ...more,
  ];
  const times = new Set<number>();
  for (const anchor of anchors) {
    for (let k = -groups.length; k <= groups.length; k++) times.add(anchor + k * minutes);
  }
  return [...times].toSorted((a, b) => a - b);
}

/** The best day of a guide for each set of groups that can be led, by bits. */
function daysOf(
  { groups, minutes, mostPeople }: GroupTours,
  guide: TourGuide,
  times: readonly number[],
  price: TourPrice,
): Map<number, GuideDay> {
  const days = new Map<number, GuideDay>([[0, { cost: 0, tours: [] }]]);
  // The best tours of a set whose last one starts at a time or before, by set: extended one tour at a time.
  let last = new Map<number, GuideDay[]>([[0, times.map(() => ({ cost: 0, tours: [] }))]]);
  const free = times.map((time) => times.findLastIndex((one) => one + minutes <= time));
  while (last.size > 0) {
    const next = new Map<number, GuideDay[]>();
    for (const [set, ending] of last) {
      for (const [g, group] of groups.entries()) {
        if ((set & (1 << g)) !== 0 || group.size > Math.min(guide.mostPeople, mostPeople)) continue;
        const key = set | (1 << g);
        const row = next.get(key) ?? [];
        for (const [t, start] of times.entries()) {
          const before = set === 0 ? ending[t] : ending[free[t]];
          if (before === undefined || start < group.arrives) continue;
          if (start < guide.from || start + minutes > guide.until) continue;
          const tour = { group: group.id, guide: guide.id, start };
          const cost = before.cost + price(tour, group);
          if (cost < (row[t]?.cost ?? Number.POSITIVE_INFINITY))
            row[t] = { cost, tours: [...before.tours, tour] };
        }
        if (row.length > 0) next.set(key, row);
      }
    }
    for (const row of next.values()) {
      for (let t = 1; t < times.length; t++) {
        if (
          row[t - 1] !== undefined &&
          row[t - 1].cost <= (row[t]?.cost ?? Number.POSITIVE_INFINITY)
        )
          row[t] = row[t - 1];
      }
    }
    for (const [set, row] of next) days.set(set, row[times.length - 1]);
    last = next;
  }
  return days;
}
