import { createHeaps } from '@alas-jssp/core/heaps';
import { completionTime, earliestStart, latestStart } from './calendar.js';
import { type Instance, isFree } from './instance.js';
import { closeFrozen, createMachineTime } from './machine-time.js';

/** The lower bounds on the makespan, computed on demand from shared data. */
export interface MakespanBounds {
  jobLength(): number;
  machineLoad(): number;
  headsAndTails(): number;
  preemptive(): number;
}

/** The limit of makespans to try per machine: one suffices on most. */
const MAX_TRIALS = 20;

/**
 * Lower bounds on the makespan that respect downtimes and frozen starts. Frozen operations occupy their machines; the
 * others run while the machine is up. The relaxations are the same as without downtimes: jobs are alone in the shop, or
 * operations of a machine may be interrupted, here by any downtime.
 */
export function calendarBounds(instance: Instance): MakespanBounds {
  const { operations, duration, frozen } = instance;
  const shop = closeFrozen(instance);
  const { calendar } = shop;
  const time = calendar === null ? null : createMachineTime(calendar);
  const upBefore = (k: number, at: number) => time?.upBefore(k, at) ?? at;
  const timeAfter = (k: number, up: number) => time?.timeAfter(k, up) ?? up;
  const queues = freeWork(instance);
  const { head, end, tail, endOfJob, duesWithin } = timesAlone(instance, shop);

  const jobLength = () => end.reduce((latest, one) => Math.max(latest, one), 0);
  const machineLoad = () => {
    let most = 0;
    for (let op = 0; op < operations; op++) {
      if (frozen !== null && frozen[op] >= 0 && duration[op] > 0) most = Math.max(most, end[op]);
    }
    queues.forEach((queue, k) => {
      if (queue.length > 0) most = Math.max(most, timeAfter(k, workIn(queue)));
    });
    return most;
  };
  const workIn = (queue: Int32Array) => queue.reduce((sum, op) => sum + duration[op], 0);

  const headsAndTails = () => {
    let most = 0;
    queues.forEach((queue, k) => {
      if (queue.length === 0) return;
      const first = queue.reduce((least, op) => Math.min(least, head[op]), Infinity);
      const done = timeAfter(k, upBefore(k, first) + workIn(queue));
      let least = Infinity;
      for (const op of queue) {
        // Without downtimes it takes no longer.
        if (done + tail[op] < least) least = Math.min(least, endOfJob(op, done));
      }
      if (least < Infinity) most = Math.max(most, least);
    });
    return most;
  };

  const preemptive = () => {
    const machine = createPreemptiveMachine(shop, upBefore);
    let bound = Math.max(jobLength(), headsAndTails());
    queues.forEach((queue, k) => {
      const arrivals = queue.slice().sort((a, b) => head[a] - head[b]);
      for (let trial = 0; trial < MAX_TRIALS; trial++) {
        const late = machine.findLate(k, arrivals, head, duesWithin(bound));
        if (late === null) return;
        const done = timeAfter(k, late.up);
        const least = late.operations.reduce(
          (first, op) => Math.min(first, endOfJob(op, done)),
          Infinity,
        );
        // No makespan is long enough if frozen starts contradict each other.
        if (least <= bound || least === Infinity) return;
        bound = least;
      }
    });
    return bound;
  };
  return { jobLength, machineLoad, headsAndTails, preemptive };
}

/** Times of jobs, each as if it were alone in the shop. */
export interface JobTimes {
  /** N entries each: the earliest start and end of each operation, and the work that follows it in its job. */
  readonly head: Int32Array;
  readonly end: Int32Array;
  readonly tail: Int32Array;
  /** The earliest end of a job if one of its operations is done at `done`; Infinity if that is too late. */
  endOfJob(op: number, done: number): number;
  /**
   * The latest time (N entries) at which each operation must be done for all to end within a makespan; valid until the
   * next call.
   */
  duesWithin(makespan: number): Int32Array;
}

/**
 * Times of jobs as if each were alone in the shop: heads, earliest ends and tails (N each), and derived times.
 *
 * @param shop the instance, with the time of frozen operations closed
 */
