import type { ScheduleView } from 'alas-jssp/page';

/** The work of an operator or a tool, or of several that are alike, at a time. */
export interface OperatorNow {
  readonly resource: number;
  readonly name: string;
  /** How many there are. */
  readonly capacity: number;
  /** The operations, or setups for them, that they are at, and until when. */
  readonly works: readonly OperatorWork[];
  /** Their next operations, in order of time. */
  readonly next: readonly OperatorWork[];
}

/** An operation that needs an operator, or the setup for it. */
interface OperatorWork {
  readonly operation: number;
  readonly isSetup: boolean;
  readonly from: number;
  readonly until: number;
}

/** The operators and tools of a schedule at a time, each with up to `most` next operations. */
export function operatorsAt(view: ScheduleView, now: number, most: number): OperatorNow[] {
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
    return { resource, name, capacity: capacity[resource], works, next };
  });
}
