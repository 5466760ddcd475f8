import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { withModes } from '../../jssp/shop-timing/lists.js';
import { isFeasible } from '../../validator/judge.js';
import { judgeRepair } from '../judge-repair.js';
import { aimOf, goalOf } from '../phases/aim.js';
import { deadlineOf } from '../phases/deadline.js';
import { tooFewEdits } from '../phases/within-edits.js';
import { heldOperations } from '../pins/held-operations.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { LostPin, MethodResult, RepairContext, RepairTask } from '../task.js';
import { editedOperations } from './edited-operations.js';
import { reassignWork } from './reassign.js';
import { movesFor } from './repair-modes.js';
import { shiftParts, withoutStartedLags } from './shift-parts.js';
import { thenMakespanElsewhere } from './then-makespan.js';
import { searchWider } from './wider-search.js';

/**
 * The protocol in shops with setups, transport, lags, graphs or resources: a right shift in the planned order, then
 * single operations go to other places and machines while that lowers the cost, and starts are aligned with the plan.
 *
 * @throws InputError `too_few_edits`
 */
export async function repairParts(
  task: RepairTask,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  const compensated = shiftParts(task);
  const kept = holdStarts(task, policy, compensated, context);
  const made = await improve(task, kept, policy, context);
  const limited = withinLimit(task, made, kept, policy);
  const lostPins = lostStarts(task, limited.schedule, policy);
  const judged = { ...limited, compensated, lostPins };
  judgeRepair(judged, 'lcrp');
  return judged;
}

async function improve(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  context: RepairContext,
): Promise<MethodResult> {
  const value = objectiveValue(compensated, policy.objective);
  const planned = Math.min(value, aimOf(task, policy.objective));
  const isAsPlanned = task.planned.every((time, op) => time === compensated.start[op]);
  const nothing: MethodResult = {
    schedule: compensated,
    phase: isAsPlanned ? 'status' : 'compensation',
    neighbourhood: new Int32Array(),
    evaluations: 0,
    compensated,
    reordered: null,
  };
  const { isOver } = deadlineOf(policy, context);
  let best = nothing;
  if (value > planned && policy.budget.passes > 0 && !isOver()) {
    const settings = {
      unit: value,
      goal: goalOf(policy, value, planned),
      evaluations: movesFor(policy, task.instance.operations),
    };
    const found = search(task, compensated, policy, settings, { ...context, isOver });
    const { schedule, neighbourhood, evaluations } = found;
    const isBetter = schedule !== compensated;
    best = isBetter
      ? {
          ...nothing,
          schedule,
          neighbourhood,
          evaluations,
          phase: 'reordering',
          reordered: schedule,
        }
      : { ...nothing, evaluations, reordered: compensated };
  }
  const wider = await searchWider(task, best, compensated, policy, { planned, value }, context);
  return thenMakespanElsewhere(task, wider, compensated, policy, context);
}

/** The place search; greatest lags that cannot be kept after started operations are left out while it runs. */
function search(
  task: RepairTask,
  compensated: Schedule,
  policy: RepairPolicy,
  settings: Parameters<typeof reassignWork>[3],
  context: Parameters<typeof reassignWork>[4],
): ReturnType<typeof reassignWork> {
  const { instance } = task;
  const mayExceed = instance.precedence?.maxLag.some((lag) => lag >= 0) && !keepsLags(compensated);
  if (!mayExceed) return reassignWork(task, compensated, policy, settings, context);
  const relaxed = withoutStartedLags(instance);
  const own = { ...task, instance: relaxed };
  const from = createSchedule(withModes(relaxed, compensated.mode ?? NONE), compensated.start);
  const found = reassignWork(own, from, policy, settings, context);
  if (found.schedule === from) return { ...found, schedule: compensated };
  const { mode, start } = found.schedule;
  return { ...found, schedule: createSchedule(withModes(instance, mode ?? NONE), start) };
}

/** No modes: for shops without them. */
const NONE = new Int32Array();

function keepsLags({ instance, start }: Schedule): boolean {
  return isFeasible(instance, start);
}

/** Moves other work out of the way of operations that must keep their planned start. */
function holdStarts(
  task: RepairTask,
  policy: RepairPolicy,
  compensated: Schedule,
  context: RepairContext,
): Schedule {
  const held = [...heldOperations(task, policy.limits)];
  const { planned } = task;
  const missed = (one: Schedule) => held.filter((op) => one.start[op] !== planned[op]).length;
  if (missed(compensated) === 0) return compensated;
  const { isOver } = deadlineOf(policy, context);
  const settings = {
    unit: objectiveValue(compensated, policy.objective),
    goal: Number.NEGATIVE_INFINITY,
    evaluations: movesFor(policy, task.instance.operations),
    pinsAsPlanned: true,
  };
  const found = search(task, compensated, policy, settings, { ...context, isOver }).schedule;
  return missed(found) < missed(compensated) ? found : compensated;
}

function lostStarts(task: RepairTask, schedule: Schedule, policy: RepairPolicy): LostPin[] {
  return [...heldOperations(task, policy.limits)]
    .filter((op) => schedule.start[op] !== task.planned[op])
    .sort((a, b) => a - b)
    .map((operation) => ({ operation, reason: 'not-found', earliest: null, with: [] }));
}

/** The result, or compensation, whichever is within the limit of edits. */
function withinLimit(
  task: RepairTask,
  made: MethodResult,
  compensated: Schedule,
  { limits: { mostEdited } }: RepairPolicy,
): MethodResult {
  if (mostEdited === null) return made;
  const edits = editedOperations(task, made.schedule).length;
  if (edits <= mostEdited) return made;
  const fewest = editedOperations(task, compensated).length;
  if (fewest > mostEdited) throw tooFewEdits(mostEdited, Math.min(edits, fewest), 0);
  return { ...made, schedule: compensated, phase: 'compensation', neighbourhood: new Int32Array() };
}
