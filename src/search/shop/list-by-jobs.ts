import type { ShopList } from '../../jssp/shop-timing/lists.js';
import type { ShopTimer } from '../../jssp/shop-timing/timer.js';
import type { Priority } from '../construct/rules/rule.js';

/**
 * A list in which job comes after job, in the order that a rule gives to their first operations: no job has to wait for
 * a later one, so that maximum lags can be kept. Each operation is done in the mode in which it ends first.
 */
export function listByJobs(timer: ShopTimer, priority: Priority): ShopList {
  const { table } = timer;
  const { jobs, jobOffset } = table.instance;
  const rank = (job: number) =>
    priority.kind === 'fixed'
      ? priority.key[jobOffset[job]]
      : priority.kind === 'critical-ratio'
        ? priority.due[job]
        : job;
  const sequence = Array.from({ length: jobs }, (_, job) => job)
    .filter((job) => jobOffset[job] < jobOffset[job + 1])
    .sort((a, b) => rank(a) - rank(b) || a - b);
  return listJobs(timer, sequence);
}

/** The list of jobs in a sequence. The modes are chosen greedily, as long as every operation has a place. */
export function listJobs(timer: ShopTimer, sequence: readonly number[]): ShopList {
  const { table } = timer;
  const { modeOffset, frozen, chosen } = table;
  const { jobOffset } = table.instance;
  const order = new Int32Array(table.operations);
  const modes = chosen.slice();
  let count = 0;
  let fits = true;
  timer.clear();
  for (const job of sequence) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      order[count++] = op;
      let earliest = Number.POSITIVE_INFINITY;
      for (let mode = modeOffset[op]; fits && frozen[op] < 0 && mode < modeOffset[op + 1]; mode++) {
        const end = timer.probe(op, mode);
        if (end >= earliest) continue;
        earliest = end;
        modes[op] = mode;
      }
      fits = fits && timer.append(op, modes[op]);
    }
  }
  return { order, modes };
}
