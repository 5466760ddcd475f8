import { InputError } from '../../core/errors.js';
import { createRandom, type Random } from '../../core/random.js';
import { isFree } from '../../jssp/instance.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, machineSequences, type Schedule } from '../../jssp/schedule.js';
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

/** A schedule, how many operations differ from the plan in it, and what it costs. */
interface Candidate {
  readonly schedule: Schedule;
  readonly edited: Int32Array;
  readonly cost: number;
}

/** The state that the searches within so many edits share. */
interface Search {
  readonly task: RepairTask;
  readonly policy: RepairPolicy;
  readonly compensated: Schedule;
  /** The objective that the costs of the policy are shares of. */
  readonly unit: number;
  readonly counter: EditCounter;
  readonly candidates: Candidate[];
  /** The operations that the repair without this limit edits. */
  readonly wanted: Int32Array;
  /** The operations that limits let change. */
  readonly movable: Int32Array;
  readonly random: Random;
}

/** From one number of edits to the next it is this much larger, by one at least. */
const STEP = 1.15;
/** Searches for each number of edits. */
const RUNS = 3;
/** Moves that a search looks at: at most, and in operations timed. */
const MOST_MOVES = 3000;
const MOST_TIMED = 1_000_000;

/**
 * Repairs within `limits.mostEdited`, if there is such a limit: first without it, which may take half
 * of the time that there is, and then as {@link withinEdits} says.
 *
 * @param repair the method, told a policy without this limit and a context that has the deadline
 * @throws InputError `too_few_edits`
 */
export function repairWithinEdits(
  task: RepairTask,
  policy: RepairPolicy,
  context: RepairContext,
  repair: (policy: RepairPolicy, context: RepairContext) => MethodResult | Promise<MethodResult>,
): MethodResult | Promise<MethodResult> {
  const { limits, budget } = policy;
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
 * Keeps `limits.mostEdited`: if a repair differs from the plan in more operations, the cheapest of
 * all schedules found that do not. These are compensation, the schedule with the fewest edits, the
 * queues of that repair with later starts, and what reordering makes of them where all stay as
 * planned but a number of operations. That number grows from the fewest edits to those that are allowed,
 * and the same searches are made for each whatever is allowed: so to allow more never costs more.
 *
 * @param made the repair by the policy without this limit
 * @throws InputError `too_few_edits` if no schedule with so few edits is found; it tells how many have to
 *   differ at least, as far as that is proven
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
  const candidates: Candidate[] = [];
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
    if (policy.budget.rounds > 0) improveRuns(edits);
    edits = candidates.reduce((least, { edited }) => Math.min(least, edited.length), edits);
  }
  if (edits > most) throw tooFewEdits(most, edits, fewest.atLeast);
  const end = policy.budget.rounds === 0 ? 0 : Math.min(most, wanted.length - 1);
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

/** Takes a schedule in, unless it moves what must keep its start. */
function keep(search: Search, schedule: Schedule): void {
  const { task, policy, compensated, unit, counter, candidates } = search;
  const held = heldOperations(task, policy.limits);
  for (const op of held) if (schedule.start[op] !== compensated.start[op]) return;
  const cost = repairCost(task, schedule, policy, unit);
  candidates.push({ schedule, edited: counter.edited(schedule.start), cost });
}

/**
 * Takes in what a search has found, unless it is cheaper than the repair without the limit (the first
 * candidate): that is what more edits give, and they are not to cost more.
 */
function keepFound(search: Search, schedule: Schedule): void {
  const { task, policy, unit, candidates } = search;
  if (repairCost(task, schedule, policy, unit) >= candidates[0].cost) keep(search, schedule);
}

/** The cheapest schedule with so many edits at most; of several the one with the fewest. */
function bestWithin({ candidates }: Search, most: number): Candidate {
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

/** Reorders the best schedule with so many edits; only as many operations may move. */
function improve(search: Search, edits: number, run: number, isOver: () => boolean): number {
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
  const moves = Math.min(MOST_MOVES, Math.ceil(MOST_TIMED / instance.operations));
  try {
    const free = movable.filter((op) => planned[op] < 0 || open.has(op));
    if (reordering.improve(free, moves, isOver)) keepFound(search, reordering.schedule());
    return reordering.evaluations;
  } finally {
    reordering.close();
  }
}

/** Operations that it may pay to let move, the most promising first. */
function ranked(search: Search, { schedule }: Candidate, run: number): Iterable<number> {
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
 * The free operations, nearest first, by hops along jobs and queues from the chains of operations
 * that wait for each other and that the objective waits for.
 */
function aroundChains({ task, policy }: Search, schedule: Schedule): number[] {
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

/** The operations that the value of the objective depends on directly. */
function lateEnds({ instance, end, makespan }: Schedule, { objective }: RepairPolicy): number[] {
  const { jobs, jobOffset, due } = instance;
  const last = Array.from({ length: jobs }, (_, job) => jobOffset[job + 1] - 1);
  const isLate = (op: number, job: number) =>
    objective === 'makespan'
      ? end[op] === makespan
      : due !== null && due[job] >= 0 && end[op] > due[job];
  return last.filter((op, job) => op >= jobOffset[job] && isLate(op, job));
}

function tooFewEdits(most: number, edits: number, atLeast: number): InputError {
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
