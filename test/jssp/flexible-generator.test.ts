import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlexibleSpec, generateFlexible } from '../../src/jssp/flexible-generator.js';
import { isClassic, modeCount } from '../../src/jssp/shop-parts.js';
import { anyShop } from './shops.js';

const size: FlexibleSpec = { jobs: 6, machines: 5, seed: 7 };

describe('a generated shop', () => {
  it('is the same for the same numbers, and keeps its parts when others are added', () => {
    const full: FlexibleSpec = {
      ...size,
      families: 3,
      operators: 2,
      maxTransport: 9,
      assembly: 0.5,
    };
    expect(generateFlexible(full)).toEqual(generateFlexible(full));
    expect(generateFlexible(full).modes).toEqual(generateFlexible(size).modes);
    expect(generateFlexible(full).setups).toEqual(
      generateFlexible({ ...size, families: 3 }).setups,
    );
  });

  it('has the asked mean of machines for an operation', () => {
    for (const flexibility of [1, 2, 3]) {
      const shop = generateFlexible({ ...size, jobs: 400, flexibility });
      expect(modeCount(shop) / shop.operations).toBeCloseTo(flexibility, 1);
    }
    expect(isClassic(generateFlexible({ ...size, flexibility: 1 }))).toBe(true);
  });

  it('has no setup that a detour would shorten, and no mode twice', () => {
    fc.assert(
      fc.property(anyShop, ({ setups, modes }) => {
        const { families = 0, time = new Int32Array() } = setups ?? {};
        for (let from = 0; from < families; from++) {
          for (let to = 0; to < families; to++) {
            for (let by = 0; by < families; by++) {
              const detour = time[from * families + by] + time[by * families + to];
              expect(time[from * families + to]).toBeLessThanOrEqual(detour);
            }
          }
        }
        for (let op = 0; modes !== null && op < modes.offset.length - 1; op++) {
          const machines = modes.machine.slice(modes.offset[op], modes.offset[op + 1]);
          expect(new Set(machines).size).toBe(machines.length);
        }
      }),
    );
  });

  it('has greatest waiting times on paths that nothing else enters', () => {
    fc.assert(
      fc.property(anyShop, ({ precedence }) => {
        if (precedence === null) return;
        const { offset, pred, maxLag } = precedence;
        const left = new Set<number>();
        for (let op = 0; op < offset.length - 1; op++) {
          for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
            if (maxLag[edge] < 0) continue;
            expect(offset[op + 1] - offset[op]).toBe(1);
            expect(left.has(pred[edge])).toBe(false);
            left.add(pred[edge]);
          }
        }
      }),
    );
  });

  it.each<[Partial<FlexibleSpec>, string]>([
    [{ flexibility: 9 }, 'flexibility: this is 9; give a number from 1 to 5'],
    [{ variation: 2 }, 'variation: this is 2; give a share from 0 to 1'],
    [{ families: 1000 }, 'families: this is 1000; give a whole number from 0 to 200'],
    [{ maxLag: 0.5 }, 'maxLag: this is 0.5; give a whole number'],
  ])('is refused for %j', (parameter, message) => {
    expect(() => generateFlexible({ ...size, ...parameter })).toThrow(message);
  });
});
