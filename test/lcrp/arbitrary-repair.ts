import fc from 'fast-check';
import type { Instance } from '../../src/jssp/instance.js';
import { operationAt } from '../../src/jssp/plan.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { semiActive } from '../../src/jssp/timing.js';
import { updateStatus } from '../../src/lcrp/phases/status.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import type { RepairPolicy } from '../../src/lcrp/policy/policy.js';
import type { RepairTask } from '../../src/lcrp/task.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from '../disruption/arbitraries.js';

/** How many cases: more than in the suite with ALAS_JSSP_LCRP_CASES. */
export const cases = Number(process.env.ALAS_JSSP_LCRP_CASES ?? 200);

/** Random shops with feasible schedules: any orders, or those of a dispatching rule. */
const arbitrarySchedule: fc.Arbitrary<Schedule> = fc
  .oneof(
    arbitraryInstanceAndSequences({ maxMachines: 3, dueDates: true, weights: true }),
    arbitraryInstanceAndSequences({ maxMachines: 4, downtimes: true, dueDates: true }),
    arbitraryInstanceAndSequences({ maxMachines: 3, downtimes: true, releases: true }),
  )
  .chain(([instance, sequences]: [Instance, Int32Array]) =>
    fc.constantFrom(
      () => semiActive(instance, sequences),
      () => dispatch(instance, { rule: 'mwkr' }),
    ),
  )
  .map((make) => make());

/** A disruption: what happens how much later, as {@link eventsFor} makes it of numbers. */
export const arbitrarySteps = fc.array(
  fc.record({ later: fc.nat(30), choices: arbitraryChoices }),
  { minLength: 1, maxLength: 4 },
);

export const arbitraryPolicy: fc.Arbitrary<RepairPolicy> = fc
  .record({
    objective: fc.constantFrom('makespan' as const, 'total-weighted-tardiness' as const),
    rankChange: fc.constantFrom(0, 0.003, 0.05),
    movedEarlier: fc.constantFrom(0, 0, 0.01),
    first: fc.nat(5),
    more: fc.nat(10),
    target: fc.constantFrom(0.5, 1),
    passes: fc.nat(4),
    mostChanged: fc.constantFrom(null, null, 3),
    notBefore: fc.constantFrom(null, null, 40),
    pinned: fc.array(fc.record({ job: fc.nat(3), step: fc.nat(4) }), { maxLength: 2 }),
    untouchableMachines: fc.uniqueArray(fc.nat(4), { maxLength: 1 }),
  })
  .map((x) =>
    policy({
      objective: x.objective,
      cost: { rankChange: x.rankChange, movedEarlier: x.movedEarlier },
      radius: { first: x.first, most: x.first + x.more },
      target: x.target,
      budget: { passes: x.passes, evaluations: 500 },
      limits: {
        mostChanged: x.mostChanged,
        notBefore: x.notBefore,
        pinned: x.pinned,
        untouchableMachines: x.untouchableMachines,
      },
    }),
  );

/** Operations that may differ from the plan; any number as a rule. */
export const arbitraryMostEdited = fc.constantFrom(null, null, null, 2, 5);

/** The policy without limits on what an instance does not have, which would be refused. */
export function fittingPolicy(instance: Instance, wanted: RepairPolicy): RepairPolicy {
  const { pinned, untouchableMachines } = wanted.limits;
  return policy(wanted, {
    objective: wanted.objective,
    limits: {
      pinned: pinned.filter(({ job, step }) => operationAt(instance, job, step) >= 0),
      untouchableMachines: untouchableMachines.filter((machine) => machine < instance.machines),
    },
  });
}

/** A shop in execution that is disrupted for the first time. */
export const arbitraryTask: fc.Arbitrary<RepairTask> = fc
  .tuple(arbitrarySchedule, fc.nat(50), arbitraryChoices)
  .map(([schedule, now, choices]) => {
    const events = eventsFor(schedule, now, choices);
    return updateStatus({ schedule, events, now }, { tooLate: 'skip' }).task;
  });

export { arbitrarySchedule };
