import fc from 'fast-check';
import { type Calendar, createInstance, type Instance } from '../src/jssp/instance.js';

/** What random instances may have beyond machines and durations. */
export interface InstanceShape {
  maxJobs?: number;
  maxMachines?: number;
  maxLength?: number;
  releases?: boolean;
  dueDates?: boolean;
  weights?: boolean;
  deadlines?: boolean;
  downtimes?: boolean;
}

/** Random small instances: unequal and empty jobs, recirculation, zero durations, and the shape. */
export function arbitraryInstance(shape: InstanceShape = {}): fc.Arbitrary<Instance> {
  const { maxJobs = 6, maxMachines = 5, maxLength = 6 } = shape;
  const duration = fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
  );
  return fc
    .integer({ min: 1, max: maxMachines })
    .chain((machines) =>
      fc.record({
        machines: fc.constant(machines),
        jobs: fc.array(fc.array(fc.tuple(fc.nat(machines - 1), duration), { maxLength }), {
          minLength: 1,
          maxLength: maxJobs,
        }),
        calendar: shape.downtimes ? arbitraryCalendar(machines) : fc.constant(null),
        times: fc.infiniteStream(fc.nat(60)),
      }),
    )
    .map(({ machines, jobs, calendar, times }) => {
      const operations = jobs.flat();
      const next = () => times.next().value as number;
      const optional = () => (next() % 3 === 0 ? -1 : 20 + 4 * next());
      return createInstance({
        name: 'random',
        machines,
        jobOffset: offsetsOf(jobs.map((job) => job.length)),
        machine: Int32Array.from(operations, ([k]) => k),
        duration: Int32Array.from(operations, ([, d]) => d),
        release: shape.releases
          ? Int32Array.from(operations, () => (next() % 3 === 0 ? next() : 0))
          : null,
        due: shape.dueDates ? Int32Array.from(jobs, optional) : null,
        weight: shape.weights ? Int32Array.from(jobs, () => next() % 5) : null,
        deadline: shape.deadlines ? Int32Array.from(jobs, optional) : null,
        calendar,
      });
    });
}

/** Where each of a row of lists begins in their concatenation, and where the last one ends. */
export function offsetsOf(lengths: readonly number[]): Int32Array {
  const offset = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    offset[i + 1] = offset[i] + length;
  });
  return offset;
}

/** Up to three downtimes of both kinds on each machine; null if there are none at all. */
export function arbitraryCalendar(
  machines: number,
  { maxGap = 15, maxDowntime = 10 } = {},
): fc.Arbitrary<Calendar | null> {
  const downtime = fc.record({
    gap: fc.nat(maxGap),
    length: fc.integer({ min: 1, max: maxDowntime }),
    resumable: fc.boolean(),
  });
  return fc
    .array(fc.array(downtime, { maxLength: 3 }), { minLength: machines, maxLength: machines })
    .map((perMachine) => {
      const from: number[] = [];
      const to: number[] = [];
      for (const downtimes of perMachine) {
        let time = 0;
        for (const { gap, length } of downtimes) {
          from.push(time + gap);
          time += gap + length;
          to.push(time);
        }
      }
      if (from.length === 0) return null;
      return {
        offset: offsetsOf(perMachine.map((downtimes) => downtimes.length)),
        from: Int32Array.from(from),
        to: Int32Array.from(to),
        resumable: Uint8Array.from(perMachine.flat(), ({ resumable }) => (resumable ? 1 : 0)),
      };
    });
}

/** Machine sequences that some schedule can follow: operations taken job by job in random turns. */
export function arbitrarySequences(instance: Instance): fc.Arbitrary<Int32Array> {
  const turns = Array.from(instance.jobOf);
  return fc.shuffledSubarray(turns, { minLength: turns.length }).map((jobs) => {
    const next = instance.jobOffset.slice();
    const slot = instance.machineOffset.slice();
    const sequences = new Int32Array(instance.operations);
    for (const job of jobs) {
      const op = next[job]++;
      sequences[slot[instance.machine[op]]++] = op;
    }
    return sequences;
  });
}

/** An instance together with feasible machine sequences for it. */
export function arbitraryInstanceAndSequences(
  shape: InstanceShape = {},
): fc.Arbitrary<[Instance, Int32Array]> {
  return arbitraryInstance(shape).chain((instance) =>
    fc.tuple(fc.constant(instance), arbitrarySequences(instance)),
  );
}
