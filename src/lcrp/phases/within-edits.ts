import { InputError } from '@alas-jssp/core/errors';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { isFree } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, machineSequences, type Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { machineNeighbours } from '../../jssp/timing.js';
import { orderByTime } from '../../search/evolution/solution.js';
import { heldOperations } from '../pins/held-operations.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { MethodResult, RepairContext, RepairTask } from '../task.js';
import { cascade } from './cascade.js';
import { compensate } from './compensate.js';
import { repairCost } from './cost.js';
import { deadlineOf } from './deadline.js';
import { createEditCounter, type EditCounter } from './edited.js';
import { fewestEdits } from './fewest-edits.js';
import { surroundingsOf } from './neighbourhood.js';
import { openReordering } from './reorder.js';

/** A schedule, the number of its operations that differ from the plan, and its cost. */
interface EditCandidate {
  readonly schedule: Schedule;
  readonly edited: Int32Array;
  readonly cost: number;
}

/** The state that the searches within a number of edits share. */
interface EditSearch {
  readonly task: RepairTask;
  readonly policy: RepairPolicy;
  readonly compensated: Schedule;
  /** The objective; costs of the policy are shares of it. */
  readonly unit: number;
  readonly counter: EditCounter;
  readonly candidates: EditCandidate[];
  /** The operations that the repair without this limit edits. */
  readonly wanted: Int32Array;
  /** The operations that limits allow to change. */
  readonly movable: Int32Array;
  readonly random: Random;
}

/** The growth factor from one number of edits to the next; the increment is at least one. */
const STEP = 1.15;
/** Searches for each number of edits. */
const RUNS = 3;
/** The limits of moves that a search evaluates: their number, and operations timed. */
const MAX_MOVES = 3000;
const MAX_TIMED = 1_000_000;

/**
 * Repairs within `limits.mostEdited`, if there is such a limit: first without it, in at most half of the time, and then
 * as {@link withinEdits} describes.
 *
 * @param repair the method, called with a policy without this limit and a context with the deadline
 * @throws InputError `too_few_edits`
 */
export function repairWithinEdits(
  task: RepairTask,
  policy: RepairPolicy,
  context: RepairContext,
  repair: (policy: RepairPolicy, context: RepairContext) => MethodResult | Promise<MethodResult>,
): MethodResult | Promise<MethodResult> {
  const { limits, budget } = policy;
  refuseUnlessPlain(task.instance, 'the search within a limit of edits');
  const until = (rules: RepairPolicy) => ({ ...context, deadline: deadlineOf(rules, context) });
  if (limits.mostEdited === null) return repair(policy, until(policy));
  const seconds = budget.seconds === null ? null : budget.seconds / 2;
  const first = {
    ...policy,
    budget: { ...budget, seconds },
    limits: { ...limits, mostEdited: null },
  };
  const whole = until(policy);
  const made = repair(first, until(first));
  const keep = (one: MethodResult) => withinEdits(task, policy, one, whole);
  return made instanceof Promise ? made.then(keep) : keep(made);
}

/**
 * Enforces `limits.mostEdited`: if a repair differs from the plan in more operations, returns the cheapest of all
 * schedules found that do not. These are compensation, the schedule with the fewest edits, the queues of that repair
 * with later starts, and the results of reordering them with all but a number of operations fixed. That number grows
 * from the fewest edits to the limit, and the searches for each number do not depend on the limit: so a higher limit
 * never costs more.
 *
 * @param made the repair by the policy without this limit
 * @throws InputError `too_few_edits` if no schedule with so few edits is found; the error states the proven minimum of
 *   differing operations
 */
