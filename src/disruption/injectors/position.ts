import { jobHeadsAndTails } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';

/**
 * The approximate start of each operation, independent of the schedule: its position in its job, on the scale of the
 * reference makespan. In a busy shop jobs wait throughout.
 *
 * @returns N times
 */
export function expectedStarts(instance: Instance, reference: number): Float64Array {
  const { head, tail } = jobHeadsAndTails(instance);
  return Float64Array.from(head, (before, op) => {
    const length = before + instance.duration[op] + tail[op];
    return length === 0 ? 0 : (before / length) * reference;
  });
}