export function timesAlone(instance: Instance, shop: Instance): JobTimes {
  const { jobs, jobOf, jobOffset, operations, duration, frozen } = instance;
  const head = new Int32Array(operations);
  const end = new Int32Array(operations);
  const tail = new Int32Array(operations);
  for (let job = 0; job < jobs; job++) {
    let ready = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      const isFixed = frozen !== null && frozen[op] >= 0;
      head[op] = isFixed ? frozen[op] : earliestStart(shop, op, ready);
      end[op] = completionTime(isFixed ? instance : shop, op, head[op]);
      ready = end[op];
    }
    let behind = 0;
    for (let op = jobOffset[job + 1] - 1; op >= jobOffset[job]; op--) {
      tail[op] = behind;
      behind += duration[op];
    }
  }

  const endOfJob = (op: number, done: number): number => {
    const stop = jobOffset[jobOf[op] + 1];
    let ready = done;
    for (let next = op + 1; next < stop; next++) {
      if (frozen !== null && frozen[next] >= 0) {
        if (frozen[next] < ready) return Infinity;
        ready = end[next];
      } else ready = completionTime(shop, next, earliestStart(shop, next, ready));
    }
    return ready;
  };

  const due = new Int32Array(operations);
  let dueFor = -1;
  const duesWithin = (makespan: number): Int32Array => {
    if (dueFor === makespan) return due;
    dueFor = makespan;
    for (let job = 0; job < jobs; job++) {
      let by = makespan;
      for (let op = jobOffset[job + 1] - 1; op >= jobOffset[job]; op--) {
        due[op] = by;
        by = frozen !== null && frozen[op] >= 0 ? frozen[op] : latestStart(shop, op, by);
      }
    }
    return due;
  };
  return { head, end, tail, endOfJob, duesWithin };
}

/** For each machine the free operations that occupy it. */
function freeWork(instance: Instance): Int32Array[] {
  const { machines, machineOffset, machineOperations, duration } = instance;
  return Array.from({ length: machines }, (_, k) =>
    machineOperations
      .subarray(machineOffset[k], machineOffset[k + 1])
      .filter((op) => duration[op] > 0 && isFree(instance, op)),
  );
}

/** The operations of a machine, one of which is late, and the uptime of the machine when all are done. */
interface LateWork {
  readonly operations: readonly number[];
  readonly up: number;
}

/** Jackson's preemptive schedules in the uptime of machines. */
function createPreemptiveMachine(
  { operations, duration, machineOffset }: Instance,
  upBefore: (machine: number, time: number) => number,
) {
  const left = new Int32Array(operations);
  const dueUp = new Float64Array(operations);
  const available = createHeaps(machineOffset, dueUp);

  /**
   * The first operations, by head, that cannot all meet their due times in any order, even with interruptions: they
   * keep the machine busy from their first head on. Null if there are none.
   */
  const findLate = (
    k: number,
    arrivals: Int32Array,
    head: Int32Array,
    due: Int32Array,
  ): LateWork | null => {
    const ran: number[] = [];
    for (const op of arrivals) {
      left[op] = duration[op];
      dueUp[op] = upBefore(k, due[op]);
    }
    let time = 0;
    let arrived = 0;
    let late: LateWork | null = null;
    const headUp = (i: number) => upBefore(k, head[arrivals[i]]);
    while (arrived < arrivals.length || available.size[k] > 0) {
      if (available.size[k] === 0 && headUp(arrived) > time) {
        time = headUp(arrived);
        ran.length = 0;
      }
      while (arrived < arrivals.length && headUp(arrived) <= time) {
        available.push(k, arrivals[arrived++]);
      }
      const op = available.top(k);
      const next = arrived < arrivals.length ? headUp(arrived) : Infinity;
      const run = Math.min(left[op], next - time);
      ran.push(op);
      time += run;
      left[op] -= run;
      if (left[op] > 0) continue;
      available.pop(k);
      if (time <= dueUp[op]) continue;
      let first = ran.length;
      while (first > 0 && dueUp[ran[first - 1]] <= dueUp[op]) first--;
      late = { operations: [...new Set(ran.slice(first))], up: time };
      break;
    }
    while (available.size[k] > 0) available.pop(k);
    return late;
  };
  return { findLate };
}
