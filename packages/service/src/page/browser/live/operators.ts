import type { ScheduleView } from 'alas-jssp/page';

/** The work of an operator or a tool, or of several that are alike, at a time. */
export interface OperatorNow {
  readonly resource: number;
  readonly name: string;
  /** How many there are. */
  readonly capacity: number;
  /** How many are there now, and until when that holds; null if all are there. */
  readonly there: number;
  readonly until: number | null;
  /** The operations, or setups for them, that they are at, and until when. */
  readonly works: readonly OperatorWork[];
  /** Their next operations, in order of time. */
  readonly next: readonly OperatorWork[];
}

/** An operation that needs an operator, or the setup for it. */
export interface OperatorWork {
  readonly operation: number;
  readonly isSetup: boolean;
  readonly from: number;
  readonly until: number;
}

/**
 * The operators and tools of a schedule at a time, each with up to `most` next operations.
 *
 * @param facts the schedule whose instance knows the latest reports, which a proposal has
 */
export function operatorsAt(
  view: ScheduleView,
  now: number,
  most: number,
  facts: ScheduleView = view,
): OperatorNow[] {
  if (view.resources === null) return [];
  const { names, capacity, uses } = view.resources;
  return names.map((name, resource) => {
    const works: OperatorWork[] = [];
    const next: OperatorWork[] = [];
    uses.resource.forEach((one, i) => {
      const [operation, from, until] = [uses.operation[i], uses.from[i], uses.to[i]];
      if (one !== resource || until <= now) return;
      const work = { operation, isSetup: from < view.start[operation], from, until };
      if (from <= now) works.push(work);
      else if (next.length < most) next.push(work);
    });
    const present = presenceAt(facts, resource, now);
    return { resource, name, capacity: capacity[resource], ...present, works, next };
  });
}

/** How many of a resource are there at a time, and until when if some are away. */
function presenceAt(
  { resources }: ScheduleView,
  resource: number,
  now: number,
): Pick<OperatorNow, 'there' | 'until'> {
  if (resources === null) return { there: 0, until: null };
  const { reduced, capacity } = resources;
  const isNow = (i: number) =>
    reduced.resource[i] === resource && reduced.from[i] <= now && reduced.to[i] > now;
  let i = reduced.resource.findIndex((_, one) => isNow(one));
  if (i < 0) return { there: capacity[resource], until: null };
  const there = reduced.amount[i];
  // Times are in order; one of the same amount may follow at once.
  while (
    reduced.resource[i + 1] === resource &&
    reduced.from[i + 1] === reduced.to[i] &&
    reduced.amount[i + 1] === there
  ) {
    i++;
  }
  return { there, until: reduced.to[i] };
}
