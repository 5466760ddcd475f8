import { minAssignmentCost } from '@alas-jssp/core/assignment';
import { createHeaps } from '@alas-jssp/core/heaps';
import type { JobTimes } from './calendar-bounds.js';
import { type Instance, isFree } from './instance.js';
import { createMachineTime } from './machine-time.js';

/** Limits of jobs per machine, and of the sum of their cubes, that keep the run time at milliseconds. */
const MAX_JOBS = 200;
const MAX_CUBES = 25_000_000;

/** The free operations of a job on one machine, combined. */
interface MachineJob {
  readonly job: number;
  /** The last operation on the machine. */
  readonly last: number;
  /** The uptime of the machine before the first operation can start. */
  readonly head: number;
  /** The total work, in units of time. */
  readonly work: number;
}

/**
 * A lower bound, in units of time × weight, on how much the total weighted tardiness of every feasible schedule exceeds
 * that of jobs alone in the shop; 0 if nothing is known. The ranks in which jobs are completed on a machine are
 * assigned to them at the least cost (on one machine, with one time for each rank: Chu 1992,
 * doi:10.1002/1520-6750(199203)39:2<265::AID-NAV3220390209>3.0.CO;2-L); the machine with the largest result counts.
 *
 * Proof, for one machine and any set of jobs with free work on it. In a feasible schedule, number the jobs in the order
 * in which their last free operations on the machine end. When the job of rank k is done there, it and k − 1 others
 * are. Let the machine have been up for t by then (frozen operations count as time in which it is not up). All work of
 * these k jobs has run within t, one job at a time and none before its head, the earliest start of its first operation
 * if it were alone. So t is at least the least time by which the machine could have done that, with the work of a job
 * in one piece or many:
 * - the job itself may come first. Its units of work swap with earlier ones, from its head on: work of others moves to
 *   later times, which no head forbids, and all is done by t as before;
 * - of the others, the most are done by any time if the least remaining work always runs (Schrage 1968,
 *   doi:10.1287/opre.16.3.687); the others here are all of the set, in the time that the job leaves. The job then needs
 *   at least its operations that follow, alone. That gives a tardiness to each pair of job and rank; ranks differ, so
 *   the sum over the set is at least that of the best assignment. Jobs outside of the set count as if alone.
 *
 * Jobs that no rank delays beyond their tardiness alone are excluded from the set, with their work: they could take the
 * last ranks at no cost, so that they would only move the others to earlier ranks.
 *
 * O(n³) for a machine of n jobs, times O(operations of a job) with downtimes or frozen starts. Machines of more than
 * 200 jobs are skipped, and those beyond the limit on the run time.
 *
 * @param shop the instance, with the time of frozen operations closed
 */
export function machineRankGain(instance: Instance, shop: Instance, times: JobTimes): number {
  const costs = createRankCosts(instance, shop, times);
  const tables: { count: number; cost: Float64Array; enough: number }[] = [];
  let cubes = 0;
  for (let k = 0; k < instance.machines; k++) {
    const jobs = costs.delayable(k, jobsOn(instance, shop, times, k));
    const count = jobs.length;
    if (count < 2 || count > MAX_JOBS || cubes + count ** 3 > MAX_CUBES) continue;
    cubes += count ** 3;
    const cost = costs.table(k, jobs);
    const largest = cost.reduce((a, b) => Math.max(a, b), 0);
    if (largest * count > Number.MAX_SAFE_INTEGER) continue;
    tables.push({ count, cost, enough: costFromLast(count, cost) });
  }
  tables.sort((a, b) => b.enough - a.enough);
  let most = 0;
  for (const { count, cost, enough } of tables) {
    if (enough > most) most = Math.max(most, minAssignmentCost(count, cost));
  }
  return most;
}

/**
 * The cost of a greedy assignment, an upper bound on the least cost: each rank, from the last on, gets its cheapest
 * job.
 */
function costFromLast(count: number, cost: Float64Array): number {
  const left = Array.from({ length: count }, (_, i) => i);
  let sum = 0;
  for (let rank = count - 1; rank >= 0; rank--) {
    let at = 0;
    for (let x = 1; x < left.length; x++) {
      if (cost[left[x] * count + rank] < cost[left[at] * count + rank]) at = x;
    }
    sum += cost[left[at] * count + rank];
    left.splice(at, 1);
  }
  return sum;
}

