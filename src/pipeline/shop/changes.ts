import { changedNeeds } from '../../jssp/need-words.js';
import type { Schedule } from '../../jssp/schedule.js';
import { chosenMode, modeMachine } from '../../jssp/shop-parts.js';
import { earlierPlan } from './revert-version.js';
import type { ShopMemory } from './shop-memory.js';

/** An operation whose start or mode differs from an earlier version; job and step from 0. */
export interface ShopChange {
  readonly job: number;
  readonly step: number;
  readonly machine: number;
  /** Null if the earlier version did not contain the operation. */
  readonly was: number | null;
  /** The machine in the earlier version, if it was another one. */
  readonly wasOn?: number | undefined;
  /** The operators and tools that only the earlier version needed for it, and those that only the later one needs. */
  readonly wasNeeds?: readonly string[] | undefined;
  readonly needs?: readonly string[] | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * The operations of a version whose start or mode differs from an earlier version, and new operations, in the order of
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
  const { start: was, mode } = earlierPlan(memory, runId, earlier, later);
  const { modes } = schedule.instance;
  const changes: ShopChange[] = [];
  for (let op = 0; op < was.length; op++) {
    const before = modes === null ? op : modes.offset[op] + mode[op];
    const isElsewhere = modes !== null && was[op] >= 0 && modes.chosen[op] !== before;
    if (schedule.start[op] === was[op] && !isElsewhere) continue;
    const change = changeOf(schedule, op, was[op]);
    changes.push(isElsewhere ? { ...change, ...otherMode(schedule, op, before) } : change);
  }
  return changes;
}

/** The machine and needs in the earlier version that differ from those of the chosen mode. */
function otherMode(
  { instance }: Schedule,
  op: number,
  before: number,
): Pick<ShopChange, 'wasOn' | 'wasNeeds' | 'needs'> {
  const wasOn = modeMachine(instance, before);
  const needs = changedNeeds(instance, before, chosenMode(instance, op));
  return {
    ...(wasOn !== instance.machine[op] && { wasOn }),
    ...(needs.from.length + needs.to.length > 0 && { wasNeeds: needs.from, needs: needs.to }),
  };
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
