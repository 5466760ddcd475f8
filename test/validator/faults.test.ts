import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { describe, expect, it } from 'vitest';
import { resolveSources } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import { equip, faults } from '../plan-faults.js';
import { keyOf, oracle } from './oracle.js';

const FAULTS_PER_CLASS = 10;

const benchmarks = resolveSources('all');
const suites = [...new Set(benchmarks.map(({ suite }) => suite))];

describe.each(suites)('faults in schedules of %s', (suite) => {
  const sources = benchmarks.filter((source) => source.suite === suite);
  const equipped = new Map<number, ReturnType<typeof equip>>();
  const take = (index: number) => {
    const place = index % sources.length;
    const known = equipped.get(place);
    if (known !== undefined) return known;
    const random = createRandom(deriveSeed('equip', sources[place].name));
    const made = equip(sources[place].load(), random);
    equipped.set(place, made);
    return made;
  };

  it('start from plans that are valid', () => {
    for (const [index] of sources.entries()) {
      const { instance, valid } = take(index);
      expect(validate(instance, valid).violations).toEqual([]);
    }
  });

  it.each(Object.entries(faults))('%s: all found, none invented', (name, inject) => {
    const random = createRandom(deriveSeed('fault', suite, name));
    for (let i = 0; i < FAULTS_PER_CLASS; i++) {
      const { instance, valid } = take(Math.floor((i * sources.length) / FAULTS_PER_CLASS));
      const { plan, expected, bound } = inject(instance, valid, random);
      const found = validate(instance, plan, { bound }).violations.map(keyOf).sort();
      for (const key of expected) expect(found).toContain(key);
      expect(found).toEqual(oracle(instance, plan, bound));
    }
  });
});
