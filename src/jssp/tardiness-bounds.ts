import type { ProvenBound } from './bounds.js';
import { timesAlone } from './calendar-bounds.js';
import { earliestJobEnds, modeTimes } from './flexible-times.js';
import type { Instance } from './instance.js';
import { machineRankGain } from './machine-ranks.js';
import { closeFrozen } from './machine-time.js';
import { sumOfTardiness } from './objectives.js';
import { isClassic } from './shop-parts.js';

/** A lower bound on the total weighted tardiness with its proof. */
export interface TardinessBound extends ProvenBound {
  readonly source: 'jobs alone in the shop' | 'machine ranks';
}

/**
 * A lower bound on the total weighted tardiness of all feasible schedules: the value if every job runs as early as if
 * it were alone in the shop, subject to its releases, frozen starts and downtimes, and to frozen operations of other
 * jobs on its machines. O(N log N).
 */
export function tardinessLowerBound(instance: Instance): number {
  if (instance.due === null) return 0;
  if (!isClassic(instance)) return flexibleTardiness(instance);
  return sumOfTardiness(instance, endsAlone(instance, timesAlone(instance, closeFrozen(instance))));
}

/**
 * The best lower bound on the total weighted tardiness that takes milliseconds: the {@link tardinessLowerBound} plus
 * the gain from the ranks of jobs on the worst machine ({@link machineRankGain}). If an instance has no feasible
 * schedule, it is meaningless.
 */
export function tardinessBound(instance: Instance): TardinessBound {
  if (instance.due === null) return { value: 0, source: 'jobs alone in the shop' };
  if (!isClassic(instance)) {
    return { value: flexibleTardiness(instance), source: 'jobs alone in the shop' };
  }
  const shop = closeFrozen(instance);
  const times = timesAlone(instance, shop);
  const alone = sumOfTardiness(instance, endsAlone(instance, times));
  const gain = machineRankGain(instance, shop, times);
  return gain > 0
    ? { value: alone + gain, source: 'machine ranks' }
    : { value: alone, source: 'jobs alone in the shop' };
}

/** The tardiness of jobs alone in a shop with alternatives, setups and the like; without its downtimes. */
function flexibleTardiness(instance: Instance): number {
  const ends = earliestJobEnds(instance, modeTimes(instance));
  return sumOfTardiness(instance, (job) => ends[job]);
}

/** The earliest completion of a job if it were alone in the shop; 0 for one without operations. */
function endsAlone({ jobOffset }: Instance, { end }: { readonly end: Int32Array }) {
  return (job: number): number =>
    jobOffset[job] < jobOffset[job + 1] ? end[jobOffset[job + 1] - 1] : 0;
}