/** The jobs with free work on a machine and a tardiness that counts. */
function jobsOn(instance: Instance, shop: Instance, times: JobTimes, k: number): MachineJob[] {
  const { machineOffset, machineOperations, jobOf, duration, due, weight } = instance;
  const time = shop.calendar === null ? null : createMachineTime(shop.calendar);
  const found: MachineJob[] = [];
  for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
    const op = machineOperations[slot];
    const job = jobOf[op];
    if (duration[op] === 0 || !isFree(instance, op)) continue;
    if ((due?.[job] ?? -1) < 0 || weight?.[job] === 0) continue;
    const before = found.at(-1);
    if (before?.job === job) {
      found[found.length - 1] = { ...before, last: op, work: before.work + duration[op] };
      continue;
    }
    const head = time?.upBefore(k, times.head[op]) ?? times.head[op];
    found.push({ job, last: op, head, work: duration[op] });
  }
  return found;
}

/** Costs of jobs by their ranks on a machine, in units of time × weight beyond those of jobs alone. */
function createRankCosts(instance: Instance, shop: Instance, times: JobTimes) {
  const { jobOffset, due, weight } = instance;
  const time = shop.calendar === null ? null : createMachineTime(shop.calendar);

  /** The cost if the job completes its work on the machine after the given uptime. */
  const costAt = (k: number, { job, last }: MachineJob, up: number): number => {
    const alone = times.end[jobOffset[job + 1] - 1];
    const done = Math.max(times.end[last], time?.timeAfter(k, up) ?? up);
    // Without downtimes and frozen starts, only releases can delay the following operations.
    const end = time === null ? done + times.tail[last] : times.endOfJob(last, done);
    const by = Math.max(alone, due?.[job] ?? 0);
    return (weight?.[job] ?? 1) * Math.max(0, end - by);
  };

  /** The jobs, by head, that the last rank would delay. */
  const delayable = (k: number, jobs: readonly MachineJob[]): MachineJob[] => {
    let left = jobs.toSorted((a, b) => a.head - b.head);
    for (;;) {
      const all = left.reduce((up, { head, work }) => Math.max(up, head) + work, 0);
      const delayed = left.filter((one) => costAt(k, one, all) > 0);
      if (delayed.length === left.length) break;
      left = delayed;
    }
    return left;
  };

  /** Count × count costs: a row for each job, by head, and a column for each rank. */
  const table = (k: number, jobs: readonly MachineJob[]): Float64Array => {
    const count = jobs.length;
    const cost = new Float64Array(count * count);
    const others = createOthers(jobs);
    jobs.forEach((job, i) => {
      const done = others.doneAlongside(i);
      for (let rank = 0; rank < count; rank++) {
        const up = Math.max(job.head, rank === 0 ? 0 : done[rank - 1]) + job.work;
        const at = i * count + rank;
        cost[at] = costAt(k, job, up);
        // No feasible schedule has a rank that is too late for pinned operations, so any cost is valid.
        if (cost[at] === Infinity) cost[at] = rank === 0 ? 0 : cost[at - 1];
      }
    });
    return cost;
  };
  return { delayable, table };
}

/** Schedules of all jobs of a machine but one, by head, in which the least remaining work always runs. */
function createOthers(jobs: readonly MachineJob[]) {
  const count = jobs.length;
  const head = Float64Array.from(jobs, (one) => one.head);
  const work = Float64Array.from(jobs, (one) => one.work);
  const left = new Float64Array(count);
  const arrival = new Float64Array(count + 1);
  const available = createHeaps(Int32Array.of(0, count), left);
  const done = new Float64Array(count);

  /** The completion times of the others, ascending, in the time that remains if one job comes first. */
  const doneAlongside = (mine: number): Float64Array => {
    for (let x = 0; x < count; x++) {
      arrival[x] = head[x] <= head[mine] ? head[x] : Math.max(head[mine], head[x] - work[mine]);
    }
    arrival[count] = Infinity;
    left.set(work);
    let time = 0;
    let next = mine === 0 ? 1 : 0;
    const step = () => {
      available.push(0, next++);
      if (next === mine) next++;
    };
    for (let ended = 0; ended < count - 1; ) {
      if (available.size[0] === 0) time = Math.max(time, arrival[next]);
      while (arrival[next] <= time) step();
      const x = available.top(0);
      available.pop(0);
      const run = Math.min(left[x], arrival[next] - time);
      time += run;
      left[x] -= run;
      if (left[x] > 0) available.push(0, x);
      else done[ended++] = time;
    }
    return done;
  };
  return { doneAlongside };
}
