import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSchedule, type Plan, planFromSchedule } from '../../../src/jssp/plan.js';
import { findMode, modeDuration } from '../../../src/jssp/shop-parts.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import {
  degradePlan,
  FAULT_CLASSES,
  type FaultClass,
} from '../../../src/pipeline/planners/degraded-planner.js';
import { createPlanner, isSyntheticPlanner } from '../../../src/pipeline/planners/planners.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { type ViolationCode, validate } from '../../../src/validator/index.js';
import { plainPlanner } from './plain-planner.js';

const instance = resolveSource('ft06').load();

async function planOf(spec: string, seed: number): Promise<Plan> {
  const candidate = await plainPlanner(spec).plan(instance, { seed });
  if (isSchedule(candidate)) throw new Error('a degraded plan is no schedule');
  return candidate;
}

describe('a degraded planner', () => {
  it.each([
    ['degraded:0.1', 'degraded:0.1'],
    ['degraded:.10:dispatch:best', 'degraded:0.1'],
    ['degraded:1:INSERTION', 'degraded:1:insertion'],
    ['degraded:0:dispatch:mwkr:active', 'degraded:0:dispatch:mwkr:active'],
  ])('has one name: %s', (spec, name) => {
    expect(createPlanner(spec).name).toBe(name);
    expect(isSyntheticPlanner(name)).toBe(true);
  });

  it('plans what the heuristic plans, but for its faults, which depend on the seed', async () => {
    const { makespan } = validate(instance, await planOf('degraded:0:insertion', 1));
    const heuristic = await plainPlanner('insertion').plan(instance, { seed: 1 });
    expect(makespan).toBe(validate(instance, heuristic).makespan);
    const faulty = await planOf('degraded:0.2', 1);
    expect(validate(instance, faulty).valid).toBe(false);
    expect(await planOf('degraded:0.2', 1)).toEqual(faulty);
    expect(await planOf('degraded:0.2', 2)).not.toEqual(faulty);
  });

  it.each([
    ['degraded:', "'' is no share"],
    ['degraded:1.5', "'1.5' is no share"],
    ['degraded:much:insertion', "'much' is no share"],
    ['degraded:0.1:file:x.json', "no heuristic 'file:x.json'"],
    ['degraded:0.1:dispatch:no-rule', 'no-rule'],
  ])('refuses %s', (spec, message) => {
    expect(() => createPlanner(spec)).toThrow(message);
  });
});

const la01 = resolveSource('la01').load();
const plan = planFromSchedule(dispatch(la01, { rule: 'mwkr', generation: 'non-delay' }));
const mk01 = resolveSource('mk01').load();
const planned = dispatch(mk01, { rule: 'mwkr', generation: 'non-delay' });
const flexible = planFromSchedule(planned);
/** The classes of faults that need alternative machines. */
const ofModes: readonly FaultClass[] = ['unmatched_duration', 'other_machine'];
const classic = FAULT_CLASSES.filter((name) => !ofModes.includes(name));
const rate = fc.double({ min: 0, max: 1, noNaN: true });

describe('degradePlan', () => {
  it('hits the share of the operations that it is told to, each once, and no other', () => {
    fc.assert(
      fc.property(rate, fc.nat(), (share, seed) => {
        const { plan: faulty, faults } = degradePlan(la01, plan, share, createRandom(seed));
        const expected = share === 0 ? 0 : Math.max(1, Math.round(share * la01.operations));
        expect(faults.size).toBe(expected);
        const intact = plan.entries.filter((_, op) => !faults.has(op));
        expect(faulty.entries.filter((entry) => plan.entries.includes(entry))).toEqual(
          expect.arrayContaining(intact),
        );
        expect(faulty.makespan).toBe(plan.makespan);
      }),
    );
  });

  it('leaves a plan as it is at rate 0, and nothing of it intact at rate 1', () => {
    expect(degradePlan(la01, plan, 0, createRandom(1)).plan).toEqual(plan);
    const { faults } = degradePlan(la01, plan, 1, createRandom(1));
    expect(new Set(faults.values())).toEqual(new Set(classic));
  });

  it('depends on the random numbers alone', () => {
    fc.assert(
      fc.property(rate, fc.nat(), (share, seed) => {
        const make = () => degradePlan(la01, plan, share, createRandom(seed)).plan;
        expect(make()).toEqual(make());
      }),
    );
  });

  const violations: Readonly<Record<FaultClass, readonly ViolationCode[]>> = {
    missing: ['missing_operation'],
    truncation: ['missing_operation'],
    wrong_duration: ['wrong_duration'],
    wrong_machine: ['wrong_machine'],
    precedence: ['job_precedence'],
    double_booking: ['machine_overlap'],
    // May do no harm, but to the makespan.
    shifted_start: [],
    duplicate: ['duplicate_operation'],
    unknown_id: ['unknown_job', 'unknown_step', 'unknown_machine'],
    // May do no harm if the other machine is as fast, or idle.
    unmatched_duration: [],
    other_machine: [],
  };

  const shops = [
    ['classic', la01, plan, classic],
    ['flexible', planned.instance, flexible, FAULT_CLASSES],
  ] as const;
  const drawn = shops.flatMap(([kind, shop, valid, names]) =>
    names.map((name) => ({ kind, shop, valid, name })),
  );

  it.each(drawn)('makes of $name what it says in a $kind shop', ({ shop, valid, name }) => {
    let seen = 0;
    for (let seed = 0; seed < 400; seed++) {
      // One operation has a fault, so that what is found comes of it.
      const { plan: faulty, faults } = degradePlan(shop, valid, 0.01, createRandom(seed));
      const op = [...faults].find(([, one]) => one === name)?.[0] ?? -1;
      // An operation that has its machine to itself cannot be double-booked there.
      const isAlone = shop.machine.filter((machine) => machine === shop.machine[op]).length < 2;
      if (op < 0 || (name === 'double_booking' && isAlone)) continue;
      seen++;
      const codes = validate(shop, faulty).violations.map(({ code }) => code);
      const expected = violations[name];
      if (expected.length > 0) expect(codes.some((code) => expected.includes(code))).toBe(true);
      expect(faulty.entries).not.toEqual(valid.entries);
    }
    expect(seen).toBeGreaterThan(10);
  });

  it('moves an operation to another machine that can do it, with or without its time there', () => {
    const made = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const { plan: faulty, faults } = degradePlan(mk01, flexible, 0.01, createRandom(seed));
      for (const [op, name] of faults) {
        if (!ofModes.includes(name)) continue;
        const [entry, before] = [faulty.entries[op], flexible.entries[op]];
        if (entry.machine === before.machine) continue;
        made.add(name);
        const mode = findMode(mk01, op, entry.machine);
        expect(mode).toBeGreaterThanOrEqual(0);
        const work =
          name === 'other_machine' ? modeDuration(mk01, mode) : before.end - before.start;
        expect(entry.end - entry.start).toBe(work);
      }
    }
    expect([...made].sort()).toEqual([...ofModes].sort());
  });

  it('cuts off the end, as an answer is cut off', () => {
    const { faults } = degradePlan(la01, plan, 0.5, createRandom(5));
    const cut = [...faults].flatMap(([op, name]) => (name === 'truncation' ? [op] : []));
    expect(cut.length).toBeGreaterThan(0);
    expect(cut).toEqual(cut.map((_, index) => la01.operations - cut.length + index));
  });
});
