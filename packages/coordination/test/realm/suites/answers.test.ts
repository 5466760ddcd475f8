import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateGroups, readGroups } from '../../../src/realm/groups/read-groups.js';
import { generateRelief } from '../../../src/realm/relief/generate-relief.js';
import { readRelief } from '../../../src/realm/relief/read-relief.js';
import { SUITE_READERS } from '../../../src/realm/suites/readers.js';
import { generateSupply } from '../../../src/realm/supply/generate-supply.js';
import { readSupply } from '../../../src/realm/supply/read-supply.js';
import { generateTour } from '../../../src/realm/tour/generate-tour.js';
import { readTour } from '../../../src/realm/tour/read-tour.js';

const ours = (suite: 'realm-p7' | 'realm-p10') =>
  Object.fromEntries(SUITE_READERS[suite].completions.map((one) => [one.key, one.ours]));
const problems = [
  readTour(generateTour('tour', 1), undefined, {}),
  readGroups(generateGroups('groups', 1), undefined),
  readRelief(generateRelief('relief', 1), undefined, ours('realm-p7')),
  readSupply(generateSupply('supply', 1), undefined, ours('realm-p10')),
].flatMap(({ problem }) => problem ?? []);

/** Values as a confused model may write them. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    '?',
    '09:00',
    '999:59',
    '-01:00',
    '25:61',
    'gym',
    'guide1',
    'region1',
    'supplier1',
  ),
  fc.constantFrom('library', 'GPU chips', '__proto__', 'constructor', 'x'.repeat(300)),
  fc.constantFrom(0, -1, 1.5, 1e12, Number.MAX_SAFE_INTEGER, null, true, [], {}),
  fc.dictionary(fc.constantFrom('food', 'water', '', '__proto__'), fc.oneof(fc.nat(), fc.string())),
);
const KEYS = ['place', 'at', 'group', 'guide', 'start', 'vehicle', 'region', 'leave', 'loads'];
const MORE = ['component', 'supplier', 'facility', 'units', 'day'];
const row = fc.dictionary(fc.constantFrom(...KEYS, ...MORE), value, { maxKeys: 10 });
const list = fc.array(fc.oneof(row, value), { maxLength: 6 });
const answer = fc.record({
  visits: list,
  tours: list,
  trips: list,
  orders: list,
  runs: list,
  start: value,
  end: value,
  feasible: value,
  cost: value,
});

describe('answers to problems of suites', () => {
  it('are decoded, judged and repaired without an error, whatever a model writes', async () => {
    await fc.assert(
      fc.asyncProperty(answer, fc.string(), async (written, words) => {
        for (const problem of problems) {
          const { plan } = problem.decode(`${words}\n${JSON.stringify(written)}\n${words}`);
          if (plan === null) continue;
          const { valid, violations } = problem.judge(plan);
          expect(valid).toBe(violations.length === 0);
          const repaired = await problem.repair?.(plan);
          if (repaired != null) expect(problem.judge(repaired.plan).valid).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of random planners are judged, too', () => {
    for (const problem of problems) {
      for (let seed = 0; seed < 50; seed++) {
        const { valid, violations } = problem.judge(problem.random(seed));
        expect(valid).toBe(violations.length === 0);
      }
    }
  });
});
