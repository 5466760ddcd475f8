// One random stream of events in a shop with every feature, repaired and judged by a floor of its own account.
import { AlasError, createRandom, type Random } from '@alas-jssp/core';
import type { EventInput } from 'alas-jssp/disruption';
import { assignModes, createSchedule, objectiveValue, type Schedule } from 'alas-jssp/jssp';
import { createRepairEngine, policy, type RepairPolicy, type RepairResult } from 'alas-jssp/lcrp';
import type { CpSat } from './cp-sat.js';
import { instanceOf, modeNumbers } from './instances.js';
import { judgePlain, plainMakespan, plainTardiness } from './plain-judge.js';
import { buildPlan } from './random-plan.js';
import { featuresOf, randomShop, SIZES } from './random-shop.js';
import type { PlainShop } from './shop.js';
import { advance, judgeFloor, openShopFloor, planOn, type ShopFloor } from './shop-floor.js';

/** The result of a stream: names of what to count, faults, and the story to repeat it by. */
export interface RepairTrial {
  counts: string[];
  problems: string[];
  story: string[];
}

/** Makes the stream of a seed, follows it to its end, and judges each repair. */
export async function tryRepairs(seed: number, cpSat: CpSat): Promise<RepairTrial> {
  const trial: RepairTrial = { counts: [], problems: [], story: [] };
  try {
    await follow(seed, cpSat, trial);
  } catch (error) {
    trial.problems.push(String((error as Error).stack ?? error));
  }
  return trial;
}

async function follow(seed: number, cpSat: CpSat, trial: RepairTrial) {
  const random = createRandom(`flexible-repairs ${seed}`);
  const { shop, schedule } = makeShop(random);
  const rules = makePolicy(random);
  const engine = createRepairEngine(schedule, rules, { tooLate: 'skip', seed });
  const floor = openShopFloor(shop);
  trial.story.push(JSON.stringify({ rules, shop, plan: [...schedule.start] }));
  let now = 0;
  for (let instant = random.integer(1, 3); instant > 0; instant--) {
    now += random.integer(0, 12);
    const followed = engine.schedule;
    const events = Array.from({ length: random.integer(1, 2) }, () =>
      makeEvent(random, floor.shop, now),
    );
    trial.story.push(JSON.stringify({ now, events }));
    let result: RepairResult;
    try {
      result = await engine.handle(events, now);
    } catch (error) {
      trial.counts.push(`refused: ${error instanceof AlasError ? error.code : 'error'}`);
      trial.problems.push(...judgeRefusal(error));
      return;
    }
    trial.counts.push('repairs', `phase ${result.phase}`);
    trial.counts.push(...result.applied.events.map(({ kind }) => `event ${kind}`));
    trial.problems.push(...advance(floor, followed, result.applied.events, now));
    trial.problems.push(...(await judgeRepair(floor, result, cpSat, trial.counts)));
    if (trial.problems.length > 0) {
      trial.story.push(
        JSON.stringify({ floor: floor.shop, repaired: planOn(floor, result.schedule) }),
      );
      return;
    }
  }
}

/** A shop with at most one mode of an operation on each machine, and a plan without faults. */
function makeShop(random: Random): { shop: PlainShop; schedule: Schedule } {
  for (;;) {
    const seed = random.integer(0, 1e9);
    const features = featuresOf(seed);
    features.delete('deadlines');
    const size = random.next() < 0.5 ? SIZES.tiny : SIZES.small;
    const shop = withOneModeEach(randomShop(seed, features, size));
    const plan = buildPlan(shop, random);
    if (plan === null || shop.operations.length === 0) continue;
    const instance = instanceOf(shop);
    const modes = modeNumbers(shop, plan.mode);
    const assigned = instance.modes === null ? instance : assignModes(instance, modes);
    const start = Int32Array.from(plan.start, (time) => time ?? -1);
    return { shop, schedule: createSchedule(assigned, start) };
  }
}

function withOneModeEach(shop: PlainShop): PlainShop {
  const operations = shop.operations.map((one) => {
    const modes = one.modes.filter(
      ({ machine }, i) => one.modes.findIndex((mode) => mode.machine === machine) === i,
    );
    return { ...one, modes, chosen: 0 };
  });
  return { ...shop, operations };
}

function makePolicy(random: Random): RepairPolicy {
  const of = <Item>(...items: Item[]) => items[random.integer(0, items.length - 1)];
  return policy(random.next() < 0.5 ? 'default' : 'high-stability', {
    objective: of('makespan', 'total-weighted-tardiness'),
    fallback: of(null, null, { degradation: of(0, 0.05), iterations: 30 }),
  });
}

