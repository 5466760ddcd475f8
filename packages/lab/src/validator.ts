// Throughput of the validator, on one core. Usage: npm run bench -- validator [--json FILE]
import {
  createSchedule,
  generateTaillard,
  type Instance,
  machineSequences,
  planFromSchedule,
  semiActive,
} from 'alas-jssp/jssp';
import { createJudge, validate } from 'alas-jssp/validator';
import { measure, save } from './measure.js';

const rows = [];
for (const { jobs, machines, schedules, targets } of [
  { jobs: 100, machines: 20, schedules: 50, targets: { fresh: 15, close: 40 } },
  { jobs: 1000, machines: 1000, schedules: 4, targets: { fresh: 6, close: 10 } },
]) {
  const instance = generateTaillard({ jobs, machines, timeSeed: 1, machineSeed: 2 });
  const { operations } = instance;
  const random = randomIntegers(3);
  const fresh = Array.from({ length: schedules }, () => randomStarts(instance, random));
  const close = walk(instance, fresh[0], schedules, random);
  const broken = fresh.map((starts) => starts.with(random(operations), 0));
  const starts = fresh[0];
  const schedule = createSchedule(instance, starts);
  const plan = planFromSchedule(schedule);
  const at = (speed: number) => `≥ ${speed} M op/s`;
  const cases = [
    { name: 'copy of the starts (memory limit)', run: () => starts.slice() },
    {
      name: 'isFeasible, fresh schedules',
      target: at(targets.fresh),
      run: judgeInTurn(instance, fresh, 'isFeasible', true),
    },
    {
      name: 'isFeasible, close to the last one',
      target: at(targets.close),
      run: judgeInTurn(instance, close, 'isFeasible', true),
    },
    {
      name: 'countViolations, fresh schedules',
      run: judgeInTurn(instance, fresh, 'countViolations', 0),
    },
    {
      name: 'countViolations, close to the last one',
      run: judgeInTurn(instance, close, 'countViolations', 0),
    },
    {
      name: 'countViolations, one start broken',
      run: judgeInTurn(instance, broken, 'countViolations'),
    },
    { name: 'validate a schedule', run: () => validate(instance, schedule) },
    { name: 'validate a plan', run: () => validate(instance, plan) },
  ].map((one) => ({ ...one, operations }));
  rows.push(...(await measure(`${jobs}×${machines}`, cases)));
}
save(rows);

/** Judges the next schedule at every call, with a judge of its own, and insists on the verdict. */
function judgeInTurn(
  instance: Instance,
  schedules: readonly Int32Array[],
  method: 'isFeasible' | 'countViolations',
  verdict?: number | boolean,
) {
  const judge = createJudge(instance);
  let turn = 0;
  return () => {
    turn = (turn + 1) % schedules.length;
    const answer = judge[method](schedules[turn]);
    if (verdict !== undefined && answer !== verdict) throw new Error('the validator is wrong');
  };
}

/** Start times of a random schedule without needless waiting: the jobs advance in random turns. */
function randomStarts(
  { operations, jobs, jobOf, jobOffset, machine, duration, machines }: Instance,
  random: (limit: number) => number,
) {
  const turns = jobOf.slice();
  for (let i = operations - 1; i > 0; i--) {
    const k = random(i + 1);
    [turns[i], turns[k]] = [turns[k], turns[i]];
  }
  const next = jobOffset.slice();
  const jobReady = new Int32Array(jobs);
  const machineReady = new Int32Array(machines);
  const starts = new Int32Array(operations);
  for (const job of turns) {
    const op = next[job]++;
    const k = machine[op];
    starts[op] = Math.max(jobReady[job], machineReady[k]);
    jobReady[job] = machineReady[k] = starts[op] + duration[op];
  }
  return starts;
}

/** Schedules one after the other, each with five neighbours on machines of the last one swapped. */
function walk(
  instance: Instance,
  from: Int32Array,
  length: number,
  random: (limit: number) => number,
) {
  const schedules = [from];
  let last = from;
  while (schedules.length < length) {
    const sequences = machineSequences(createSchedule(instance, last));
    for (let swaps = 0; swaps < 5; swaps++) {
      const slot = random(instance.operations - 1);
      const [a, b] = sequences.subarray(slot, slot + 2);
      if (instance.machine[a] === instance.machine[b]) sequences.set([b, a], slot);
    }
    try {
      last = semiActive(instance, sequences).start;
      schedules.push(last);
    } catch {
      // The swaps made a cycle: try others.
    }
  }
  return schedules;
}

/** A generator of integers in [0, limit), from Lehmer's recurrence modulo 2^31 − 1. */
function randomIntegers(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state * 48271) % 2147483647;
    return Math.floor((state / 2147483647) * limit);
  };
}
