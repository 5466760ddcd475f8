import { createRandom } from '@alas-jssp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateGroups, readGroups } from '../../../src/realm/groups/read-groups.js';
import type { RealmProblem } from '../../../src/realm/problems/realm-problem.js';

/** An instance as the file states it. */
interface Stated {
  readonly instance_id: string;
  readonly visitor_groups: readonly {
    readonly group_id: string;
    readonly size: number;
    readonly preferred_time: number;
    readonly arrival_time: number;
  }[];
  readonly tour_guides: readonly {
    readonly guide_id: string;
    readonly availability: readonly [number, number];
    readonly max_group_size: number;
  }[];
  readonly tour_duration: number;
  readonly max_group_size: number;
}

/** The least price of all guides and all starts on a grid of half hours, or null: nothing but the rules. */
function bestPlan(stated: Stated): number | null {
  const { visitor_groups: groups, tour_guides: guides, tour_duration: minutes } = stated;
  let best: number | null = null;
  const chosen: { guide: number; start: number }[] = [];
  const visit = (waits: number): void => {
    if (best !== null && waits >= best) return;
    if (chosen.length === groups.length) {
      const counts = guides.map((_, at) => chosen.filter(({ guide }) => guide === at).length);
      const cost = waits + minutes * (Math.max(...counts) - Math.min(...counts));
      if (best === null || cost < best) best = cost;
      return;
    }
    const group = groups[chosen.length];
    const wanted = 60 * Math.max(group.preferred_time, group.arrival_time);
    for (const [at, { availability, max_group_size }] of guides.entries()) {
      if (group.size > max_group_size || group.size > stated.max_group_size) continue;
      for (let start = 0; start <= 1440; start += 30) {
        const isOpen = start >= 60 * availability[0] && start + minutes <= 60 * availability[1];
        const isFree = chosen.every(
          (one) => one.guide !== at || Math.abs(one.start - start) >= minutes,
        );
        if (!isOpen || !isFree || start < 60 * group.arrival_time) continue;
        chosen.push({ guide: at, start });
        visit(waits + Math.abs(start - wanted));
        chosen.pop();
      }
    }
  };
  visit(0);
  return best;
}

function stated(seed: number): Stated {
  const random = createRandom(seed);
  return {
    instance_id: `groups-${seed}`,
    visitor_groups: Array.from({ length: random.integer(1, 4) }, (_, at) => ({
      group_id: `g${at}`,
      size: random.integer(5, 12),
      preferred_time: random.integer(9, 12),
      arrival_time: random.integer(8, 12),
    })),
    tour_guides: Array.from({ length: random.integer(1, 2) }, (_, at) => ({
      guide_id: `h${at}`,
      availability: [random.integer(8, 10), random.integer(12, 17)],
      max_group_size: random.integer(8, 15),
    })),
    tour_duration: 90,
    max_group_size: 11,
  };
}

function problemOf(value: unknown): RealmProblem {
  const { problem, refused } = readGroups(value, undefined);
  if (problem === null) throw new Error(JSON.stringify(refused));
  return problem;
}

describe('tours of several groups (P2)', () => {
  it('cost as much as the best of all guides and half hours, or have no plan if there is none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const instance = stated(seed);
        const problem = problemOf(instance);
        const found = await problem.search();
        const best = bestPlan(instance);
        expect(found.cost).toBe(best);
        if (best === null) return;
        expect(problem.judge(found.plan)).toEqual({ valid: true, violations: [], cost: best });
      }),
      { numRuns: 60 },
    );
  });

  it('are repaired with no change to a valid plan, and with one group changed if one is missing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), fc.nat(1000), async (seed, other) => {
        const problem = problemOf(generateGroups('one', seed));
        const found = await problem.search();
        if (found.plan === null) return;
        const { tours } = found.plan as { tours: unknown[] };
        expect(await problem.repair?.(found.plan)).toMatchObject({ edits: 0, cost: found.cost });
        expect(await problem.repair?.({ tours: tours.slice(1) })).toMatchObject({ edits: 1 });
        const repaired = await problem.repair?.(problem.random(other));
        expect(problem.judge(repaired?.plan)).toMatchObject({ valid: true, cost: repaired?.cost });
      }),
      { numRuns: 25 },
    );
  });

  it('break the rule that a changed plan breaks', () => {
    const problem = problemOf({
      ...stated(1),
      visitor_groups: [
        { group_id: 'a', size: 5, preferred_time: 10, arrival_time: 9 },
        { group_id: 'b', size: 14, preferred_time: 10, arrival_time: 9 },
      ],
      tour_guides: [{ guide_id: 'ann', availability: [9, 15], max_group_size: 10 }],
      max_group_size: 15,
    });
    const codes = (tours: unknown[]) => problem.judge({ tours }).violations.map(({ code }) => code);
    const tour = (group: string, start: string, guide = 'ann') => ({ group, guide, start });
    expect(codes([tour('a', '09:00')])).toEqual(['missing_group']);
    expect(codes([tour('a', '10:00'), tour('a', '11:00'), tour('b', '08:30')])).toEqual([
      'repeated_group',
      'not_there',
      'not_available',
      'too_many_people',
      'overlap',
    ]);
    expect(
      codes([tour('c', '10:00', 'zoe')]).filter((code) => code === 'unknown_name'),
    ).toHaveLength(2);
  });
});
