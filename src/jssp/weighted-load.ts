import type { ModeTimes } from './flexible-times.js';
import type { Instance } from './instance.js';
import { modeDuration, modeMachine, modesOf } from './shop-parts.js';

/** Steps towards better weights, and the limit of modes that are visited in all steps. */
const STEPS = 100;
const MAX_VISITS = 2_000_000;
/** Weights are integers that add up to about this, so that all sums are exact. */
const SCALE = 2 ** 20;
/** Beyond this sum of durations the products are no longer exact. */
const MAX_SUM = 2 ** 31;

/**
 * A lower bound by weighted machines: with any weights, the mean time of the machines is at least that of the work if
 * each operation takes the mode of least weighted time. The best weights are those of the dual of a linear program
 * (Lenstra, Shmoys and Tardos 1990, doi:10.1007/BF01585745), which is solved approximately; any weights prove a bound.
 *
 * @param least another lower bound on the makespan
 */
export function weightedLoad(instance: Instance, times: ModeTimes, least: number): number {
  const { machines, operations } = instance;
  const count = times.isOpen.length;
  if (count === operations) return 0;
  const energy = new Float64Array(count);
  const machine = new Int32Array(count);
  // The least times before the first operation of each machine and after its last one.
  const before = new Float64Array(machines).fill(Infinity);
  const after = new Float64Array(machines).fill(Infinity);
  let sum = 0;
  for (let mode = 0; mode < count; mode++) {
    const k = modeMachine(instance, mode);
    const duration = modeDuration(instance, mode);
    machine[mode] = k;
    energy[mode] = duration === 0 ? 0 : duration + times.setup[mode];
    sum += energy[mode];
    if (times.isOpen[mode] === 0 || duration === 0) continue;
    before[k] = Math.min(before[k], times.head[mode] - times.setup[mode]);
    after[k] = Math.min(after[k], times.tail[mode]);
  }
  // A machine may also remain unused.
  const rest = before.map((time, k) => Math.min(least, time + after[k]));
  if (sum > MAX_SUM) return 0;
  const weight = new Float64Array(machines).fill(1);
  const load = new Float64Array(machines);
  const steps = Math.min(STEPS, Math.ceil(MAX_VISITS / count));
  let best = 0;
  for (let step = 0; step < steps; step++) {
    const total = rescale(weight);
    load.set(rest);
    let value = 0;
    for (let k = 0; k < machines; k++) value += weight[k] * rest[k];
    for (let op = 0; op < operations; op++) {
      const [first, stop] = modesOf(instance, op);
      let cheapest = -1;
      let cost = Infinity;
      for (let mode = first; mode < stop; mode++) {
        const here = weight[machine[mode]] * energy[mode];
        if (times.isOpen[mode] === 0 || here >= cost) continue;
        cost = here;
        cheapest = mode;
      }
      value += cost;
      load[machine[cheapest]] += energy[cheapest];
    }
    best = Math.max(best, Math.ceil(value / total));
    const mean = load.reduce((a, b) => a + b, 0) / machines;
    if (mean === 0) break;
    const rate = 1 / (4 + step / 4);
    // Machines with more than their share get more weight.
    for (let k = 0; k < machines; k++) {
      weight[k] *= 1 + rate * Math.max(-0.9, Math.min(1, load[k] / mean - 1));
    }
  }
  return best;
}

/** Makes the weights integers; returns their sum. */
function rescale(weight: Float64Array): number {
  const before = weight.reduce((a, b) => a + b, 0);
  let total = 0;
  for (let k = 0; k < weight.length; k++) {
    weight[k] = Math.max(1, Math.round((weight[k] / before) * SCALE));
    total += weight[k];
  }
  return total;
}
