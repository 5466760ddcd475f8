import fc from 'fast-check';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { arbitraryInstance } from '../arbitraries.js';
import { generateByDefinition } from './reference-dispatch.js';

interface Shape {
  dueDates?: boolean;
  downtimes?: boolean;
}

/** Random small instances, about half of them in execution: what has started is frozen. */
export function arbitraryExecution(shape: Shape = {}): fc.Arbitrary<Instance> {
  const instances = fc.oneof(
    arbitraryInstance({ ...shape, maxMachines: 3 }),
    arbitraryInstance({ ...shape, maxMachines: 3, releases: true }),
  );
  return fc
    .tuple(instances, fc.option(fc.integer({ min: 1, max: 60 })))
    .map(([instance, now]) => (now === null ? instance : freezeStarted(instance, now)));
}

/** The instance with everything frozen that some feasible schedule starts before `now`. */
function freezeStarted(instance: Instance, now: number): Instance {
  const start = generateByDefinition(instance, 'non-delay', (op) => -op);
  return replaceInstance(instance, { frozen: start.map((time) => (time < now ? time : -1)) });
}
