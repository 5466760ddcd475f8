import fc from 'fast-check';
import { createInstance, type Instance } from '../../../src/jssp/instance.js';
import type { Plan } from '../../../src/jssp/plan.js';
import { arbitraryCalendar, offsetsOf } from '../../arbitraries.js';

const time = fc.integer({ min: 0, max: 500 });
const orNone = fc.option(time, { nil: -1 });
const nullIf = (none: number, times: number[]) =>
  times.every((t) => t === none) ? null : Int32Array.from(times);

/** Instances with every attribute: jobs of any length, recirculation, zero durations. */
export const anyInstance: fc.Arbitrary<Instance> = fc
  .record({
    name: fc.string({ minLength: 1 }),
    machines: fc.integer({ min: 1, max: 5 }),
    lengths: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
  })
  .chain(({ name, machines, lengths }) => {
    const n = lengths.length;
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const list = <T>(item: fc.Arbitrary<T>, length: number) =>
      fc.array(item, { minLength: length, maxLength: length });
    return fc
      .record({
        machine: list(fc.integer({ min: 0, max: machines - 1 }), total),
        duration: list(time, total),
        release: fc.option(list(time, total), { nil: [] }),
        frozen: fc.option(list(orNone, total), { nil: [] }),
        due: fc.option(list(orNone, n), { nil: [] }),
        weight: fc.option(list(fc.nat(9), n), { nil: [] }),
        deadline: fc.option(list(orNone, n), { nil: [] }),
        calendar: arbitraryCalendar(machines, { maxGap: 500, maxDowntime: 9 }),
      })
      .map(({ machine, duration, release, frozen, due, weight, deadline, calendar }) => {
        return createInstance({
          name,
          machines,
          jobOffset: offsetsOf(lengths),
          machine: Int32Array.from(machine),
          duration: Int32Array.from(duration),
          release: nullIf(0, release),
          frozen: nullIf(-1, frozen),
          due: nullIf(-1, due),
          weight: nullIf(1, weight),
          deadline: nullIf(-1, deadline),
          calendar,
        });
      });
  });

/** Instances that the standard format can hold: one operation for each job and machine count. */
export const standardInstance: fc.Arbitrary<Instance> = fc
  .record({ jobs: fc.integer({ min: 1, max: 6 }), machines: fc.integer({ min: 1, max: 6 }) })
  .chain(({ jobs, machines }) => {
    const total = { minLength: jobs * machines, maxLength: jobs * machines };
    return fc
      .tuple(fc.array(fc.integer({ min: 0, max: machines - 1 }), total), fc.array(time, total))
      .map(([machine, duration]) =>
        createInstance({
          name: 'any',
          machines,
          jobOffset: Int32Array.from({ length: jobs + 1 }, (_, j) => j * machines),
          machine: Int32Array.from(machine),
          duration: Int32Array.from(duration),
        }),
      );
  });

const claim = fc.oneof(
  fc.integer({ min: -5, max: 100 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((x) => Math.round(x * 8) / 8 + 0),
);
/** Plans with any claims at all, whose jobs and steps are drawn from `index`. */
export function planOf(index: fc.Arbitrary<number>): fc.Arbitrary<Plan> {
  return fc.record({
    entries: fc.array(
      fc.record({ job: index, step: index, machine: claim, start: claim, end: claim }),
    ),
    makespan: fc.option(claim, { nil: undefined }),
  });
}

/** Plans with any claims at all, but for jobs and steps −1, which are not always unambiguous in CSV. */
export const anyPlan = planOf(fc.integer({ min: -3, max: 20 }).filter((i) => i !== -1));
