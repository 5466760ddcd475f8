import { readFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchmarks } from '../../src/jssp/benchmark-index.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import {
  generateRandom,
  generateTaillard,
  type RandomSpec,
  withDueDates,
} from '../../src/jssp/generator.js';
import {
  type Instance,
  instanceFromJobs,
  MAX_TIME,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { tardinessLowerBound } from '../../src/jssp/tardiness-bounds.js';
import { arbitraryInstance } from '../arbitraries.js';
import { messageOf } from './formats/refusal.js';

type SeedRow = Record<'instance' | 'jobs' | 'machines' | 'time_seed' | 'machine_seed', string>;
const seedFile = new URL('../../benchmarks/taillard-seeds.csv', import.meta.url);
const seeds = parse<SeedRow>(readFileSync(seedFile), { columns: true });

/** The parts of a random instance that its parameters bound. */
function jobsOf({ jobs, jobOffset, machine, duration }: Instance) {
  return Array.from({ length: jobs }, (_, job) => ({
    machines: [...machine.subarray(jobOffset[job], jobOffset[job + 1])],
    durations: [...duration.subarray(jobOffset[job], jobOffset[job + 1])],
  }));
}

describe('generateTaillard', () => {
  it('has the seeds of eighty instances as test cases', () => {
    expect(seeds.map((row) => row.instance)).toEqual(
      [...benchmarks().values()].filter(({ suite }) => suite === 'ta').map(({ name }) => name),
    );
  });

  it.each(seeds)('makes $instance number for number', (row) => {
    const instance = generateTaillard({
      jobs: Number(row.jobs),
      machines: Number(row.machines),
      timeSeed: Number(row.time_seed),
      machineSeed: Number(row.machine_seed),
      name: row.instance,
    });
    expect(instance.name).toBe(row.instance);
    expect(instanceChecksum(instance)).toBe(benchmarks().get(row.instance)?.sha256);
  });

  it('sends every job over every machine once, with durations from 1 to 99', () => {
    const seed = fc.integer({ min: 1, max: 2 ** 31 - 2 });
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(size, size, seed, seed, (jobs, machines, timeSeed, machineSeed) => {
        const instance = generateTaillard({ jobs, machines, timeSeed, machineSeed });
        expect([instance.jobs, instance.machines]).toEqual([jobs, machines]);
        for (const job of jobsOf(instance)) {
          expect(job.machines.toSorted((a, b) => a - b)).toEqual([...Array(machines).keys()]);
          expect(job.durations.every((d) => d >= 1 && d <= 99)).toBe(true);
        }
      }),
    );
  });

  it.each([
    { timeSeed: 0 },
    { timeSeed: 2 ** 31 - 1 },
    { machineSeed: 1.5 },
    { machineSeed: -1 },
    { jobs: 0 },
    { machines: Number.NaN },
    { jobs: 100_000, machines: 100_000 },
  ])('refuses %o', (wrong) => {
    const spec = { jobs: 3, machines: 3, timeSeed: 1, machineSeed: 1, ...wrong };
    expect(() => generateTaillard(spec)).toThrow(InputError);
  });
});

