import { AlasError } from '@alas-jssp/core/errors';
import type { Random } from '@alas-jssp/core/random';
import type { ProvenBound } from '../../jssp/bounds.js';
import { completionTime } from '../../jssp/calendar.js';
import { type Instance, isFree, MAX_TIME } from '../../jssp/instance.js';
import type { Plan, PlanEntry } from '../../jssp/plan.js';
import { findMode } from '../../jssp/shop-parts.js';

/** A plan with a fault in it. */
export interface FaultyPlan {
  readonly plan: Plan;
  /** Violations that the fault must cause: their kinds and operations. */
  readonly expected: readonly string[];
  /** The bound that the fault contradicts. */
  readonly bound?: ProvenBound;
}

/**
 * Puts one fault into a valid plan that has one entry per operation, in order.
 *
 * @throws AlasError `no_place` if the instance has no place for it, such as no deadline to miss
 */
export type PlanFault = (instance: Instance, valid: Plan, random: Random) => FaultyPlan;

/** Classes of faults in plans by name. Faults that move an operation claim its true end. */
export const planFaults: Readonly<Record<string, PlanFault>> = {
  'precedence swap': (instance, valid, random) => {
    const { jobOf, duration } = instance;
    const op = pick(
      random,
      instance,
      (op) =>
        op > 0 &&
        jobOf[op] === jobOf[op - 1] &&
        duration[op - 1] > 0 &&
        followsDirectly(instance, op),
    );
    const [first, second] = [valid.entries[op - 1].start, valid.entries[op].start];
    return {
      plan: moveStarts(instance, valid, { [op - 1]: second, [op]: first }),
      expected: [`job_precedence ${op} ${op - 1}`],
    };
  },

  'machine double-booking': (instance, valid, random) => {
    const [a, b] = crowd(instance, random, 2);
    return {
      plan: moveStarts(instance, valid, { [a]: valid.entries[b].start }),
      expected: [overlap(a, b)],
    };
  },

  'capacity overflow': (instance, valid, random) => {
    const operations = crowd(instance, random, 4);
    const { start } = valid.entries[operations[0]];
    const pairs = operations.flatMap((a, i) => operations.slice(i + 1).map((b) => overlap(a, b)));
    return {
      plan: moveStarts(instance, valid, Object.fromEntries(operations.map((op) => [op, start]))),
      expected: pairs,
    };
  },

  'deadline miss': (instance, valid, random) => {
    const { jobOf, deadline } = instance;
    const op = pick(
      random,
      instance,
      (op) => jobOf[op] !== jobOf[op + 1] && (deadline?.[jobOf[op]] ?? -1) >= 0,
    );
    const late = (deadline?.[jobOf[op]] ?? 0) + random.integer(1, 9);
    return { plan: moveStarts(instance, valid, { [op]: late }), expected: [`deadline ${op}`] };
  },

  'missing operation': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: { entries: valid.entries.filter((_, index) => index !== op) },
      expected: [`missing_operation ${op}`],
    };
  },

  'duplicate operation': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: { ...valid, entries: [...valid.entries, valid.entries[op]] },
      expected: [`duplicate_operation ${op} ${valid.entries.length}`],
    };
  },

  'wrong machine': (instance, valid, random) => {
    const cannot = (op: number, machine: number) => findMode(instance, op, machine) < 0;
    const op = pick(random, instance, (op) =>
      [...Array(instance.machines).keys()].some((machine) => cannot(op, machine)),
    );
    let machine = instance.machine[op];
    do machine = (machine + 1) % instance.machines;
    while (!cannot(op, machine));
    return {
      plan: changeEntry(valid, op, { machine, mode: undefined }),
      expected: [`wrong_machine ${op}`],
    };
  },

  'wrong duration': (instance, valid, random) => {
    const op = pick(random, instance);
    const end = valid.entries[op].end + random.integer(1, 9);
    return { plan: changeEntry(valid, op, { end }), expected: [`wrong_duration ${op}`] };
  },

  'negative start': badTime('start', 'negative_time', [-1, -17]),
  'negative end': badTime('end', 'negative_time', [-1, -17]),
  'fractional start': badTime('start', 'fractional_time', [0.5, 7.25, -0.5]),
  'fractional end': badTime('end', 'fractional_time', [0.5, 7.25, -0.5]),
  'absurd start': badTime('start', 'absurd_time', [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    MAX_TIME + 1,
  ]),
  'absurd end': badTime('end', 'absurd_time', [Number.NaN, Number.NEGATIVE_INFINITY, 1e300]),

  'end beyond all time': (instance, valid, random) => {
    const op = pick(random, instance, (op) => instance.duration[op] > 0);
    return {
      plan: moveStarts(instance, valid, { [op]: MAX_TIME }),
      expected: [`absurd_time ${op} end`],
    };
  },

  'start before release': (instance, valid, random) => {
    const release = instance.release ?? [];
    const op = pick(random, instance, (op) => release[op] > 0 && isFree(instance, op));
    return {
      plan: moveStarts(instance, valid, { [op]: release[op] - 1 }),
      expected: [`release ${op}`],
    };
  },

  'work in a downtime': (instance, valid, random) => {
    const { calendar, machine, duration } = instance;
    const offset = calendar?.offset ?? [];
    const op = pick(
      random,
      instance,
      (op) =>
        offset[machine[op]] < offset[machine[op] + 1] && duration[op] > 0 && isFree(instance, op),
    );
    const start = calendar?.from[offset[machine[op]]] ?? 0;
    return { plan: moveStarts(instance, valid, { [op]: start }), expected: [`downtime ${op}`] };
  },

  'frozen start moved': (instance, valid, random) => {
    const op = pick(random, instance, (op) => !isFree(instance, op));
    const start = valid.entries[op].start + random.integer(1, 5);
    return { plan: moveStarts(instance, valid, { [op]: start }), expected: [`frozen_moved ${op}`] };
  },

  'wrong makespan': (_instance, valid, random) => ({
    plan: { ...valid, makespan: (valid.makespan ?? 0) + random.integer(1, 9) },
    expected: ['wrong_makespan'],
  }),

  'makespan below a bound': (_instance, valid, random) => ({
    plan: valid,
    expected: ['below_lower_bound computed'],
    bound: { value: (valid.makespan ?? 0) + random.integer(1, 9), source: 'a paper' },
  }),

  'unknown job': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: changeEntry(valid, op, { job: instance.jobs }),
      expected: [`unknown_job ${op}`, `missing_operation ${op}`],
    };
  },

  'unknown step': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: changeEntry(valid, op, { step: -1 }),
      expected: [`unknown_step ${op}`, `missing_operation ${op}`],
    };
  },

  'unknown machine': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: changeEntry(valid, op, { machine: instance.machines }),
      expected: [`unknown_machine ${op}`],
    };
  },
};

