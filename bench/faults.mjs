// @ts-check
// Faults in plans, one of each class: for the tests of the validator and the plan repair, and for
// the proof of the latter (plan-repair.mjs). What a fault must cause is named as the oracle of
// test/validator/oracle.ts names it.
import {
  completionTime,
  createSchedule,
  MAX_TIME,
  planFromSchedule,
  replaceInstance,
} from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';

/**
 * @typedef {import('../src/jssp/instance.js').Instance} Instance
 * @typedef {import('../src/jssp/instance.js').Calendar} Calendar
 * @typedef {import('../src/jssp/plan.js').Plan} Plan
 * @typedef {import('../src/jssp/plan.js').PlanEntry} PlanEntry
 * @typedef {import('../src/core/random.js').Random} Random
 */

/**
 * A plan with a fault in it, and the oracle's keys of the violations that the fault must cause.
 *
 * @typedef {object} FaultyPlan
 * @property {Plan} plan
 * @property {string[]} expected
 * @property {import('../src/jssp/index.js').ProvenBound} [bound]
 */

/**
 * Puts one fault into a valid plan that has one entry per operation, in order.
 *
 * @typedef {(instance: Instance, valid: Plan, random: Random) => FaultyPlan} Fault
 */

/**
 * Every class of fault, by name. Faults that move an operation claim its true end.
 *
 * @type {Readonly<Record<string, Fault>>}
 */
export const faults = {
  'precedence swap': (instance, valid, random) => {
    const { jobOf, duration } = instance;
    const op = pick(
      random,
      instance,
      (op) => op > 0 && jobOf[op] === jobOf[op - 1] && duration[op - 1] > 0,
    );
    const [first, second] = [valid.entries[op - 1].start, valid.entries[op].start];
    return {
      plan: move(instance, valid, { [op - 1]: second, [op]: first }),
      expected: [`job_precedence ${op} ${op - 1}`],
    };
  },

  'machine double-booking': (instance, valid, random) => {
    const [a, b] = crowd(instance, random, 2);
    return {
      plan: move(instance, valid, { [a]: valid.entries[b].start }),
      expected: [overlap(a, b)],
    };
  },

  'capacity overflow': (instance, valid, random) => {
    const operations = crowd(instance, random, 4);
    const { start } = valid.entries[operations[0]];
    const pairs = operations.flatMap((a, i) => operations.slice(i + 1).map((b) => overlap(a, b)));
    return {
      plan: move(instance, valid, Object.fromEntries(operations.map((op) => [op, start]))),
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
    return { plan: move(instance, valid, { [op]: late }), expected: [`deadline ${op}`] };
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
    const op = pick(random, instance);
    const machine = (instance.machine[op] + 1) % instance.machines;
    return { plan: change(valid, op, { machine }), expected: [`wrong_machine ${op}`] };
  },

  'wrong duration': (instance, valid, random) => {
    const op = pick(random, instance);
    const end = valid.entries[op].end + random.integer(1, 9);
    return { plan: change(valid, op, { end }), expected: [`wrong_duration ${op}`] };
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
    return { plan: move(instance, valid, { [op]: MAX_TIME }), expected: [`absurd_time ${op} end`] };
  },

  'start before release': (instance, valid, random) => {
    const release = instance.release ?? [];
    const op = pick(random, instance, (op) => release[op] > 0 && isFree(instance, op));
    return { plan: move(instance, valid, { [op]: release[op] - 1 }), expected: [`release ${op}`] };
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
    return { plan: move(instance, valid, { [op]: start }), expected: [`downtime ${op}`] };
  },

  'frozen start moved': (instance, valid, random) => {
    const op = pick(random, instance, (op) => !isFree(instance, op));
    const start = valid.entries[op].start + random.integer(1, 5);
    return { plan: move(instance, valid, { [op]: start }), expected: [`frozen_moved ${op}`] };
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
      plan: change(valid, op, { job: instance.jobs }),
      expected: [`unknown_job ${op}`, `missing_operation ${op}`],
    };
  },

  'unknown step': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: change(valid, op, { step: -1 }),
      expected: [`unknown_step ${op}`, `missing_operation ${op}`],
    };
  },

  'unknown machine': (instance, valid, random) => {
    const op = pick(random, instance);
    return {
      plan: change(valid, op, { machine: instance.machines }),
      expected: [`unknown_machine ${op}`],
    };
  },
};

/** What would lose entries comes last: the others find an operation at its own place. */
const lastFaults = ['duplicate operation', 'missing operation', 'wrong makespan'];

/**
 * Puts a fault of every class into one plan.
 *
 * @param {Instance} instance
 * @param {Plan} valid
 * @param {Random} random
 * @returns {Plan}
 */