function withinEdits(
  task: RepairTask,
  policy: RepairPolicy,
  made: MethodResult,
  context: RepairContext,
): MethodResult {
  const most = policy.limits.mostEdited ?? Number.POSITIVE_INFINITY;
  const counter = createEditCounter(task);
  const wanted = counter.edited(made.schedule.start);
  if (wanted.length <= most) return made;
  const { isOver } = deadlineOf(policy, context);
  const compensated = made.compensated ?? compensate(task);
  const known = [compensated, made.schedule];
  if (isOver()) {
    // Right shifts alone may be few enough.
    const shifted = counter.edited(compensated.start).length;
    if (shifted > most) throw tooFewEdits(most, Math.min(shifted, wanted.length), 0);
    return {
      ...made,
      schedule: compensated,
      phase: 'compensation',
      neighbourhood: new Int32Array(),
    };
  }
  const fewest = fewestEdits(task, compensated, policy, known, isOver);
  const surroundings = surroundingsOf(task, compensated, policy.limits);
  const unit = objectiveValue(compensated, policy.objective);
  const movable = surroundings.within(surroundings.radius);
  const random = createRandom(context.seed);
  const candidates: EditCandidate[] = [];
  const search = { task, policy, compensated, unit, counter, candidates, wanted, movable, random };
  for (const schedule of [made.schedule, compensated, fewest.schedule]) keep(search, schedule);
  keepFound(search, withLaterStarts(task, made.schedule));
  let evaluations = 0;
  const improveRuns = (edits: number) => {
    for (let run = 0; run < RUNS && !isOver(); run++) {
      evaluations += improve(search, edits, run, isOver);
    }
  };
  let { edits } = fewest;
  for (let before = edits + 1; edits < before && edits > fewest.atLeast; ) {
    before = edits;
    if (policy.budget.passes > 0) improveRuns(edits);
    edits = candidates.reduce((least, { edited }) => Math.min(least, edited.length), edits);
  }
  if (edits > most) throw tooFewEdits(most, edits, fewest.atLeast);
  const end = policy.budget.passes === 0 ? 0 : Math.min(most, wanted.length - 1);
  for (; edits <= end && !isOver(); edits = nextNumber(edits)) improveRuns(edits);
  const { schedule } = bestWithin(search, most);
  return {
    schedule,
    phase: schedule === compensated ? 'compensation' : 'reordering',
    neighbourhood: movable,
    evaluations: made.evaluations + evaluations,
    compensated,
    reordered: schedule,
  };
}

function nextNumber(edits: number): number {
  return Math.max(edits + 1, Math.floor(edits * STEP));
}

/** Adds a schedule to the candidates, unless it moves an operation that must keep its start. */
function keep(search: EditSearch, schedule: Schedule): void {
  const { task, policy, compensated, unit, counter, candidates } = search;
  const held = heldOperations(task, policy.limits);
  for (const op of held) if (schedule.start[op] !== compensated.start[op]) return;
  const cost = repairCost(task, schedule, policy, unit);
  candidates.push({ schedule, edited: counter.edited(schedule.start), cost });
}

/**
 * Adds a search result, unless it is cheaper than the repair without the limit (the first candidate): the repair
 * without the limit is the result for larger limits, which must not cost more.
 */
function keepFound(search: EditSearch, schedule: Schedule): void {
  const { task, policy, unit, candidates } = search;
  if (repairCost(task, schedule, policy, unit) >= candidates[0].cost) keep(search, schedule);
}

/** The cheapest schedule within a number of edits; among equals the one with the fewest. */
function bestWithin({ candidates }: EditSearch, most: number): EditCandidate {
  const within = candidates.filter(({ edited }) => edited.length <= most);
  return within.reduce((best, one) =>
    one.cost < best.cost || (one.cost === best.cost && one.edited.length < best.edited.length)
      ? one
      : best,
  );
}

/** The queues of a schedule in which nothing starts earlier than planned. */
function withLaterStarts({ instance, planned }: RepairTask, { start }: Schedule): Schedule {
  return createSchedule(instance, cascade(instance, orderByTime(start), planned));
}

