import { describe, expect, it } from 'vitest';
import { createRandom, deriveSeed, type Random } from '../../src/core/random.js';
import { type Calendar, type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSources } from '../../src/jssp/suites.js';
import { validate } from '../../src/validator/index.js';
import { faults } from './faults.js';
import { listSchedule } from './list-scheduler.js';
import { keyOf, oracle } from './oracle.js';

const FAULTS_PER_CLASS = 20;

const benchmarks = resolveSources('all');
const suites = [...new Set(benchmarks.map(({ suite }) => suite))];

/** A benchmark instance with every rule there is, and a valid plan for it. */
function equip(benchmark: Instance, random: Random): { instance: Instance; valid: Plan } {
  const release = benchmark.machine.map(() => Math.max(0, random.integer(-400, 100)));
  const busy = replaceInstance(benchmark, { release, calendar: someDowntimes(benchmark, random) });
  const schedule = createSchedule(busy, listSchedule(busy, random.shuffle(busy.jobOf.slice())));
  const now = schedule.makespan / 4;
  const instance = replaceInstance(busy, {
    frozen: schedule.start.map((start) => (start < now ? start : -1)),
    deadline: Int32Array.from({ length: busy.jobs }, (_, job) => {
      const slack = random.integer(-20, 50);
      return slack < 0 ? -1 : schedule.end[busy.jobOffset[job + 1] - 1] + slack;
    }),
  });
  return { instance, valid: planFromSchedule(schedule) };
}

/** Two downtimes on every other machine, the second one not resumable. */
function someDowntimes({ machines }: Instance, random: Random): Calendar {
  const first = Array.from({ length: Math.ceil(machines / 2) }, () => random.integer(0, 300));
  return {
    offset: Int32Array.from({ length: machines + 1 }, (_, k) => 2 * Math.ceil(k / 2)),
    from: Int32Array.from(first.flatMap((from) => [from, from + 100])),
    to: Int32Array.from(first.flatMap((from) => [from + 30, from + 140])),
    resumable: Uint8Array.from(first.flatMap(() => [1, 0])),
  };
}

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