/** An event about something that there is; nothing of it lies before now. */
function makeEvent(random: Random, shop: PlainShop, now: number): EventInput {
  const of = <Item>(items: readonly Item[]) => items[random.integer(0, items.length - 1)];
  const later = now + (random.next() < 0.5 ? 0 : random.integer(0, 10));
  const machine = random.integer(0, shop.machines - 1);
  const jobs = shop.jobs.map((_, job) => shop.operations.filter((one) => one.job === job));
  const job = random.integer(0, jobs.length - 1);
  const step = random.integer(0, Math.max(0, jobs[job].length - 1));
  const duration = random.integer(1, 12);
  const span = { from: later, to: later + random.integer(1, 12) };
  const isOpen = random.next() < 0.2;
  const kinds: (() => EventInput)[] = [
    () => ({
      kind: 'breakdown',
      machine,
      resumable: random.next() < 0.5,
      ...(isOpen ? { from: later } : span),
    }),
    () => ({ kind: 'restored', machine, at: now }),
    () => ({ kind: 'cancellation', job }),
    () => ({ kind: 'delay', job, until: later }),
    () => ({ kind: 'arrival', job: arrivingJob(random, shop, later) }),
  ];
  if (jobs[job].length > 0) {
    const known = jobs[job][step];
    const positive = known.modes.every((mode) => mode.duration > 0);
    const change = random.next() < 0.5 ? { factor: random.integer(1, 30) / 10 } : { duration };
    if (positive) kinds.push(() => ({ kind: 'duration', job, step, ...change }));
    kinds.push(() => ({ kind: 'alternative', job, step, machine, duration }));
    const on = of(known.modes).machine;
    if (positive) kinds.push(() => ({ kind: 'duration', job, step, machine: on, duration }));
  }
  if (shop.resources.length > 0) {
    const resource = random.integer(0, shop.resources.length - 1);
    const amount = random.integer(0, shop.resources[resource].capacity);
    kinds.push(() => ({ kind: 'capacity', resource, amount, ...span }));
  }
  return of(kinds)();
}

function arrivingJob(random: Random, { machines, setups, jobs }: PlainShop, release: number) {
  const families = setups.find((one) => one !== null)?.first.length;
  const mode = () => ({
    machine: random.integer(0, machines - 1),
    duration: random.integer(1, 9),
  });
  return {
    release,
    ...(jobs.some(({ due }) => due !== null) ? { due: release + random.integer(5, 40) } : {}),
    operations: Array.from({ length: random.integer(1, 3) }, () => {
      const first = mode();
      const others = [mode(), mode()].filter(
        ({ machine }, i, all) =>
          machine !== first.machine && all.findIndex((one) => one.machine === machine) === i,
      );
      return {
        ...first,
        ...(random.next() < 0.5 && others.length > 0 ? { alternatives: others } : {}),
        ...(families === undefined ? {} : { family: random.integer(0, families - 1) }),
      };
    }),
  };
}

async function judgeRepair(
  floor: ShopFloor,
  { schedule, policy: rules, edits, before }: RepairResult,
  cpSat: CpSat,
  counts: string[],
): Promise<string[]> {
  const faults = judgeFloor(floor, schedule);
  const plan = planOn(floor, schedule);
  if (faults.length > 0) {
    if (await isPossible(floor, cpSat)) return [`faults: ${faults.join(', ')}`];
    counts.push('without any schedule');
    return [];
  }
  const own =
    rules.objective === 'makespan'
      ? plainMakespan(floor.shop, plan)
      : plainTardiness(floor.shop, plan);
  const value = objectiveValue(schedule, rules.objective);
  if (own !== value) return [`the value is ${own}, not ${value}`];
  const edited = new Set(edits.operation);
  const moved = plan.start.flatMap((start, op) => (start !== before.start[op] ? [op] : []));
  return moved.filter((op) => !edited.has(op)).map((op) => `operation ${op} moves, not listed`);
}

/** A refusal is an answer only where there is no schedule, or none that was found. */
function judgeRefusal(error: unknown): string[] {
  if (!(error instanceof AlasError)) return [String((error as Error).stack ?? error)];
  return error.code === 'no_feasible_schedule' ? [] : [`${error.code}: ${error.message}`];
}

/** Whether there is a schedule without faults for what the floor knows. */
async function isPossible({ shop }: ShopFloor, cpSat: CpSat): Promise<boolean> {
  const task = { shop, objective: 'makespan', seconds: 30, threads: 1 } as const;
  const { status, start, mode } = await cpSat.solve(task);
  if (start !== null && mode !== null && judgePlain(shop, { start, mode }).length > 0) {
    throw new Error('CP-SAT has a plan with faults');
  }
  return status !== 'infeasible';
}
