import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { EditShop } from './edit-shop.js';
import type { StepBudget } from './edit-tree.js';

/** A schedule under construction, machine by machine in the order of time. */
interface PartialSchedule {
  readonly next: Int32Array;
  readonly ready: Int32Array;
  readonly free: Int32Array;
  readonly counted: Int32Array;
  readonly placed: Int32Array;
  readonly edits: number;
  /** Edits so far, plus unavoidable edits and a small amount for their lateness. */
  score: number;
  readonly before: PartialSchedule | null;
  readonly op: number;
  readonly time: number;
}

/** A candidate for the next operation of a machine. */
interface NextOperation {
  readonly op: number;
  /** Its earliest start, and its actual start: as planned, if possible. */
  readonly earliest: number;
  readonly time: number;
  readonly canStay: boolean;
}

/** The beam width: as many schedules as have this number of operations together, … */
const WIDTH = 40_000;
/** … and at most this many. */
const WIDEST = 150;
/** A unit of time counts as this share of an edit. */
const LATENESS = 1e-6;

/**
 * Beam search for a schedule that differs from the plan in few operations. The operation that comes next in time
 * competes with those that could start on its machine before it is done. Each of them, started as planned or as early
 * as possible, continues a separate schedule. The beam keeps schedules with the fewest edits so far. Jobs that may wait
 * are omitted: −1.
 *
 * @returns N starts, or null if every schedule came to a dead end (pins may be in the way)
 */
export function searchFewEdits(edited: EditShop, work: StepBudget): Int32Array | null {
  const { shop, waits } = edited;
  const { operations, jobs, jobOffset, machines } = shop;
  const width = Math.max(3, Math.min(WIDEST, Math.floor(WIDTH / operations)));
  let beam: PartialSchedule[] = [
    {
      next: jobOffset.slice(0, jobs),
      ready: new Int32Array(jobs),
      free: new Int32Array(machines),
      counted: new Int32Array(machines),
      placed: new Int32Array(machines),
      edits: 0,
      score: 0,
      before: null,
      op: -1,
      time: -1,
    },
  ];
  const steps = operations - waits.reduce((sum, one) => sum + one, 0);
  for (let step = 0; step < steps; step++) {
    work.left -= beam.length * jobs;
    if (work.left <= 0 || work.isOver()) return null;
    const children = beam.flatMap((one) => childrenOf(edited, one));
    for (const child of children) child.score = scoreOf(edited, child);
    beam = children.sort((a, b) => a.score - b.score).slice(0, width);
  }
  if (beam.length === 0) return null;
  const start = new Int32Array(operations).fill(-1);
  for (let one: PartialSchedule | null = beam[0]; one !== null && one.op >= 0; one = one.before) {
    start[one.op] = one.time;
  }
  return start;
}

function childrenOf(edited: EditShop, parent: PartialSchedule): PartialSchedule[] {
  const { shop } = edited;
  const { jobs, machine, duration } = shop;
  let first: NextOperation | null = null;
  const turns: NextOperation[] = [];
  for (let job = 0; job < jobs; job++) {
    const turn = nextOf(edited, parent, job);
    if (turn === null) continue;
    turns.push(turn);
    if (first === null || turn.time < first.time) first = turn;
  }
  if (first === null) return [];
  const { op, time } = first;
  if (duration[op] === 0) return [append(edited, parent, first, time)];
  const end = completionTime(shop, op, time);
  const children: PartialSchedule[] = [];
  for (const turn of turns) {
    const competes = machine[turn.op] === machine[op] && duration[turn.op] > 0;
    if (!competes || turn.earliest >= end) continue;
    children.push(append(edited, parent, turn, turn.time));
    if (turn.time > turn.earliest && edited.pin[turn.op] < 0) {
      children.push(append(edited, parent, turn, turn.earliest));
    }
  }
  return children;
}

/** The next operation of a job as a candidate; null if it is not possible. */
function nextOf(
  { shop, planned, rank, pin, run, turns, waits }: EditShop,
  { next, ready, free, counted, placed }: PartialSchedule,
  job: number,
): NextOperation | null {
  const { jobOffset, machine, machineOffset, duration } = shop;
  const op = next[job];
  if (op === jobOffset[job + 1] || waits[op] === 1) return null;
  const k = machine[op];
  const occupies = duration[op] > 0;
  if (occupies && run[op] !== turns[machineOffset[k] + placed[k]]) return null;
  const earliest = earliestStart(shop, op, Math.max(ready[job], occupies ? free[k] : 0));
  const isInPlace = !occupies || rank[op] < 0 || counted[k] === rank[op];
  const wanted = pin[op] >= 0 ? pin[op] : planned[op];
  const fits = wanted >= earliest && earliestStart(shop, op, wanted) === wanted;
  if (pin[op] >= 0) {
    const canStay = isInPlace && wanted === planned[op];
    return fits ? { op, earliest, time: wanted, canStay } : null;
  }
  const canStay = fits && isInPlace;
  return { op, earliest, time: canStay ? wanted : earliest, canStay };
}

function append(
  { shop, planned, rank }: EditShop,
  parent: PartialSchedule,
  { op, canStay }: NextOperation,
  time: number,
): PartialSchedule {
  const { jobOf, machine, duration } = shop;
  const job = jobOf[op];
  const k = machine[op];
  const end = completionTime(shop, op, time);
  const stays = planned[op] < 0 || (canStay && time === planned[op]);
  const occupies = duration[op] > 0;
  return {
    next: parent.next.with(job, op + 1),
    ready: parent.ready.with(job, end),
    free: occupies ? parent.free.with(k, end) : parent.free,
    counted:
      occupies && rank[op] >= 0 ? parent.counted.with(k, parent.counted[k] + 1) : parent.counted,
    placed: occupies ? parent.placed.with(k, parent.placed[k] + 1) : parent.placed,
    edits: parent.edits + (stays ? 0 : 1),
    score: 0,
    before: parent,
    op,
    time,
  };
}

/** Edits so far plus foreseeable edits: of operations next in their job or queue, and of those after them. */
function scoreOf(edited: EditShop, one: PartialSchedule): number {
  const { shop, planned, rank, queue, queueOffset } = edited;
  const { jobs, jobOffset, machines, machine, duration } = shop;
  const { next, ready, free, counted } = one;
  let doomed = 0;
  let lateness = 0;
  for (let job = 0; job < jobs; job++) {
    const op = next[job];
    if (op === jobOffset[job + 1] || planned[op] < 0) continue;
    const k = machine[op];
    const isPassed = duration[op] > 0 && rank[op] >= 0 && counted[k] > rank[op];
    let time = ready[job];
    if (isPassed || (time > planned[op] && (duration[op] === 0 || free[k] <= planned[op]))) {
      doomed++;
    }
    if (duration[op] > 0) time = Math.max(time, free[k]);
    // Later operations of the job are late, too, until slack has absorbed the delay.
    for (let late = op; late < jobOffset[job + 1] && time > planned[late]; late++) {
      lateness += time - planned[late];
      if (late > op) doomed++;
      time += duration[late];
    }
  }
  for (let k = 0; k < machines; k++) {
    for (let slot = queueOffset[k] + counted[k]; slot < queueOffset[k + 1]; slot++) {
      const delay = free[k] - planned[queue[slot]];
      if (delay <= 0) break;
      doomed++;
      lateness += delay;
    }
  }
  return one.edits + doomed + LATENESS * lateness;
}
