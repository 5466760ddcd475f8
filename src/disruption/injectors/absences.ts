import { exponential } from '@alas-jssp/core/distributions';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { type CapacityTime, capacityTimes } from '../capacities.js';
import type { TimedCapacity } from '../kinds/capacity.js';
import type { AbsenceParameters } from './parameters.js';

/** The time span of absences in reference makespans, as of breakdowns. */
const HORIZON = 2;

/**
 * Alternating exponential times with every one there and with one away, for each group of operators or tools: one less
 * than the least capacity that is planned for that time. Nothing happens while none are there anyway.
 */
export function injectAbsences(
  { resources }: Instance,
  reference: number,
  { mtbf, mttr }: AbsenceParameters,
  seed: number,
): TimedCapacity[] {
  const absences: TimedCapacity[] = [];
  if (resources === null) return absences;
  for (let resource = 0; resource < resources.count; resource++) {
    const random = createRandom(deriveSeed(seed, 'absence', resource));
    const end = Math.min(HORIZON * reference, MAX_TIME);
    const planned = capacityTimes(resources, resource);
    for (let time = 0; ; ) {
      const from = time + Math.round(exponential(random, mtbf * reference));
      const to = from + Math.max(1, Math.round(exponential(random, mttr * reference)));
      if (from >= end || to > MAX_TIME) break;
      const there = leastCapacity(planned, resources.capacity[resource], from, to);
      if (there > 0) {
        absences.push({ kind: 'capacity', at: from, resource, from, to, amount: there - 1 });
      }
      time = to;
    }
  }
  return absences;
}

/** The least capacity that is planned for a time. */
function leastCapacity(
  planned: readonly CapacityTime[],
  usual: number,
  from: number,
  to: number,
): number {
  const during = planned.filter((one) => one.from < to && one.to > from);
  return Math.min(usual, ...during.map(({ amount }) => amount));
}
