// Shops with every rule and plans with every fault at once, for the tests of the validator and of the plan repair. The
// faults are those of the study of validation; test/validator/oracle.ts names the violations that a fault must cause.
import type { Random } from '@alas-jssp/core/random';
import { planFaults } from '../src/harness/study/faults.js';
import { type Calendar, type Instance, replaceInstance } from '../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../src/jssp/plan.js';
import { createSchedule } from '../src/jssp/schedule.js';
import { dispatch } from '../src/search/construct/dispatch.js';

export const faults = planFaults;

/** What would lose entries comes last: the others find an operation at its own place. */
const lastFaults = ['duplicate operation', 'missing operation', 'wrong makespan'];

/** Puts a fault of every class into one plan. */
export function everyFault(instance: Instance, valid: Plan, random: Random): Plan {
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
 */
export function equip(benchmark: Instance, random: Random): { instance: Instance; valid: Plan } {
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
