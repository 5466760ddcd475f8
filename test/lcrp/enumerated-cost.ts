import { completionTime, earliestStart, latestStart } from '../../src/jssp/calendar.js';
import { type Instance, isFree } from '../../src/jssp/instance.js';
import { sumOfTardiness } from '../../src/jssp/objectives.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { plannedTimes } from '../../src/lcrp/phases/compensate.js';
import type { RepairPolicy } from '../../src/lcrp/policy/policy.js';
import type { RepairTask } from '../../src/lcrp/task.js';

/** The least cost, the least among those of schedules in which nothing starts early, and how many orders there are. */
export interface EnumeratedCost {
  readonly least: number;
  readonly leastWithoutEarly: number;
  readonly orders: number;
}

/**
 * Enumerates all machine orders of what is free, and for each every makespan that may be worth its
 * while: the least cost under a policy with the makespan as objective. Deadlines are not heeded.
 */
export function enumerateCosts(
  task: RepairTask,
  compensated: Schedule,
  { cost }: RepairPolicy,
): EnumeratedCost {
  const { instance, planned } = task;
  const unit = compensated.makespan;
  const times = plannedTimes(task);
  const queues = freeQueues(instance, times);
  let least = Number.POSITIVE_INFINITY;
  let leastWithoutEarly = Number.POSITIVE_INFINITY;
  let orders = 0;
  for (const chosen of product(queues.map(permutations))) {
    const order = topologicalOrder(instance, chosen);
    if (order === null) continue;
    orders++;
    let changed = 0;
    chosen.forEach((queue, k) => {
      const places = queue.filter((op) => times[op] >= 0);
      const plannedPlaces = queues[k].filter((op) => times[op] >= 0);
      changed += places.filter((op, place) => op !== plannedPlaces[place]).length;
    });
    const places = unit * cost.rankChange * changed;
    const makespan = Math.max(0, ...earliestEnds(instance, order));
    for (let end = makespan; end + places < least || end < leastWithoutEarly; end++) {
      const early = countEarly(instance, planned, order, end);
      if (early === 0) leastWithoutEarly = Math.min(leastWithoutEarly, end);
      least = Math.min(least, end + places + unit * cost.movedEarlier * early);
      if (early === 0) break;
    }
  }
  return { least, leastWithoutEarly, orders };
}

/** What is free on each machine, in the planned order. */
function freeQueues(instance: Instance, times: Int32Array): number[][] {
  const { machines, machine, duration } = instance;
  const queues: number[][] = Array.from({ length: machines }, () => []);
  times.forEach((_, op) => {
    if (isFree(instance, op) && duration[op] > 0) queues[machine[op]].push(op);
  });
  return queues.map((queue) => queue.sort((a, b) => times[a] - times[b] || a - b));
}

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [items.slice()];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((p) => [item, ...p]));
}

function* product(choices: number[][][]): Generator<number[][]> {
  if (choices.length === 0) {
    yield [];
    return;
  }
  for (const first of choices[0])
    for (const rest of product(choices.slice(1))) yield [first, ...rest];
}

/** What is free in an order that jobs and queues can follow; null if there is none. */
function topologicalOrder(instance: Instance, queues: number[][]): number[] | null {
  const { operations, jobs, jobOffset, machine, duration } = instance;
  const next = Array.from({ length: jobs }, (_, job) => jobOffset[job]);
  const place = queues.map(() => 0);
  const order: number[] = [];
  let passed = 0;
  for (let goesOn = true; goesOn; ) {
    goesOn = false;
    for (let job = 0; job < jobs; job++) {
      for (; next[job] < jobOffset[job + 1]; next[job]++) {
        const op = next[job];
        const k = machine[op];
        const isBusy = isFree(instance, op) && duration[op] > 0;
        if (isBusy && queues[k][place[k]] !== op) break;
        if (isBusy) place[k]++;
        if (isFree(instance, op)) order.push(op);
        passed++;
        goesOn = true;
      }
    }
  }
  return passed === operations ? order : null;
}

/** The ends of all operations if what is free starts as early as an order allows. */
function earliestEnds(instance: Instance, order: number[]): Int32Array {
  const { operations, jobOf, machine, duration, frozen } = instance;
  const end = new Int32Array(operations);
  const free = new Int32Array(instance.machines);
  frozen?.forEach((start, op) => {
    if (start < 0) return;
    end[op] = completionTime(instance, op, start);
    if (duration[op] > 0) free[machine[op]] = Math.max(free[machine[op]], end[op]);
  });
  for (const op of order) {
    let ready = op > 0 && jobOf[op - 1] === jobOf[op] ? end[op - 1] : 0;
    const k = machine[op];
    if (duration[op] > 0) ready = Math.max(ready, free[k]);
    end[op] = completionTime(instance, op, earliestStart(instance, op, ready));
    if (duration[op] > 0) free[k] = end[op];
  }
  return end;
}

/** Enumerates all machine orders of what is free: makespan and total weighted tardiness of each. */
export function* enumerateValues(
  task: RepairTask,
): Generator<{ makespan: number; tardiness: number }> {
  const { instance } = task;
  const queues = freeQueues(instance, plannedTimes(task));
  for (const chosen of product(queues.map(permutations))) {
    const order = topologicalOrder(instance, chosen);
    if (order === null) continue;
    const end = earliestEnds(instance, order);
    const { jobOffset } = instance;
    const tardiness = sumOfTardiness(instance, (job) =>
      Math.max(0, ...end.subarray(jobOffset[job], jobOffset[job + 1])),
    );
    yield { makespan: Math.max(0, ...end), tardiness };
  }
}

/** How many orders of the free operations there are, those with cycles included. */
export function countOrders({ instance }: RepairTask): number {
  const waiting = new Array(instance.machines).fill(0);
  instance.machine.forEach((k, op) => {
    if (isFree(instance, op) && instance.duration[op] > 0) waiting[k]++;
  });
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  return waiting.reduce((product, n) => product * factorial(n), 1);
}

/** How many have to start early if all is done by a time. */
function countEarly(instance: Instance, planned: Int32Array, order: number[], end: number): number {
  const { operations, jobOf, machine, duration } = instance;
  const latest = new Float64Array(operations);
  const by = new Int32Array(instance.machines).fill(end);
  let early = 0;
  for (const op of order.toReversed()) {
    const hasNext = op + 1 < operations && jobOf[op + 1] === jobOf[op];
    let time = hasNext ? latest[op + 1] : end;
    const k = machine[op];
    if (duration[op] > 0) time = Math.min(time, by[k]);
    latest[op] = latestStart(instance, op, time);
    if (duration[op] > 0) by[k] = latest[op];
    if (latest[op] < planned[op]) early++;
  }
  return early;
}