/** Reorders the best schedule within a number of edits; at most that many operations may move. */
function improve(search: EditSearch, edits: number, run: number, isOver: () => boolean): number {
  const { task, policy, compensated, unit, movable, random } = search;
  const { instance, planned } = task;
  const current = bestWithin(search, edits);
  const open = new Set(current.edited);
  for (const op of ranked(search, current, run)) {
    if (open.size >= edits) break;
    open.add(op);
  }
  const pinned = new Set(heldOperations(task, policy.limits));
  for (let op = 0; op < planned.length; op++) {
    if (planned[op] >= 0 && isFree(instance, op) && !open.has(op)) pinned.add(op);
  }
  const from = current.schedule;
  const seed = random.integer(1, 2 ** 31);
  const reordering = openReordering(task, compensated, policy, unit, seed, { from, pinned });
  const moves = Math.min(MAX_MOVES, Math.ceil(MAX_TIMED / instance.operations));
  try {
    const free = movable.filter((op) => planned[op] < 0 || open.has(op));
    if (reordering.improve(free, moves, isOver)) keepFound(search, reordering.schedule());
    return reordering.evaluations;
  } finally {
    reordering.close();
  }
}

/** Operations worth moving, the most promising first. */
function ranked(search: EditSearch, { schedule }: EditCandidate, run: number): Iterable<number> {
  const { task, wanted, movable, random } = search;
  const near = aroundChains(search, schedule);
  const mayMove = new Set(movable.filter((op) => task.planned[op] >= 0));
  const inReach = near.filter((op) => mayMove.has(op));
  if (run === 0) return inReach;
  const isWanted = new Set(wanted);
  const [first, rest] = [
    inReach.filter((op) => isWanted.has(op)),
    inReach.filter((op) => !isWanted.has(op)),
  ];
  if (run === 1) return [...first, ...rest];
  // Nearer ones are more likely to come first.
  const key = new Map(inReach.map((op, i) => [op, (i + 1) * random.next()]));
  return inReach.toSorted((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
}

/**
 * The free operations, nearest first, by hops along jobs and queues from the chains of waiting operations on which the
 * objective depends.
 */
function aroundChains({ task, policy }: EditSearch, schedule: Schedule): number[] {
  const { instance } = task;
  const { jobOf, operations } = instance;
  const { start, end } = schedule;
  const { predecessor, successor } = machineNeighbours(instance, machineSequences(schedule));
  const distance = new Int32Array(operations).fill(-1);
  const reached: number[] = [];
  const reach = (op: number, hops: number) => {
    if (op < 0 || distance[op] >= 0 || !isFree(instance, op)) return;
    distance[op] = hops;
    reached.push(op);
  };
  const before = (op: number) => (op > 0 && jobOf[op - 1] === jobOf[op] ? op - 1 : -1);
  const after = (op: number) => (op + 1 < operations && jobOf[op + 1] === jobOf[op] ? op + 1 : -1);
  for (const op of lateEnds(schedule, policy)) reach(op, 0);
  for (let i = 0; i < reached.length; i++) {
    const op = reached[i];
    for (const other of [before(op), predecessor[op]]) {
      if (other >= 0 && end[other] === start[op]) reach(other, 0);
    }
  }
  for (let i = 0; i < reached.length; i++) {
    const op = reached[i];
    for (const other of [predecessor[op], successor[op], before(op), after(op)]) {
      reach(other, distance[op] + 1);
    }
  }
  return reached;
}

/** The operations on which the value of the objective depends directly. */
function lateEnds({ instance, end, makespan }: Schedule, { objective }: RepairPolicy): number[] {
  const { jobs, jobOffset, due } = instance;
  const last = Array.from({ length: jobs }, (_, job) => jobOffset[job + 1] - 1);
  const isLate = (op: number, job: number) =>
    objective === 'makespan'
      ? end[op] === makespan
      : due !== null && due[job] >= 0 && end[op] > due[job];
  return last.filter((op, job) => op >= jobOffset[job] && isLate(op, job));
}

/** The refusal of a limit of edits; `atLeast` operations have to differ, and `edits` are enough. */
export function tooFewEdits(most: number, edits: number, atLeast: number): InputError {
  const problem =
    most < atLeast
      ? `no schedule differs from the plan in ${most} operations or fewer`
      : `no schedule was found that differs from the plan in ${most} operations or fewer`;
  const least =
    edits === atLeast
      ? `${edits} have to differ`
      : `at least ${atLeast} have to differ, and ${edits} are enough`;
  const hint = `let the limits allow ${edits} edits`;
  return new InputError('too_few_edits', `${problem}: ${least}`, hint, {}, most);
}
