// Throughput of the validator, on one core. Usage: npm run bench -- validator [--json FILE]
import {
  assignModes,
  createSchedule,
  generateTaillard,
  type Instance,
  machineSequences,
  planFromSchedule,
  replaceInstance,
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
  rows.push(...(await measureFlexible(instance, schedules)));
}
save(rows);

/** The same with modes: each operation may take place on five machines. */
async function measureFlexible(classic: Instance, count: number) {
  const random = randomIntegers(4);
  const instance = addModes(classic, 5, random);
  const { operations } = instance;
  const fresh = Array.from({ length: count }, () =>
    dispatchInModes(instance, randomModes(instance, random), randomTurns(instance, random)),
  );
  const close = flexibleWalk(instance, count, random);
  const one = fresh[0];
  const schedule = createSchedule(assignModes(instance, one.modes), one.starts);
  const plan = planFromSchedule(schedule);
  const judgeModes = (schedules: readonly Timed[], method: 'isFeasible' | 'countViolations') => {
    const judge = createJudge(instance);
    let turn = 0;
    return () => {
      turn = (turn + 1) % schedules.length;
      const { starts, modes } = schedules[turn];
      if (Number(judge[method](starts, modes)) !== (method === 'isFeasible' ? 1 : 0)) {
        throw new Error('the validator is wrong');
      }
    };
  };
  const cases = [
    { name: 'isFeasible, fresh schedules', run: judgeModes(fresh, 'isFeasible') },
    { name: 'isFeasible, close to the last one', run: judgeModes(close, 'isFeasible') },
    { name: 'countViolations, fresh schedules', run: judgeModes(fresh, 'countViolations') },
    {
      name: 'countViolations, close to the last one',
      run: judgeModes(close, 'countViolations'),
    },
    { name: 'validate a schedule', run: () => validate(instance, schedule) },
    { name: 'validate a plan', run: () => validate(instance, plan) },
  ].map((one) => ({ ...one, operations }));
  return measure(`${classic.jobs}×${classic.machines}, five modes`, cases);
}

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

/** Start times and modes. */
interface Timed {
  readonly starts: Int32Array;
  readonly modes: Int32Array;
}

/** The instance with modes on other machines, of similar durations. */
function addModes(instance: Instance, count: number, random: (limit: number) => number): Instance {
  const { operations, machines } = instance;
  const offset = Int32Array.from({ length: operations + 1 }, (_, op) => op * count);
  const machine = new Int32Array(operations * count);
  const duration = new Int32Array(operations * count);
  for (let mode = 0; mode < machine.length; mode++) {
    const op = Math.floor(mode / count);
    machine[mode] = (instance.machine[op] + (mode % count)) % machines;
    const longer = mode % count === 0 ? 0 : random(9);
    duration[mode] = instance.duration[op] + longer;
  }
  return replaceInstance(instance, {
    modes: { offset, machine, duration, chosen: offset.slice(0, operations) },
  });
}

function randomModes({ modes, operations }: Instance, random: (limit: number) => number) {
  const { offset } = modes as NonNullable<Instance['modes']>;
  return Int32Array.from({ length: operations }, (_, op) => offset[op] + random(5));
}

function dispatchInModes(instance: Instance, modes: Int32Array, turns: Int32Array): Timed {
  return { modes, starts: startsInTurn(assignModes(instance, modes), turns) };
}

/** Schedules one after the other, each with five turns swapped and five operations on other machines. */
function flexibleWalk(
  instance: Instance,
  length: number,
  random: (limit: number) => number,
): Timed[] {
  const turns = randomTurns(instance, random);
  const modes = randomModes(instance, random);
  const { offset } = instance.modes as NonNullable<Instance['modes']>;
  return Array.from({ length }, () => {
    for (let change = 0; change < 5; change++) {
      const slot = random(instance.operations - 1);
      turns.set([turns[slot + 1], turns[slot]], slot);
      const op = random(instance.operations);
      modes[op] = offset[op] + random(5);
    }
    return dispatchInModes(instance, modes.slice(), turns);
  });
}

/** Start times of a random schedule without needless waiting: the jobs advance in random turns. */
function randomStarts(instance: Instance, random: (limit: number) => number) {
  return startsInTurn(instance, randomTurns(instance, random));
}

/** The job of each operation, in random order. */
function randomTurns({ operations, jobOf }: Instance, random: (limit: number) => number) {
  const turns = jobOf.slice();
  for (let i = operations - 1; i > 0; i--) {
    const k = random(i + 1);
    [turns[i], turns[k]] = [turns[k], turns[i]];
  }
  return turns;
}

function startsInTurn(
  { operations, jobs, jobOffset, machine, duration, machines }: Instance,
  turns: Int32Array,
) {
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
