import { createRandom, type Random } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignModes,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../src/jssp/instance.js';
import type { Modes } from '../../src/jssp/shop-parts.js';
import { countViolations, createJudge, type Judge, validate } from '../../src/validator/index.js';
import { arbitraryStarts, uncheckedSchedule } from './arbitraries.js';
import { arbitraryShop, randomChoice } from './arbitrary-shops.js';
import { listSchedule } from './list-scheduler.js';

const arbitraryHearing = arbitraryShop.chain((instance) =>
  fc.record({
    instance: fc.constant(instance),
    schedules: fc.array(
      arbitraryStarts(instance, listSchedule(instance, Array.from(instance.jobOf))),
      { minLength: 1, maxLength: 6 },
    ),
    seed: fc.nat(1e9),
  }),
);

describe('the judge of shops', () => {
  it('gives the verdict and the count of validate, whatever it judged before', () => {
    fc.assert(
      fc.property(arbitraryHearing, ({ instance, schedules, seed }) => {
        const random = createRandom(seed);
        const judge = createJudge(instance);
        for (const starts of schedules) {
          const modes = random.integer(0, 1) === 0 ? null : randomChoice(instance, random);
          const assigned = modes === null ? instance : assignModes(instance, modes);
          const { total, counts } = validate(instance, uncheckedSchedule(assigned, starts));
          const expected = total - counts.below_lower_bound;
          expect(judge.countViolations(starts, modes ?? undefined)).toBe(expected);
          expect(judge.isFeasible(starts, modes ?? undefined)).toBe(expected === 0);
          if (instance.frozen === null) expect(countViolations(assigned, starts)).toBe(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('judges schedules whose modes differ in few operations or in most, also after modes that it refuses', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (seed) => {
        const random = createRandom(seed);
        const instance = flexibleShop(random);
        const judge = createJudge(instance);
        let modes = (instance.modes as Modes).chosen.slice();
        let turns = random.shuffle(Array.from(instance.jobOf));
        for (let round = 0; round < 12; round++) {
          modes = modes.slice();
          const changes = pick(random, [0, 1, 3, 8, 9, 10, 30, instance.operations]);
          for (let change = 0; change < changes; change++) changeMode(instance, modes, random);
          if (random.integer(0, 3) === 0) expectRefusal(judge, instance, modes, random);
          if (random.integer(0, 2) === 0) turns = random.shuffle(turns);
          const assigned = assignModes(instance, modes);
          const starts = listSchedule(assigned, turns);
          if (random.integer(0, 1) === 0) starts[random.integer(0, starts.length - 1)] -= 1;
          const { total, counts } = validate(instance, uncheckedSchedule(assigned, starts));
          const expected = total - counts.below_lower_bound;
          if (random.integer(0, 1) === 0) {
            expect(judge.countViolations(starts, modes)).toBe(expected);
          }
          expect(judge.isFeasible(starts, modes)).toBe(expected === 0);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('refuses modes that are not those of the operations', () => {
    const classic = instanceFromJobs('one', [[[0, 1]]]);
    expect(() => createJudge(classic).isFeasible(Int32Array.of(0), Int32Array.of(0))).toThrow(
      'one has no modes',
    );
  });
});

/** Twelve jobs of six steps, each step with one to four modes on five machines, some of which take no time. */
function flexibleShop(random: Random): Instance {
  const time = (): number => Math.max(0, random.integer(-2, 20));
  const jobs = Array.from({ length: 12 }, () =>
    Array.from({ length: 6 }, (): [number, number] => [random.integer(0, 4), time()]),
  );
  const classic = instanceFromJobs('twelve', jobs, 5);
  const offset = new Int32Array(classic.operations + 1);
  for (let op = 0; op < classic.operations; op++)
    offset[op + 1] = offset[op] + random.integer(1, 4);
  const machine = Int32Array.from({ length: offset[72] }, () => random.integer(0, 4));
  const duration = machine.map(time);
  const chosen = offset.slice(0, 72);
  return replaceInstance(classic, {
    machine: chosen.map((mode) => machine[mode]),
    duration: chosen.map((mode) => duration[mode]),
    modes: { offset, machine, duration, chosen },
  });
}

function changeMode({ modes, operations }: Instance, chosen: Int32Array, random: Random): void {
  const { offset } = modes as Modes;
  const op = random.integer(0, operations - 1);
  chosen[op] = random.integer(offset[op], offset[op + 1] - 1);
}

/** A mode of another operation is refused, wherever it stands, whatever else has changed. */
function expectRefusal(judge: Judge, instance: Instance, right: Int32Array, random: Random): void {
  const { offset } = instance.modes as Modes;
  const wrong = right.slice();
  const changes = pick(random, [0, 5, 70]);
  for (let change = 0; change < changes; change++) changeMode(instance, wrong, random);
  const op = random.integer(0, instance.operations - 1);
  wrong[op] = pick(random, [offset[op] - 1, offset[op + 1], -1]);
  const starts = listSchedule(instance, instance.jobOf);
  expect(() => judge.isFeasible(starts, wrong)).toThrow(`mode ${wrong[op]} is not one of`);
}

function pick(random: Random, values: readonly number[]): number {
  return values[random.integer(0, values.length - 1)];
}
