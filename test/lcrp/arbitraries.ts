import fc from 'fast-check';
import type { DisruptionEvent, EventInput } from '../../src/disruption/event.js';
import { readEvent } from '../../src/disruption/event-schema.js';
import type { Instance } from '../../src/jssp/instance.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { affected } from '../../src/lcrp/baselines/affected.js';
import { dispatchMethod } from '../../src/lcrp/baselines/dispatch.js';
import { type Status, updateStatus } from '../../src/lcrp/phases/status.js';
import { defaultPolicy } from '../../src/lcrp/policy/policy.js';
import type { MethodResult, RepairContext } from '../../src/lcrp/task.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from '../disruption/arbitraries.js';

/** Random shops with all that an instance may have; most have none of it. */
const arbitraryShop: fc.Arbitrary<Instance> = fc.oneof(
  arbitraryInstance({ maxMachines: 3 }),
  arbitraryInstance({ downtimes: true, dueDates: true, weights: true, maxMachines: 3 }),
  arbitraryInstance({ downtimes: true, releases: true, deadlines: true }),
);

/** Instants, and numbers from which events are made. */
const arbitraryInstants = fc.array(fc.record({ later: fc.nat(25), choices: arbitraryChoices }), {
  minLength: 1,
  maxLength: 5,
});

/** A dispatched plan, and events at some instants, complete and in order. */
export const arbitraryExecution: fc.Arbitrary<{ plan: Schedule; events: DisruptionEvent[] }> = fc
  .tuple(arbitraryShop, arbitraryInstants, fc.constantFrom('mwkr', 'spt'))
  .map(([instance, instants, rule]) => {
    const plan = dispatch(instance, { rule });
    let now = 0;
    const events = instants.flatMap(({ later, choices }) => {
      now += later;
      return eventsFor(plan, now, choices).map((event) => complete(event, now));
    });
    return { plan, events };
  });

function complete(event: EventInput, now: number): DisruptionEvent {
  const read = readEvent({ ...event, at: now }, 'counted');
  if (read.fault !== undefined) throw new Error(read.fault.problem);
  return read.data;
}

/** The last of a series of disruptions of a shop; earlier ones are repaired in two ways in turn. */
export const arbitraryDisruption: fc.Arbitrary<Status> = arbitraryExecution
  .filter(({ events }) => events.length > 0)
  .map(({ plan, events }) => {
    const instants = [...new Set(events.map(({ at }) => at))];
    let schedule = plan;
    return instants
      .map((now, i) => {
        const known = events.filter(({ at }) => at === now);
        const disruption = updateStatus({ schedule, events: known, now }, { tooLate: 'skip' });
        const method = i % 2 === 0 ? affected : dispatchMethod();
        const repaired = method.repair(disruption.task, defaultPolicy, context) as MethodResult;
        schedule = repaired.schedule;
        return disruption;
      })
      .at(-1) as Status;
  });

export const context: RepairContext = { seed: 1 };
