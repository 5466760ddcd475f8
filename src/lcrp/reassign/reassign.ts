import { createRandom } from '@alas-jssp/core/random';
import { completionTime } from '../../jssp/calendar.js';
import { type Instance, isFree, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { chosenModes } from '../../jssp/shop-timing/lists.js';
import { repairCost } from '../phases/cost.js';
import { surroundingsOf } from '../phases/neighbourhood.js';
import { heldOperations } from '../pins/held-operations.js';
import { evaluationsFor, FULL_OPERATIONS, hasLimits, type RepairPolicy } from '../policy/policy.js';
import { plannedModesOf, type RepairContext, type RepairTask } from '../task.js';
import { alignParts } from './align.js';
import { searchByKernel } from './kernel-search.js';
import { openPlaceSearch } from './place-search.js';
import { goalsOf } from './targets.js';

/** The result of moving work to other places and machines. */
export interface ReassignResult {
  /** As close to the plan as its objective allows. */
  readonly schedule: Schedule;
  /** The operations that may have been moved, ascending. */
  readonly neighbourhood: Int32Array;
  /** Moves that were tried. */
  readonly evaluations: number;
}

/** The limits of a search: moves tried, a value that is good enough, the initial schedule. */
export interface ReassignSettings {
  /** The objective after compensation; costs of the policy are shares of it. */
  readonly unit: number;
  readonly goal: number;
  readonly evaluations: number;
  readonly from?: Schedule | undefined;
  /** Whether pinned operations are to keep their planned starts, not those of the compensated schedule. */
  readonly pinsAsPlanned?: boolean | undefined;
}

/**
 * Moves work around the affected operations to other places and machines, and aligns the result with the plan. It never
 * costs more than the initial schedule.
 *
 * @param compensated the schedule of phase 1
 */
export function reassignWork(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  { unit, goal, evaluations, from = compensated, pinsAsPlanned = false }: ReassignSettings,
  context: RepairContext & { readonly isOver: () => boolean },
): ReassignResult {
  const { instance, planned } = task;
  const modes = plannedModesOf(task) ?? chosenModes(instance);
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const neighbourhood = surroundings.within(policy.radius.most);
  const movable = new Uint8Array(instance.operations);
  for (const op of neighbourhood) movable[op] = 1;
  const closed = new Uint8Array(instance.machines);
  for (const k of policy.limits.untouchableMachines) closed[k] = 1;
  const pins = pinnedStarts(task, pinsAsPlanned ? planned : compensated.start, policy);
  const start = createSchedule(releasedFrom(from.instance, pins), from.start);
  const ends = new Map([...pins].map(([op, time]) => [op, completionTime(instance, op, time)]));
  const price = policy.cost.reassigned * unit;
  const byKernel = fitsKernel(task, policy, neighbourhood)
    ? searchByKernel(start, { ...context, goal, iterations: iterationsFor(policy, instance) })
    : null;
  const search = openPlaceSearch(byKernel?.schedule ?? start, {
    rules: { movable, closed, planned: modes, price },
    goals: (state) => goalsOf(state, modes, policy, unit, ends),
    random: createRandom(context.seed),
  });
  if (byKernel === null) search.improve(evaluations, goal, context.isOver);
  search.settle({ planned, modes, movable }, Math.ceil(SETTLED * evaluations));
  const found = search.schedule();
  const aligned = alignParts(task, found, policy.objective, ends);
  const tried = search.evaluations + (byKernel?.iterations ?? 0);
  const costOf = (one: Schedule) => repairCost(task, one, policy, unit);
  const missed = (one: Schedule) => [...pins].filter(([op, time]) => one.start[op] !== time).length;
  const isWorth =
    missed(aligned) < missed(from) ||
    (missed(aligned) === missed(from) && costOf(aligned) < costOf(from));
  return { schedule: isWorth ? aligned : from, neighbourhood, evaluations: tried };
}

/** Whether the kernel of flexible shops may search: for the makespan alone, and where everything may move. */
function fitsKernel(task: RepairTask, policy: RepairPolicy, neighbourhood: Int32Array): boolean {
  const { instance } = task;
  const { objective, cost } = policy;
  if (objective !== 'makespan' || cost.movedEarlier > 0 || hasLimits(policy)) return false;
  if (instance.deadline !== null || instance.resources !== null) return false;
  let free = 0;
  for (let op = 0; op < instance.operations; op++) if (isFree(instance, op)) free++;
  return neighbourhood.length === free;
}

/** Iterations of the kernel: its iterations take longer in larger shops. */
function iterationsFor(policy: RepairPolicy, { operations }: Instance): number {
  return Math.ceil(evaluationsFor(policy, operations) / Math.min(operations, FULL_OPERATIONS));
}

/** Trials of going back, as a share of the moves tried. */
const SETTLED = 0.5;

/** The starts that pinned operations keep. */
function pinnedStarts(
  task: RepairTask,
  start: Int32Array,
  { limits }: RepairPolicy,
): Map<number, number> {
  const pins = new Map<number, number>();
  for (const op of heldOperations(task, limits)) pins.set(op, start[op]);
  return pins;
}

/** The instance in which pinned operations are not released before these starts. */
function releasedFrom(instance: Instance, pins: ReadonlyMap<number, number>): Instance {
  if (pins.size === 0) return instance;
  const release = instance.release?.slice() ?? new Int32Array(instance.operations);
  for (const [op, start] of pins) {
    if (isFree(instance, op)) release[op] = Math.max(release[op], start);
  }
  return replaceInstance(instance, { release });
}
