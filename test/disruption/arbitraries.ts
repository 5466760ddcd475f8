import fc from 'fast-check';
import type { DisruptionEvent, EventInput } from '../../src/disruption/event.js';
import type { Instance } from '../../src/jssp/instance.js';
import type { Schedule } from '../../src/jssp/schedule.js';

const time = fc.nat(2000);
const number = fc.nat(30);
const factor = fc.double({ min: 0.01, max: 50, noNaN: true });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Events in form and complete, about anything. */
export const arbitraryEvent: fc.Arbitrary<DisruptionEvent> = fc
  .record({
    at: time,
    later: time,
    length: fc.integer({ min: 1, max: 500 }),
    machine: number,
    job: number,
    step: number,
    maybeStep: optional(number),
    resumable: fc.boolean(),
    change: fc.oneof(fc.record({ duration: time }), fc.record({ factor })),
    name: optional(fc.string({ minLength: 1, maxLength: 20, unit: 'binary' })),
    operations: fc.array(fc.record({ machine: number, duration: time }), {
      minLength: 1,
      maxLength: 4,
    }),
    due: optional(time),
    weight: optional(fc.nat(1000)),
  })
  .chain((x) => {
    const effect = x.at + x.later;
    const kinds: DisruptionEvent[] = [
      {
        kind: 'breakdown',
        at: x.at,
        machine: x.machine,
        from: effect,
        to: effect + x.length,
        resumable: x.resumable,
      },
      { kind: 'breakdown', at: x.at, machine: x.machine, from: effect, resumable: x.resumable },
      { kind: 'duration', at: x.at, job: x.job, step: x.step, ...x.change },
      {
        kind: 'arrival',
        at: x.at,
        job: {
          ...(x.name === undefined ? {} : { name: x.name }),
          operations: x.operations,
          release: effect,
          ...(x.due === undefined ? {} : { due: x.due }),
          ...(x.weight === undefined ? {} : { weight: x.weight }),
        },
      },
      { kind: 'cancellation', at: x.at, job: x.job },
      {
        kind: 'delay',
        at: x.at,
        job: x.job,
        ...(x.maybeStep === undefined ? {} : { step: x.maybeStep }),
        until: effect,
      },
      { kind: 'restored', at: x.at, machine: x.machine },
      {
        kind: 'capacity',
        at: x.at,
        resource: x.machine,
        from: effect,
        ...(x.due === undefined ? {} : { to: effect + x.length }),
        amount: x.step,
      },
      {
        kind: 'alternative',
        at: x.at,
        job: x.job,
        step: x.step,
        machine: x.machine,
        duration: x.later,
      },
    ];
    return fc.constantFrom(...kinds);
  });

/** Numbers from which {@link eventsFor} makes events. */
export const arbitraryChoices = fc.array(fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }), {
  maxLength: 4,
});

/** Events that name what there is, of which some come too late; nothing lies before `now`. */
export function eventsFor(
  { instance }: Schedule,
  now: number,
  choices: readonly (readonly number[])[],
): EventInput[] {
  const withSteps = Array.from({ length: instance.jobs }, (_, job) => job).filter(
    (job) => instance.jobOffset[job] < instance.jobOffset[job + 1],
  );
  return choices.flatMap(([kind, a, b, c, d, e]): EventInput[] => {
    const machine = a % instance.machines;
    const from = now + (b % 3 === 0 ? 0 : b % 30);
    if (kind % 6 === 0 || kind % 6 === 1) {
      const to = e % 5 === 0 ? {} : { to: from + 1 + (c % 25) };
      return [{ kind: 'breakdown', machine, from, ...to, resumable: d % 2 === 0 }];
    }
    if (kind % 6 === 2) return [{ kind: 'restored', machine }];
    if (kind % 6 === 3) {
      const operations = Array.from({ length: 1 + (c % 4) }, (_, i) => ({
        machine: (a + i * d) % instance.machines,
        duration: (b + i * e) % 15,
      }));
      return [
        { kind: 'arrival', job: { operations, release: from, due: from + 50, weight: e % 4 } },
      ];
    }
    if (withSteps.length === 0) return [];
    const job = withSteps[a % withSteps.length];
    const step = c % stepsOf(instance, job);
    if (kind % 6 === 4) return [{ kind: 'duration', job, step, duration: d % 30 }];
    if (e % 4 === 0) return [{ kind: 'cancellation', job }];
    return [{ kind: 'delay', job, ...(e % 4 === 1 ? {} : { step }), until: from }];
  });
}

function stepsOf({ jobOffset }: Instance, job: number): number {
  return jobOffset[job + 1] - jobOffset[job];
}