export function everyFault(instance, valid, random) {
  const names = Object.keys(faults).filter((name) => !lastFaults.includes(name));
  const inTurn = random.shuffle([...names.keys()]).map((i) => names[i]);
  return [...inTurn, ...lastFaults].reduce(
    (plan, name) => faults[name](instance, plan, random).plan,
    valid,
  );
}

/**
 * A benchmark instance with every rule there is, about a quarter of it in the past, and a valid
 * plan for it.
 *
 * @param {Instance} benchmark
 * @param {Random} random
 * @returns {{ instance: Instance, valid: Plan }}
 */
export function equip(benchmark, random) {
  const release = benchmark.machine.map(() => Math.max(0, random.integer(-400, 100)));
  const busy = replaceInstance(benchmark, { release, calendar: someDowntimes(benchmark, random) });
  const { start } = dispatch(busy, { rule: 'random', seed: random.integer(0, 1e9) });
  const schedule = createSchedule(busy, start);
  const now = Math.ceil(schedule.makespan / 4);
  const instance = replaceInstance(busy, {
    // What has not started cannot start in the past.
    release: release.map((time, op) => (schedule.start[op] < now ? time : Math.max(time, now))),
    frozen: schedule.start.map((time) => (time < now ? time : -1)),
    deadline: Int32Array.from({ length: busy.jobs }, (_, job) => {
      const percent = random.integer(-20, 50);
      const slack = Math.round((percent * schedule.makespan) / 100);
      return slack < 0 ? -1 : schedule.end[busy.jobOffset[job + 1] - 1] + slack;
    }),
  });
  return { instance, valid: planFromSchedule(schedule) };
}

/**
 * Two downtimes on every other machine, the second one not resumable.
 *
 * @param {Instance} instance
 * @param {Random} random
 * @returns {Calendar}
 */
function someDowntimes({ machines }, random) {
  const first = Array.from({ length: Math.ceil(machines / 2) }, () => random.integer(0, 300));
  return {
    offset: Int32Array.from({ length: machines + 1 }, (_, k) => 2 * Math.ceil(k / 2)),
    from: Int32Array.from(first.flatMap((from) => [from, from + 100])),
    to: Int32Array.from(first.flatMap((from) => [from + 30, from + 140])),
    resumable: Uint8Array.from(first.flatMap(() => [1, 0])),
  };
}

/**
 * @param {'start' | 'end'} field
 * @param {string} code
 * @param {readonly number[]} values
 * @returns {Fault}
 */
function badTime(field, code, values) {
  return (instance, valid, random) => {
    const op = pick(random, instance);
    const value = values[random.integer(0, values.length - 1)];
    return { plan: change(valid, op, { [field]: value }), expected: [`${code} ${op} ${field}`] };
  };
}

/**
 * A plan without its makespan, which may no longer be what the entries come to.
 *
 * @param {Plan} plan
 * @param {number} op
 * @param {Partial<PlanEntry>} changes
 * @returns {Plan}
 */
function change(plan, op, changes) {
  return {
    entries: plan.entries.map((entry, index) => (index === op ? { ...entry, ...changes } : entry)),
  };
}

/**
 * @param {Instance} instance
 * @param {Plan} plan
 * @param {Readonly<Record<number, number>>} starts
 * @returns {Plan}
 */
function move(instance, plan, starts) {
  return Object.entries(starts).reduce(
    (moved, [op, start]) =>
      change(moved, Number(op), { start, end: completionTime(instance, Number(op), start) }),
    plan,
  );
}

/**
 * Operations of positive duration that share a machine.
 *
 * @param {Instance} instance
 * @param {Random} random
 * @param {number} count
 */
function crowd(instance, random, count) {
  const { machine, duration } = instance;
  const one = pick(random, instance, (op) => duration[op] > 0);
  const others = [...machine.keys()].filter(
    (op) => op !== one && machine[op] === machine[one] && duration[op] > 0,
  );
  return [one, ...random.shuffle(others).slice(0, count - 1)];
}

/**
 * @param {number} a
 * @param {number} b
 */
function overlap(a, b) {
  return `machine_overlap ${Math.min(a, b)} ${Math.max(a, b)}`;
}

/**
 * @param {Instance} instance
 * @param {number} op
 */
function isFree({ frozen }, op) {
  return frozen === null || frozen[op] < 0;
}

/**
 * @param {Random} random
 * @param {Instance} instance
 * @param {(op: number) => boolean} suits
 */
function pick(random, instance, suits = () => true) {
  const candidates = [...instance.machine.keys()].filter(suits);
  if (candidates.length === 0) throw new Error('the instance has no place for this fault');
  return candidates[random.integer(0, candidates.length - 1)];
}
