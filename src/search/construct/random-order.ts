import { createRandom } from '@alas-jssp/core/random';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { createProblem } from '../problem.js';
import { randomShopSchedule } from '../shop/random-list.js';

/**
 * A schedule in a random order: every sequence of the operations that keeps the jobs in order is drawn from a shuffled
 * list with each job as often as it has operations (Bierwirth 1995, doi:10.1007/BF01719250), and each operation starts
 * as early as that sequence allows, in a random mode. Operations that have started come first. Equal seeds give equal
 * schedules.
 */
export function randomSchedule(given: Instance, seed: number | string): Schedule {
  if (!isClassic(given)) return randomShopSchedule(given, seed);
  const problem = createProblem(given, 'makespan');
  return problem.scheduleOf(randomOrder(problem.instance, seed));
}

/** All operations (N) in a random order of the jobs, started ones first. */
function randomOrder(instance: Instance, seed: number | string): Int32Array {
  const { operations, jobOf, jobOffset, frozen } = instance;
  const jobs = createRandom(seed).shuffle(Int32Array.from(jobOf));
  const next = Int32Array.from(jobOffset);
  const order = jobs.map((job) => next[job]++);
  if (frozen === null) return order;
  const started = order.filter((op) => frozen[op] >= 0).sort((a, b) => frozen[a] - frozen[b]);
  const free = order.filter((op) => frozen[op] < 0);
  const all = new Int32Array(operations);
  all.set(started);
  all.set(free, started.length);
  return all;
}
