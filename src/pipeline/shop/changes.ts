import type { Schedule } from '../../jssp/schedule.js';
import { earlierStarts } from './revert-version.js';
import type { ShopMemory } from './shop-memory.js';

/** An operation whose start differs from an earlier version; job and step from 0. */
export interface ShopChange {
  readonly job: number;
  readonly step: number;
  readonly machine: number;
  /** Null if the earlier version did not contain the operation. */
  readonly was: number | null;
  readonly start: number;
  readonly end: number;
}

/**
 * The operations of a version whose start differs from an earlier version, and new operations, in the order of
 * their numbers. Operations cancelled in between are omitted. O(N V).
 *
 * @throws AlasError `no_version`
 */
export function changesBetween(
  memory: ShopMemory,
  runId: string,
  earlier: number,
  later: number,
): ShopChange[] {
  const { schedule } = memory.versionOf(runId, later);
  const was = earlierStarts(memory, runId, earlier, later);
  const changes: ShopChange[] = [];
  for (let op = 0; op < was.length; op++) {
    if (schedule.start[op] !== was[op]) changes.push(changeOf(schedule, op, was[op]));
  }
  return changes;
}

function changeOf({ instance, start, end }: Schedule, op: number, was: number): ShopChange {
  const job = instance.jobOf[op];
  return {
    job,
    step: op - instance.jobOffset[job],
    machine: instance.machine[op],
    was: was < 0 ? null : was,
    start: start[op],
    end: end[op],
  };
}
