import { jobHeadsAndTails } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';

/**
 * About when each operation is going to start, whatever the schedule: where it stands in its job,
 * on the scale of the reference makespan. Jobs wait all along in a busy shop.
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
