import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createInstance,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../../src/jssp/instance.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import {
  dispatch,
  dispatchBest,
  FULL_BEST_OPERATIONS,
  type Generation,
} from '../../../src/search/construct/dispatch.js';
import type { Rule } from '../../../src/search/construct/rules/rule.js';
import { rules } from '../../../src/search/construct/rules.js';
import { arbitraryExecution } from '../arbitrary-execution.js';
import { earlierStarts, faults } from '../oracle.js';
import { generateByDefinition, keyByDefinition } from '../reference-dispatch.js';

const generations: readonly Generation[] = ['non-delay', 'active'];

function usableRules({ due }: Instance): readonly Rule[] {
  return rules.filter((rule) => due !== null || !rule.needsDueDates);
}

function randomInstance(jobs: number, steps: number, machines: number): Instance {
  const random = createRandom(`${jobs} ${steps} ${machines}`);
  const operations = Int32Array.from({ length: jobs * steps });
  return createInstance({
    name: 'large',
    machines,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * steps),
    machine: operations.map(() => random.integer(0, machines - 1)),
    duration: operations.map(() => random.integer(0, 99)),
    due: Int32Array.from({ length: jobs }, () =>
      random.integer(-1, (jobs * steps * 60) / machines),
    ),
  });
}

describe.each(generations)('every rule in %s generation', (generation) => {
  test('makes feasible schedules of instances with all features', () => {
    fc.assert(
      fc.property(arbitraryExecution({ dueDates: true, downtimes: true }), (instance) => {
        for (const rule of usableRules(instance)) {
          const { start } = dispatch(instance, { rule, generation });
          expect(faults(instance, start)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('leaves no room for an earlier start, as the kind of schedule promises', () => {
    const room = generation === 'active' ? 'whole' : 'now';
    fc.assert(
      fc.property(arbitraryExecution({ dueDates: true, downtimes: true }), (instance) => {
        for (const rule of usableRules(instance)) {
          const { start } = dispatch(instance, { rule, generation });
          expect(earlierStarts(instance, start, room)).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test.each(rules.map((rule) => rule.name))('%s decides as its definition says', (name) => {
    const rule = rules.find((one) => one.name === name) ?? rules[0];
    const { needsDueDates } = rule;
    fc.assert(
      fc.property(
        arbitraryExecution({ dueDates: needsDueDates, downtimes: true }),
        fc.nat(),
        (instance, seed) => {
          fc.pre(!needsDueDates || instance.due !== null);
          const priority = rule.prioritize(instance, seed);
          const drawn = priority.kind === 'fixed' ? priority.key : new Float64Array();
          const key =
            name === 'random' ? (op: number) => drawn[op] : keyByDefinition(instance, name);
          expect(dispatch(instance, { rule, generation, seed }).start).toEqual(
            generateByDefinition(instance, generation, key),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('CR decides as its definition says in long queues', () => {
    const instance = randomInstance(120, 6, 3);
    expect(dispatch(instance, { rule: 'CR', generation }).start).toEqual(
      generateByDefinition(instance, generation, keyByDefinition(instance, 'CR')),
    );
  });

  test('schedules 90,000 operations and very long queues and jobs', () => {
    for (const instance of [
      randomInstance(300, 300, 300),
      randomInstance(20_000, 4, 4),
      randomInstance(4, 20_000, 4),
    ]) {
      const rule = generation === 'active' ? 'MWKR' : 'CR';
      expect(faults(instance, dispatch(instance, { rule, generation }).start)).toEqual([]);
    }
  });
});

describe('on ft06', () => {
  const ft06 = resolveSource('ft06').load();
  test.each([
    ['SPT', 'non-delay', 88],
    ['SPT', 'active', 94],
    ['MWKR', 'non-delay', 61],
    ['MWKR', 'active', 67],
  ] as const)(
    '%s %s gives what following its definition step by step gives',
    (rule, generation, makespan) => {
      const start = generateByDefinition(ft06, generation, keyByDefinition(ft06, rule));
      const schedule = dispatch(ft06, { rule, generation });
      expect(schedule.start).toEqual(start);
      expect(schedule.makespan).toBe(makespan);
    },
  );
});

test('EST makes the same schedule in both generations', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), (instance) => {
      const start = generateByDefinition(instance, 'active', keyByDefinition(instance, 'EST'));
      expect(dispatch(instance, { rule: 'EST' }).start).toEqual(start);
    }),
  );
});

test('operations of zero duration neither wait for a machine nor hold it', () => {
  const instance = instanceFromJobs('zero', [
    [
      [0, 0],
      [0, 4],
      [1, 0],
    ],
    [[0, 5]],
    [[0, 0]],
    [],
  ]);
  for (const generation of generations) {
    const { start } = dispatch(instance, { rule: 'LPT', generation });
    expect([...start]).toEqual([0, 5, 9, 0, 0]);
  }
});

test('free operations follow the frozen ones of their machine, even where a gap is wide enough', () => {
  const free = instanceFromJobs('frozen', [[[0, 2]], [[0, 3]]]);
  const instance = replaceInstance(free, { frozen: Int32Array.of(10, -1) });
  for (const generation of generations) {
    expect([...dispatch(instance, { rule: 'SPT', generation }).start]).toEqual([10, 12]);
  }
});

test('a frozen operation after a free one in its job is refused', () => {
  const free = instanceFromJobs('odd', [
    [
      [0, 2],
      [1, 3],
    ],
  ]);
  const instance = replaceInstance(free, { frozen: Int32Array.of(-1, 5) });
  for (const generation of generations) {
    expect(() => dispatch(instance, { rule: 'SPT', generation })).toThrow(
      'job 1, step 2 of odd is frozen but the operation before it is free',
    );
  }
});

test('equal seeds give equal random schedules, other seeds other ones', () => {
  const instance = randomInstance(10, 10, 5);
  for (const generation of generations) {
    const make = (seed: number) => dispatch(instance, { rule: 'random', generation, seed }).start;
    expect(make(7)).toEqual(make(7));
    expect(make(7)).not.toEqual(make(8));
  }
});

describe('dispatchBest', () => {
  test('is as good as every rule in both generations, and says which one won', () => {
    fc.assert(
      fc.property(arbitraryExecution({ dueDates: true }), (instance) => {
        const best = dispatchBest(instance, 3, 'makespan');
        for (const rule of usableRules(instance).filter(({ name }) => name !== 'random')) {
          for (const generation of generations) {
            const { makespan } = dispatch(instance, { rule, generation });
            expect(best.schedule.makespan).toBeLessThanOrEqual(makespan);
          }
        }
        if (best.rule.name !== 'random') {
          expect(best.schedule).toEqual(dispatch(instance, best));
        }
        expect(dispatchBest(instance, 3, 'makespan')).toEqual(best);
      }),
      { numRuns: 50 },
    );
  });

  test('names the first of equals', () => {
    const { rule, generation } = dispatchBest(instanceFromJobs('one', [[[0, 1]]]));
    expect([rule.name, generation]).toEqual(['SPT', 'non-delay']);
  });

  test('keeps to three rules where instances are huge', () => {
    const instance = randomInstance(FULL_BEST_OPERATIONS / 100 + 1, 100, 100);
    const makespans = ['MWKR', 'MOPNR', 'FDD/MWKR'].map(
      (rule) => dispatch(instance, { rule }).makespan,
    );
    expect(dispatchBest(instance).schedule.makespan).toBe(Math.min(...makespans));
  });
});
