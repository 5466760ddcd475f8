import fc from 'fast-check';
import { type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { generateByDefinition } from '../reference-dispatch.js';

const size = { maxJobs: 4, maxMachines: 3, maxLength: 3 };

/**
 * Random instances small enough to enumerate, with unequal and empty jobs, recirculation, zero
 * durations; some with releases, some in execution, some with downtimes where asked for.
 */
export function arbitraryTiny({ downtimes }: { downtimes: boolean }): fc.Arbitrary<Instance> {
  return fc
    .tuple(
      fc.oneof(
        arbitraryInstance({ ...size, downtimes }),
        arbitraryInstance({ ...size, downtimes, releases: true }),
      ),
      fc.option(fc.integer({ min: 1, max: 40 })),
    )
    .filter(([instance]) => instance.operations <= 9)
    .map(([instance, now]) => (now === null ? instance : freezeStarted(instance, now)));
}

/** The instance with everything frozen that some feasible schedule starts before `now`. */
function freezeStarted(instance: Instance, now: number): Instance {
  const start = generateByDefinition(instance, 'non-delay', (op) => -op);
  return replaceInstance(instance, { frozen: start.map((time) => (time < now ? time : -1)) });
}
