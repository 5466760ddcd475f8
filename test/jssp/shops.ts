import fc from 'fast-check';
import { type FlexibleSpec, generateFlexible } from '../../src/jssp/flexible-generator.js';
import type { Instance } from '../../src/jssp/instance.js';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** The numbers of a small random shop of any parts. */
const anyShopSpec: fc.Arbitrary<FlexibleSpec> = fc.record({
  jobs: fc.integer({ min: 1, max: 5 }),
  machines: fc.integer({ min: 2, max: 4 }),
  seed: fc.nat(),
  flexibility: fc.double({ min: 1, max: 2, noNaN: true }),
  families: maybe(fc.integer({ min: 0, max: 4 })),
  attendedSetups: fc.boolean(),
  maxTransport: maybe(fc.nat(9)),
  operators: maybe(fc.nat(2)),
  assembly: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  minLag: maybe(fc.nat(9)),
  maxLag: maybe(fc.nat(9)),
  zeroDurations: fc.constantFrom(0, 0.2),
});

/** A small random shop of any parts. */
export const anyShop: fc.Arbitrary<Instance> = anyShopSpec.map(generateFlexible);
