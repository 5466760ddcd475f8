import { completionTime, earliestStart } from '../../jssp/calendar.js';
import { type Instance, isFree } from '../../jssp/instance.js';
import { createSchedule } from '../../jssp/schedule.js';

/**
 * Maximum number of jobs that may take the places of others; for each of them, the queues of its machines are scanned.
 */
const MAX_JOBS = 200;
/** Maximum number of due dates to try. */
const MAX_LIMITS = 8;

/**
 * Finds places for the unplaced operations (−1) of jobs, so that the jobs meet their due dates. It uses gaps first. If
 * a job would still be late, it takes the places of jobs that are due later; their operations become unplaced from
 * there on. As few jobs as possible give way, those with the latest due dates first. Jobs are handled by due date, and
 * a job takes places only of jobs that are due after it, so that no job gives way twice.
 *
 * @param start N starts, −1 for unplaced operations; updated
 */
export function giveWay(instance: Instance, start: Int32Array): void {
  const { jobs, jobOffset } = instance;
  const state = queueStateOf(instance, start);
  const byDue = Array.from({ length: jobs }, (_, job) => job).sort(
    (a, b) => dueOf(instance, a) - dueOf(instance, b) || a - b,
  );
  let turns = 0;
  for (const job of byDue) {
    if (dueOf(instance, job) === Number.POSITIVE_INFINITY) return;
    let first = jobOffset[job];
    while (first < jobOffset[job + 1] && start[first] >= 0) first++;
    if (first === jobOffset[job + 1]) continue;
    if (turns++ === MAX_JOBS) return;
    occupy(state, first, placesFor(state, job, first));
  }
}

/** The queues while places are exchanged. */
interface QueueState {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** The operations of each machine that have a start and occupy it, in their order. */
  readonly queues: readonly number[][];
}

function queueStateOf(instance: Instance, start: Int32Array): QueueState {
  const { machines, machineOffset, machineOperations, duration } = instance;
  const queues = Array.from({ length: machines }, (_, k) =>
    Array.from(machineOperations.subarray(machineOffset[k], machineOffset[k + 1]))
      .filter((op) => start[op] >= 0 && duration[op] > 0)
      .sort((a, b) => start[a] - start[b]),
  );
  return { instance, start, end: createSchedule(instance, start).end.slice(), queues };
}

/** The due date of a job; infinite if lateness costs nothing. */
function dueOf({ due, weight }: Instance, job: number): number {
  if (due === null || due[job] < 0 || weight?.[job] === 0) return Number.POSITIVE_INFINITY;
  return due[job];
}

/**
 * Times of the operations of a job from `first` on. Jobs that are due at `limit` or later give way; null if none does.
 */
interface JobPlaces {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly limit: number | null;
}

/** The places for the latest limit at which the job is on time; if there is none, those with the earliest end. */
function placesFor(state: QueueState, job: number, first: number): JobPlaces {
  const { instance } = state;
  const due = dueOf(instance, job);
  const doneIn = ({ ends }: JobPlaces) => ends[ends.length - 1];
  let best = placesWithin(state, job, first, null);
  for (const limit of limitsAfter(instance, due)) {
    if (doneIn(best) <= due) return best;
    const other = placesWithin(state, job, first, limit);
    if (doneIn(other) < doneIn(best)) best = other;
  }
  return best;
}

/** Due dates after another one, the latest first. */
function limitsAfter(instance: Instance, due: number): number[] {
  const all = Array.from({ length: instance.jobs }, (_, job) => dueOf(instance, job));
  const later = [...new Set(all.filter((one) => one > due))].sort((a, b) => b - a);
  const step = Math.ceil(later.length / MAX_LIMITS);
  return later.filter((_, i) => i % step === 0 || i === later.length - 1);
}

function placesWithin(
  state: QueueState,
  job: number,
  first: number,
  limit: number | null,
): JobPlaces {
  const { instance, start, end, queues } = state;
  const { jobOffset, machine, duration } = instance;
  const starts: number[] = [];
  const ends: number[] = [];
  let ready = first > jobOffset[job] ? end[first - 1] : 0;
  for (let op = first; op < jobOffset[job + 1]; op++) {
    const queue = duration[op] === 0 ? [] : queues[machine[op]];
    let time = earliestStart(instance, op, ready);
    for (let place = firstEndingAfter(queue, end, time); place < queue.length; place++) {
      const other = queue[place];
      if (end[other] <= time || givesWay(instance, other, limit)) continue;
      if (completionTime(instance, op, time) <= start[other]) break;
      time = earliestStart(instance, op, end[other]);
    }
    ready = completionTime(instance, op, time);
    starts.push(time);
    ends.push(ready);
  }
  return { starts, ends, limit };
}

/** The place of the first operation of a queue that ends after a time. */
function firstEndingAfter(queue: readonly number[], end: Int32Array, time: number): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end[queue[middle]] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function givesWay(instance: Instance, op: number, limit: number | null): boolean {
  if (limit === null || !isFree(instance, op)) return false;
  return dueOf(instance, instance.jobOf[op]) >= limit;
}

/** Takes places, and removes the operations of others that are in the way. */
function occupy(
  { instance, start, end, queues }: QueueState,
  first: number,
  places: JobPlaces,
): void {
  const { machine, duration, jobOf, jobOffset } = instance;
  const leave = (op: number) => {
    for (let next = op; next < jobOffset[jobOf[op] + 1]; next++) {
      if (start[next] < 0) return;
      start[next] = -1;
      const queue = queues[machine[next]];
      if (duration[next] > 0) queue.splice(queue.indexOf(next), 1);
    }
  };
  places.starts.forEach((from, i) => {
    const op = first + i;
    const to = places.ends[i];
    if (duration[op] > 0) {
      const queue = queues[machine[op]];
      for (const other of queue.filter((one) => start[one] < to && end[one] > from)) leave(other);
      const place = queue.findIndex((one) => start[one] > from);
      queue.splice(place < 0 ? queue.length : place, 0, op);
    }
    start[op] = from;
    end[op] = to;
  });
}