/** Whether an operation must wait for the one before it in its job. */
function followsDirectly({ precedence }: Instance, op: number): boolean {
  if (precedence === null) return true;
  const { offset, pred } = precedence;
  return pred.subarray(offset[op], offset[op + 1]).includes(op - 1);
}

function badTime(field: 'start' | 'end', code: string, values: readonly number[]): PlanFault {
  return (instance, valid, random) => {
    const op = pick(random, instance);
    const value = values[random.integer(0, values.length - 1)];
    return {
      plan: changeEntry(valid, op, { [field]: value }),
      expected: [`${code} ${op} ${field}`],
    };
  };
}

/** A plan without its makespan, which the change may invalidate. */
export function changeEntry(plan: Plan, op: number, changes: Partial<PlanEntry>): Plan {
  return {
    entries: plan.entries.map((entry, index) => (index === op ? { ...entry, ...changes } : entry)),
  };
}

/** The plan with other starts; the ends are those of the instance. */
export function moveStarts(
  instance: Instance,
  plan: Plan,
  starts: Readonly<Record<number, number>>,
): Plan {
  return Object.entries(starts).reduce(
    (moved, [op, start]) =>
      changeEntry(moved, Number(op), { start, end: completionTime(instance, Number(op), start) }),
    plan,
  );
}

/** At least two operations of positive duration that share a machine. */
function crowd(instance: Instance, random: Random, count: number): number[] {
  const { machine, duration, machines } = instance;
  const busy = [...machine.keys()].filter((op) => duration[op] > 0);
  const load = new Int32Array(machines);
  for (const op of busy) load[machine[op]]++;
  const one = pick(random, instance, (op) => duration[op] > 0 && load[machine[op]] > 1);
  const others = busy.filter((op) => op !== one && machine[op] === machine[one]);
  return [one, ...random.shuffle(others).slice(0, count - 1)];
}

function overlap(a: number, b: number): string {
  return `machine_overlap ${Math.min(a, b)} ${Math.max(a, b)}`;
}

/**
 * A random operation with a property.
 *
 * @throws AlasError `no_place` if there is none
 */
export function pick(
  random: Random,
  instance: Instance,
  suits: (op: number) => boolean = () => true,
): number {
  const candidates = [...instance.machine.keys()].filter(suits);
  if (candidates.length > 0) return candidates[random.integer(0, candidates.length - 1)];
  throw new AlasError('no_place', 'the instance has no place for this fault', instance.name);
}
