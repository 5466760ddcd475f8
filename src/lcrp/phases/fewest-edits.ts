import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { RepairTask } from '../task.js';
import { insertUnplanned } from './compensate.js';
import { searchFewEdits } from './edit-beam.js';
import { type EditShop, editShopOf, headsOf, machineAlone } from './edit-shop.js';
import { type StepBudget, searchEdits } from './edit-tree.js';
import { createEditCounter } from './edited.js';

/** The fewest operations that must differ from the plan, as far as known. */
export interface FewestEdits {
  /** The found schedule with the fewest edits, and their number. */
  readonly schedule: Schedule;
  readonly edits: number;
  /** A proven lower bound within the limits. Equal to the number of edits if `schedule` is the best. */
  readonly atLeast: number;
}

/** Steps of the proof for one machine, of the beam, and of the search of the whole shop. */
const STEPS_ALONE = 100_000;
const STEPS_BEAM = 20_000_000;
const STEPS_WHOLE = 500_000;

/**
 * Finds a schedule that differs from the plan in as few operations as possible (another start or another place), and
 * keeps all other limits of the policy except deadlines. The edits that each machine alone requires, summed up, are a
 * first lower bound; a search of the whole shop with more and more edits raises it until it finds a schedule. Both are
 * exact if they finish; otherwise the result is a bound and the best of compensation and a beam search.
 *
 * @param known schedules within the limits, at least one
 */
export function fewestEdits(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  known: readonly Schedule[],
  isOver: () => boolean,
): FewestEdits {
  const counter = createEditCounter(task);
  let best: { readonly schedule: Schedule; readonly edits: number } | null = null;
  const keep = (schedule: Schedule) => {
    const edits = counter.edited(schedule.start).length;
    if (best === null || edits < best.edits) best = { schedule, edits };
    return best;
  };
  let found = known.map(keep)[known.length - 1];
  let atLeast = 0;
  if (isOver()) return { ...found, atLeast };
  const edited = editShopOf(task, compensated, policy);
  const workOf = (left: number): StepBudget => ({ left, isOver });
  if (found.edits > 0) atLeast = leastOfMachines(edited, () => workOf(STEPS_ALONE));
  if (found.edits > atLeast) {
    const start = searchFewEdits(edited, workOf(STEPS_BEAM));
    if (start !== null) found = keep(complete(task, edited, start));
  }
  const work = workOf(STEPS_WHOLE);
  while (found.edits > atLeast) {
    const result = searchEdits(edited, atLeast, work);
    if (result.kind === 'found') found = keep(complete(task, edited, result.start));
    if (result.kind !== 'none') break;
    atLeast++;
  }
  return { ...found, atLeast };
}

/** The sum of required edits on each machine if nothing ever waits for another one. */
function leastOfMachines(edited: EditShop, work: () => StepBudget): number {
  const { shop, planned, queueOffset } = edited;
  const head = headsOf(shop);
  const { duration } = shop;
  let least = 0;
  for (let op = 0; op < planned.length; op++) {
    if (duration[op] === 0 && planned[op] >= 0 && head[op] > planned[op]) least++;
  }
  for (let k = 0; k < shop.machines; k++) {
    if (isAsPlanned(edited, k, head)) continue;
    const alone = machineAlone(edited, k);
    const own = work();
    const most = queueOffset[k + 1] - queueOffset[k];
    let edits = 0;
    while (edits < most && searchEdits(alone, edits, own).kind === 'none') edits++;
    least += edits;
  }
  return least;
}

/** Whether a machine by itself can run every operation at its planned start. */
function isAsPlanned(
  { shop, planned, queue, queueOffset }: EditShop,
  k: number,
  head: Int32Array,
): boolean {
  let free = 0;
  for (let slot = queueOffset[k]; slot < queueOffset[k + 1]; slot++) {
    const op = queue[slot];
    const time = planned[op];
    const fits = Math.max(head[op], free) <= time && earliestStart(shop, op, time) === time;
    if (!fits) return false;
    free = completionTime(shop, op, time);
  }
  return true;
}

/** The schedule of the whole shop; jobs that have waited take the first gaps. */
function complete(task: RepairTask, { operation, waits }: EditShop, times: Int32Array): Schedule {
  const { instance } = task;
  const start = instance.frozen?.slice() ?? new Int32Array(instance.operations);
  operation.forEach((op, i) => {
    start[op] = waits[i] === 1 ? -1 : times[i];
  });
  insertUnplanned(task, start, createSchedule(instance, start).end.slice());
  return createSchedule(instance, start);
}
