import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import type { Plan } from '../../src/jssp/plan.js';
import { findCulprits } from '../../src/validator/groups.js';
import { validate } from '../../src/validator/index.js';
import { arbitraryCase, arbitraryPlan } from './arbitraries.js';

const instance = instanceFromJobs('chain', [
  [
    [0, 5],
    [1, 5],
    [2, 5],
  ],
  [
    [1, 5],
    [0, 5],
    [2, 5],
  ],
]);

/** A plan that lists for each operation [start, end] and, where it lies about it, the machine. */
function plan(...times: readonly (readonly [number, number, number?])[]): Plan {
  const entries = times.map(([start, end, machine], op) => ({
    job: instance.jobOf[op],
    step: op - instance.jobOffset[instance.jobOf[op]],
    machine: machine ?? instance.machine[op],
    start,
    end,
  }));
  return { entries };
}

const outline = (candidate: Plan, of = instance) =>
  validate(of, candidate).groups.map(({ root, cascades, op }) => ({
    root: root.code,
    cascades: cascades.map(({ code }) => code),
    op,
  }));

describe('groups', () => {
  it('hold every listed violation exactly once', () => {
    const judgement = arbitraryCase.chain(({ instance, starts }) =>
      fc.tuple(fc.constant(instance), arbitraryPlan(instance, starts), fc.nat(60)),
    );
    fc.assert(
      fc.property(judgement, ([instance, candidate, limit]) => {
        const { groups, violations } = validate(instance, candidate, { limit });
        const grouped = groups.flatMap(({ root, cascades }) => [root, ...cascades]);
        expect(grouped).toHaveLength(violations.length);
        expect(new Set(grouped)).toEqual(new Set(violations));
        const order = groups.map(({ root }) => violations.indexOf(root));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  it('trace conflicts to a duration that was claimed too short', () => {
    // Step 1 of job 1 is said to take 3 instead of 5; its follower and the next on its machine
    // start when it is said to end.
    const candidate = plan([5, 8], [8, 13], [13, 18], [0, 5], [8, 13], [18, 23]);
    expect(outline(candidate)).toEqual([
      { root: 'wrong_duration', cascades: ['job_precedence', 'machine_overlap'], op: 0 },
    ]);
  });

  it('trace an overlap to the machine that was claimed instead', () => {
    const candidate = plan([5, 10], [10, 15], [15, 20], [0, 5], [5, 10, 2], [10, 15]);
    expect(outline(candidate)).toEqual([
      { root: 'wrong_machine', cascades: ['machine_overlap'], op: 4 },
    ]);
  });

  it('trace conflicts to a frozen operation that was moved', () => {
    const frozen = replaceInstance(instance, {
      frozen: Int32Array.from([-1, -1, -1, 0, -1, -1]),
    });
    const candidate = plan([0, 5], [5, 10], [10, 15], [3, 8], [5, 10], [15, 20]);
    expect(outline(candidate, frozen)).toEqual([
      { root: 'frozen_moved', cascades: ['job_precedence', 'machine_overlap'], op: 3 },
    ]);
  });

  it('attribute unexplained conflicts to the operation in most of them', () => {
    const candidate = plan([0, 5], [2, 7], [7, 12], [0, 5], [5, 10], [15, 20]);
    const { groups } = validate(instance, candidate);
    expect(groups).toHaveLength(1);
    expect(groups[0].op).toBe(1);
    expect(groups[0].cascades.map(({ code }) => code)).toEqual(['machine_overlap']);
    expect(groups[0].explanation).toMatch(/^job 1, step 2 is at the heart of 2 violations: /);
  });

  it('do not blame a claim for conflicts that would remain if it were true', () => {
    const candidate = plan([0, 4], [2, 7], [7, 12], [10, 15], [15, 20], [20, 25]);
    expect(outline(candidate)).toEqual([
      { root: 'wrong_duration', cascades: [], op: 0 },
      { root: 'job_precedence', cascades: [], op: 0 },
    ]);
  });

  it('treat a makespan that follows from a wrong end as its consequence', () => {
    const candidate = plan([0, 5], [5, 10], [10, 15], [0, 5], [5, 10], [20, 23]);
    expect(outline({ ...candidate, makespan: 23 })).toEqual([
      { root: 'wrong_duration', cascades: ['wrong_makespan'], op: 5 },
    ]);
    expect(outline({ ...candidate, makespan: 99 })).toEqual([
      { root: 'wrong_makespan', cascades: [], op: undefined },
      { root: 'wrong_duration', cascades: [], op: 5 },
    ]);
  });

  it('contain all missing operations together, and all entries for unknown items', () => {
    const [first, second] = plan([0, 5], [5, 10]).entries;
    const strangers = [first, second, { ...second, step: 9 }].map((entry, i) => ({
      ...entry,
      job: i < 2 ? 7 : 0,
    }));
    const { groups } = validate(instance, { entries: [first, ...strangers] });
    expect(
      groups.map(({ root, cascades, explanation }) => [root.code, cascades.length, explanation]),
    ).toEqual([
      ['unknown_job', 1, '2 entries are for jobs that do not exist, the first is entry 2'],
      ['unknown_step', 0, 'entry 4 is for step 10 of job 1, which has 3'],
      ['missing_operation', 4, '5 operations are missing, the first is job 1, step 2'],
    ]);
    const some = validate(instance, { entries: [], makespan: 3 }, { limit: 3 });
    expect(some.groups.map(({ explanation }) => explanation)).toEqual([
      '6 operations are missing, the first is job 1, step 1; 1 more follows from it',
    ]);
  });

  it('treat a makespan below its bound as the consequence of its cause', () => {
    const everythingAtOnce = plan([0, 5], [0, 5], [0, 5], [0, 5], [0, 5], [0, 5]);
    const groups = outline({ ...everythingAtOnce, makespan: 5 });
    expect(groups.flatMap(({ cascades }) => cascades)).toContain('below_lower_bound');
    expect(groups.map(({ root }) => root)).not.toContain('below_lower_bound');
  });
});

/** The greedy rule word by word: look at all operations again for every culprit. */
function slowCulprits(conflicts: readonly (readonly number[])[], starts: Int32Array) {
  const left = new Set(conflicts.keys());
  const culprits: { op: number; conflicts: number[] }[] = [];
  while (left.size > 0) {
    const of = (op: number) => [...left].filter((index) => conflicts[index].includes(op));
    const [op] = [...starts.keys()].sort(
      (a, b) => of(b).length - of(a).length || starts[a] - starts[b] || a - b,
    );
    const taken = of(op);
    for (const index of taken) left.delete(index);
    culprits.push({ op, conflicts: taken });
  }
  return culprits;
}

it('attributes conflicts to the most involved operation, then the next', () => {
  const conflict = fc.oneof(
    fc.tuple(fc.nat(9)),
    fc.tuple(fc.nat(9), fc.nat(9)).filter(([a, b]) => a !== b),
  );
  const starts = fc.array(fc.nat(3), { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(fc.array(conflict, { maxLength: 25 }), starts, (conflicts, times) => {
      const start = Int32Array.from(times);
      expect(findCulprits(conflicts, start)).toEqual(slowCulprits(conflicts, start));
    }),
  );
});