describe('generateRandom', () => {
  const specs: fc.Arbitrary<RandomSpec> = fc
    .record({
      jobs: fc.integer({ min: 1, max: 15 }),
      machines: fc.integer({ min: 1, max: 10 }),
      seed: fc.oneof(fc.integer(), fc.string()),
      recirculation: fc.boolean(),
      lengths: fc.tuple(fc.nat(19), fc.nat(19)),
      durations: fc.tuple(fc.nat(1000), fc.nat(1000)),
      zeroDurations: fc.constantFrom(0, 0.3, 1),
    })
    .map(({ lengths, durations, ...rest }) => {
      const longest = rest.recirculation ? 20 : rest.machines;
      const [minLength, maxLength] = lengths.map((n) => 1 + (n % longest)).sort((a, b) => a - b);
      const [minDuration, maxDuration] = durations.sort((a, b) => a - b);
      return { ...rest, minLength, maxLength, minDuration, maxDuration };
    });

  it('keeps lengths, durations and machines within the parameters', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const { minLength = 0, maxLength = 0, minDuration = 0, maxDuration = 0 } = spec;
        const instance = generateRandom(spec);
        expect([instance.jobs, instance.machines]).toEqual([spec.jobs, spec.machines]);
        for (const { machines, durations } of jobsOf(instance)) {
          expect(machines.length).toBeGreaterThanOrEqual(minLength);
          expect(machines.length).toBeLessThanOrEqual(maxLength);
          for (const d of durations) {
            const zeroed = d === 0 && spec.zeroDurations !== 0;
            expect(zeroed || (d >= minDuration && d <= maxDuration)).toBe(true);
          }
          if (!spec.recirculation) expect(new Set(machines).size).toBe(machines.length);
          if (spec.zeroDurations === 1) expect(durations.every((d) => d === 0)).toBe(true);
        }
      }),
    );
  });

  it('gives equal instances for equal parameters', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        expect(generateRandom(spec)).toEqual(generateRandom({ ...spec }));
      }),
    );
  });

  it('gives the same instance in every version, on every platform', () => {
    const instance = generateRandom({
      jobs: 5,
      machines: 4,
      seed: 7,
      minLength: 2,
      maxLength: 6,
      recirculation: true,
      zeroDurations: 0.1,
    });
    expect(instance.name).toBe('random_5x4_7');
    expect(instanceChecksum(instance)).toMatchInlineSnapshot(
      `"c4fd9256162d5c5d69571c6162660ba4226e602f09e8bf8f916fffcec8a7e11a"`,
    );
  });

  it('gives other instances for other seeds', () => {
    const checksums = Array.from({ length: 50 }, (_, seed) =>
      instanceChecksum(generateRandom({ jobs: 3, machines: 3, seed })),
    );
    expect(new Set(checksums).size).toBe(50);
  });

  it('makes unequal jobs that come back to machines when asked to', () => {
    const instance = generateRandom({
      jobs: 50,
      machines: 5,
      seed: 1,
      minLength: 1,
      maxLength: 15,
      recirculation: true,
    });
    const jobs = jobsOf(instance);
    expect(new Set(jobs.map(({ machines }) => machines.length)).size).toBeGreaterThan(5);
    expect(jobs.some(({ machines }) => new Set(machines).size < machines.length)).toBe(true);
  });

  it('draws every machine and duration about equally often', () => {
    const { machine, duration, operations } = generateRandom({
      jobs: 4000,
      machines: 20,
      seed: 'fair',
      maxDuration: 10,
      maxLength: 5,
    });
    const share = (items: Int32Array, wanted: number) =>
      items.filter((item) => item === wanted).length / operations;
    for (let k = 0; k < 20; k++) expect(Math.abs(share(machine, k) - 1 / 20)).toBeLessThan(0.01);
    for (let d = 1; d <= 10; d++) expect(Math.abs(share(duration, d) - 1 / 10)).toBeLessThan(0.01);
  });

  it('makes one million operations', () => {
    const instance = generateRandom({ jobs: 1000, machines: 1000, seed: 1 });
    expect(instance.operations).toBe(1_000_000);
  });

  it.each([
    [{ jobs: 2.5 }, 'jobs: this is 2.5; give a whole number from 1 to 10000000'],
    [{ machines: 0 }, 'machines: this is 0; give a whole number from 1 to 10000000'],
    [{ minLength: 0 }, 'minLength: this is 0; give a whole number from 1 to 3'],
    [{ maxLength: 4 }, 'maxLength: this is 4; give a whole number from 3 to 3'],
    [{ minDuration: -1 }, 'minDuration: this is -1; give a whole number from 0 to 1073741823'],
    [
      { minDuration: 9, maxDuration: 8 },
      'maxDuration: this is 8; give a whole number from 9 to 1073741823',
    ],
    [{ zeroDurations: 1.1 }, 'zeroDurations: this is 1.1; give a share from 0 to 1'],
    [{ zeroDurations: Number.NaN }, 'zeroDurations: this is NaN; give a share from 0 to 1'],
    [
      { jobs: 10_000, maxLength: 10_000, recirculation: true },
      '10000 jobs of up to 10000 operations are too many; at most 10000000 operations can be generated',
    ],
  ])('refuses %o and says what would be right', (wrong, message) => {
    const refused = () => generateRandom({ jobs: 3, machines: 3, seed: 1, ...wrong });
    expect(refused).toThrow(InputError);
    expect(refused).toThrow(message);
  });

  it('refuses durations that add up to more time than the package handles', () => {
    const spec = { jobs: 3, machines: 3, seed: 1, minDuration: 2 ** 29, maxDuration: 2 ** 30 };
    expect(() => generateRandom(spec)).toThrow(InputError);
  });
});

/** A shop of jobs on one machine, by their lengths. */
const shopOf = (...lengths: number[]) =>
  instanceFromJobs(
    'shop',
    lengths.map((length) => [[0, length]] as const),
  );

describe('withDueDates', () => {
  it('makes a job due at its release plus the whole part of tightness × length', () => {
    const shop = replaceInstance(
      instanceFromJobs('shop', [
        [
          [0, 3],
          [1, 4],
        ],
        [[1, 5]],
        [],
      ]),
      { release: Int32Array.of(10, 99, 0) },
    );
    expect([...(withDueDates(shop, 1.3).due ?? [])]).toEqual([10 + 9, 6, 0]);
    expect([...(withDueDates(shop, 1.5).due ?? [])]).toEqual([10 + 10, 7, 0]);
  });

  it('counts in decimals: 1.15 × 100 is 115', () => {
    expect(1.15 * 100).toBeLessThan(115);
    expect(withDueDates(shopOf(100), 1.15).due).toEqual(Int32Array.of(115));
  });

  it('is exact for every tightness with two digits', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(1_000_000), (hundredths, length) => {
        const { due } = withDueDates(shopOf(length), hundredths / 100);
        expect(due).toEqual(Int32Array.of(Math.floor((hundredths * length) / 100)));
      }),
    );
  });

  it.each([
    [1, [4]],
    [2, [4, 2]],
    [5, [4, 2, 2, 2, 1]],
    [7, [4, 4, 2, 2, 2, 2, 1]],
    [10, [4, 4, 2, 2, 2, 2, 2, 2, 1, 1]],
  ])('weighs the first fifth of %i jobs 4, the last 1, the rest 2', (jobs, weights) => {
    const shop = shopOf(...new Array(jobs).fill(1));
    expect([...(withDueDates(shop, 1.3).weight ?? [])]).toEqual(weights);
  });

  it('leaves no job late that is alone in the shop, at a tightness of 1 or more', () => {
    fc.assert(
      fc.property(arbitraryInstance(), fc.constantFrom(1, 1.3, 1.5, 1.6), (instance, tightness) => {
        expect(tardinessLowerBound(withDueDates(instance, tightness))).toBe(0);
      }),
    );
  });

  it.each([-0.5, Number.NaN, Infinity, 1e9])('refuses a tightness of %d', (tightness) => {
    expect(messageOf(() => withDueDates(shopOf(5), tightness))).toBe(
      `dueTightness: this is ${tightness}; give 0 or more, and so little that no job is due after ${MAX_TIME}`,
    );
  });
});
