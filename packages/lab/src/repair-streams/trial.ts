// One random stream: a shop, its plan, a policy, and what happens to it, repaired by an engine and without one.

import { AlasError, createRandom, type Random } from '@alas-jssp/core';
import type { EffectiveEvent, EventInput } from 'alas-jssp/disruption';
import { heldOperations, repairCost } from 'alas-jssp/internal/lab';
import { createInstance, type Instance, objectiveValue, type Schedule } from 'alas-jssp/jssp';
import {
  compensate,
  createRepairEngine,
  findMethod,
  measureRepair,
  policy,
  type RepairPolicy,
  type RepairResult,
  repair,
} from 'alas-jssp/lcrp';
import { dispatch } from 'alas-jssp/search';
import { type Floor, judge, openFloor, valuesOf } from './floor.js';

/** The outcome of a stream, with its story in words. */
export interface StreamTrial {
  repairs: number;
  refused: number;
  /** Repairs that reordered operations. */
  evaluated: number;
  kinds: string[];
  phases: string[];
  problems: string[];
  story: string[];
}

/** A repair, or the reason for which there is none. */
type Outcome = RepairResult | { refused: string };

/** Makes the stream of a seed and follows it to its end. */
export async function tryStream(seed: number): Promise<StreamTrial> {
  const random = createRandom(`repair-streams ${seed}`);
  const plan = makePlan(random);
  const rules = makePolicy(random, plan.instance);
  const engine = createRepairEngine(plan, rules, { tooLate: 'skip', seed });
  const floor = openFloor(plan.instance);
  const trial: StreamTrial = {
    repairs: 0,
    refused: 0,
    evaluated: 0,
    kinds: [],
    phases: [],
    problems: [],
    story: [],
  };
  trial.story.push(
    JSON.stringify({ rules, instance: asLists(plan.instance), plan: [...plan.start] }),
  );
  let now = 0;
  for (let instant = 1 + choose(random, 5); instant > 0; instant--) {
    now += choose(random, 3) === 0 ? 0 : choose(random, 25);
    const events = Array.from({ length: 1 + choose(random, 3) }, () =>
      makeEvent(random, engine.schedule.instance, now),
    );
    trial.story.push(JSON.stringify({ now, events }));
    const followed = engine.schedule;
    const result = await outcomeOf(() => engine.handle(events, now));
    // Pins of what was cancelled are refused where the shop is opened again.
    if (namesAll(rules, followed.instance)) {
      const disturbed = { schedule: followed, events, now };
      const again = await outcomeOf(() => repair(disturbed, rules, { seed, tooLate: 'skip' }));
      trial.problems.push(...compareRuns(result, again));
    }
    // Nothing is followed then.
    if ('refused' in result) {
      trial.refused++;
      continue;
    }
    const { schedule, applied } = result;
    trial.problems.push(...guesses(applied.events, rules, followed));
    trial.problems.push(...judge(floor, followed.start, applied.events, now, schedule.start));
    if (trial.problems.length === 0)
      trial.problems.push(...(await compareValues(result, floor, seed)));
    trial.repairs++;
    trial.evaluated += result.evaluations > 0 ? 1 : 0;
    trial.kinds.push(...applied.events.map(({ kind }) => kind));
    trial.phases.push(result.phase);
    if (trial.problems.length > 0) break;
  }
  return trial;
}

/** The result of a repair, or the message of the one error that is an answer: there is no schedule with so few edits. */
async function outcomeOf(work: () => Promise<RepairResult>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AlasError) || error.code !== 'too_few_edits') throw error;
    return { refused: error.message };
  }
}

/** What differs between the repair of the engine and the one without. */
function compareRuns(one: Outcome, other: Outcome) {
  if ('refused' in one || 'refused' in other) {
    const words = (outcome: Outcome) => ('refused' in outcome ? outcome.refused : 'repaired');
    return words(one) === words(other)
      ? []
      : [`${words(one)} by the engine, ${words(other)} by repair`];
  }
  const problems: string[] = [];
  if (!sameList(one.schedule.start, other.schedule.start))
    problems.push('engine and repair differ in starts');
  for (const key of ['phase', 'evaluations'] as const) {
    if (one[key] !== other[key])
      problems.push(`${key}: ${one[key]} by the engine, ${other[key]} by repair`);
  }
  if (!sameList(one.edits.operation, other.edits.operation)) problems.push('edits differ');
  return problems;
}

/** Unknown ends of breakdowns are estimated by the policy, or as 5 % of the makespan. */
function guesses(
  events: readonly EffectiveEvent[],
  { estimates }: RepairPolicy,
  { makespan }: Schedule,
) {
  const length = Math.max(1, estimates.breakdown ?? Math.ceil(0.05 * makespan));
  return events
    .filter((event) => event.kind === 'breakdown')
    .filter(({ estimated, from, to }) => estimated && to !== from + length)
    .map(({ from, to }) => `a breakdown is estimated from ${from} to ${to}`);
}

/**
 * Values as the floor has them; never worse than compensation, nor, if anything was hit and nothing is
 * limited, than dispatching.
 */
async function compareValues(result: RepairResult, floor: Floor, seed: number) {
  const { schedule, task, policy: rules } = result;
  const problems: string[] = [];
  const values = valuesOf(floor);
  const { objective } = rules;
  const value = objectiveValue(schedule, objective);
  if (values[objective] !== value) problems.push(`the value is ${values[objective]}, not ${value}`);
  const held = heldOperations(task, rules.limits);
  problems.push(...lossesOf(result, held));
  const plain = compensate(task);
  const isKept = [...held].every((op) => plain.start[op] === task.planned[op]);
  // What makes way for pins may cost more than right shifts that move them.
  const compensated = isKept ? plain : (result.compensated ?? plain);
  const unit = objectiveValue(compensated, objective);
  const cost = repairCost(task, schedule, rules, unit);
  const least = repairCost(task, compensated, rules, unit);
  const { mostEdited } = rules.limits;
  if (mostEdited !== null) {
    const edits = (one: Schedule) => measureRepair({ ...result, schedule: one }).edited_operations;
    if (edits(schedule) > mostEdited) problems.push(`${edits(schedule)} edits`);
    // Compensation may be beyond the limit, and no match for what is within it.
    if (edits(compensated) > mostEdited) return problems;
  }
  // By the tenth of a millionth: prices are added up in another order.
  if (cost > least + 1e-7 * (1 + unit)) problems.push(`costs ${cost}, compensation ${least}`);
  if (value > unit && meetsDeadlines(compensated)) problems.push(`${value}, compensation ${unit}`);
  if (task.affected.length === 0 || !competes(rules)) return problems;
  const dispatched = (await findMethod('dispatch').repair(task, rules, { seed })).schedule;
  if (!meetsDeadlines(dispatched)) return problems;
  const other = objectiveValue(dispatched, objective);
  if (!meetsDeadlines(schedule)) problems.push('misses a deadline that dispatching meets');
  else if (value > other) problems.push(`${value}, dispatching ${other}`);
  return problems;
}

/** Pins and operations of the horizon that move, and are not listed as lost; and the reverse. */
function lossesOf({ task, schedule, lostPins }: RepairResult, held: ReadonlySet<number>) {
  const moved = [...held].filter((op) => schedule.start[op] !== task.planned[op]);
  const listed = lostPins.map(({ operation }) => operation);
  const problems = moved.filter((op) => !listed.includes(op)).map((op) => `pin ${op} moves`);
  const undecided = lostPins.filter(({ reason }) => reason === 'not-found');
  if (listed.length !== moved.length) problems.push('pins are listed as lost that are kept');
  return [...problems, ...undecided.map(({ operation }) => `pin ${operation}: not decided`)];
}

/** Whether the policy leaves room for what dispatching makes. */
function competes({ limits, budget, radius, cost }: RepairPolicy) {
  const isFree = Object.values(limits).every(
    (limit) => limit === null || (Array.isArray(limit) && limit.length === 0),
  );
  const isCheap = cost.rankChange <= 0.0002 && cost.movedEarlier === 0;
  return isFree && isCheap && budget.passes > 0 && radius.most >= 100;
}

function meetsDeadlines({ instance: { jobs, jobOffset, deadline }, end }: Schedule) {
  if (deadline === null) return true;
  for (let job = 0; job < jobs; job++) {
    const last = jobOffset[job + 1] - 1;
    if (last >= jobOffset[job] && deadline[job] >= 0 && end[last] > deadline[job]) return false;
  }
  return true;
}

/** Two to seven jobs of up to six steps, some of no duration, that may come back to a machine. */
function makePlan(random: Random) {
  const machines = 1 + choose(random, 4);
  const jobs = Array.from({ length: 2 + choose(random, 6) }, () =>
    Array.from({ length: choose(random, 12) === 0 ? 0 : 1 + choose(random, 6) }, () => [
      choose(random, machines),
      choose(random, 7) === 0 ? 0 : 1 + choose(random, 20),
    ]),
  );
  const operations = jobs.flat();
  const sometimes = <Value>(share: number, make: () => Value) =>
    choose(random, share) === 0 ? make() : null;
  const jobOffset = new Int32Array(jobs.length + 1);
  jobs.forEach((job, j) => {
    jobOffset[j + 1] = jobOffset[j] + job.length;
  });
  const instance = createInstance({
    name: 'random',
    machines,
    jobOffset,
    machine: Int32Array.from(operations, ([machine]) => machine),
    duration: Int32Array.from(operations, ([, duration]) => duration),
    release: sometimes(3, () =>
      Int32Array.from(operations, () => Math.max(0, choose(random, 60) - 40)),
    ),
    due: sometimes(2, () => Int32Array.from(jobs, () => atLeast(choose(random, 120) - 20))),
    weight: sometimes(2, () => Int32Array.from(jobs, () => choose(random, 6))),
    deadline: sometimes(6, () => Int32Array.from(jobs, () => atLeast(choose(random, 300) - 60))),
  });
  return dispatch(instance, { rule: ['mwkr', 'spt', 'fifo'][choose(random, 3)] });
}

function atLeast(time: number) {
  return Math.max(-1, time);
}

/** Any policy whose results do not depend on the clock. */
function makePolicy(random: Random, { jobs, jobOffset, machines }: Instance) {
  const of = <Value>(...values: Value[]) => values[choose(random, values.length)];
  const first = of(10, 10, 1, 0);
  const withSteps = Array.from({ length: jobs }, (_, job) => job).filter(
    (job) => jobOffset[job] < jobOffset[job + 1],
  );
  const job = withSteps.length === 0 ? null : of(...withSteps);
  const pinned =
    job === null ? [] : [{ job, step: choose(random, jobOffset[job + 1] - jobOffset[job]) }];
  const isLimited = choose(random, 2) === 0;
  return policy(of('default', 'high-stability'), {
    objective: of('makespan', 'total-weighted-tardiness'),
    ...(choose(random, 2) === 0
      ? {}
      : { cost: { rankChange: of(0, 0.0001, 0.003, 0.05), movedEarlier: of(0, 0, 0.0005, 0.02) } }),
    radius: choose(random, 3) === 0 ? { first, most: first + of(0, 2, 100) } : {},
    target: of(1, 1, 0.5),
    tieBreak: of(true, false),
    estimates: { breakdown: of(null, 12) },
    budget: { passes: of(8, 8, 2, 0), evaluations: of(2000, 300) },
    fallback: of(null, null, null, { degradation: of(0, 0.05), iterations: 30 }),
    limits: isLimited
      ? {
          mostChanged: of(null, null, 3),
          mostEdited: of(null, null, 1, 4, 10),
          notBefore: of(null, null, 40),
          pinned: of([], pinned),
          untouchableMachines: of([], [choose(random, machines)]),
        }
      : {},
  });
}

function namesAll({ limits }: RepairPolicy, { jobOffset }: Instance) {
  return limits.pinned.every(({ job, step }) => step < jobOffset[job + 1] - jobOffset[job]);
}

/** An event about something that there is, or was; nothing of it lies before now. */
function makeEvent(
  random: Random,
  { jobs, jobOffset, machines }: Instance,
  now: number,
): EventInput {
  const later = now + (choose(random, 2) === 0 ? 0 : choose(random, 30));
  const machine = choose(random, machines);
  const job = choose(random, jobs);
  const steps = jobOffset[job + 1] - jobOffset[job];
  const step = steps === 0 ? 0 : choose(random, steps);
  const kinds: (() => EventInput)[] = [
    () => ({
      kind: 'breakdown',
      machine,
      from: later,
      resumable: choose(random, 2) === 0,
      ...until(random, later),
    }),
    () => ({ kind: 'restored', machine, at: now }),
    () => ({ kind: 'cancellation', job }),
    () => ({ kind: 'delay', job, until: later, ...(choose(random, 3) === 0 ? {} : { step }) }),
    () => ({
      kind: 'duration',
      job,
      step,
      ...(choose(random, 2) === 0
        ? { duration: choose(random, 30) }
        : { factor: (1 + choose(random, 30)) / 10 }),
    }),
    () => ({
      kind: 'arrival',
      job: {
        operations: Array.from({ length: 1 + choose(random, 5) }, () => ({
          machine: choose(random, machines),
          duration: choose(random, 6) === 0 ? 0 : 1 + choose(random, 20),
        })),
        release: later,
        ...(choose(random, 3) === 0
          ? {}
          : { due: now + choose(random, 80), weight: choose(random, 8) }),
      },
    }),
  ];
  return kinds[choose(random, kinds.length)]();
}

function until(random: Random, from: number) {
  return choose(random, 4) === 0 ? {} : { to: from + 1 + choose(random, 25) };
}

/** A whole number from 0 to one less than that many. */
function choose(random: Random, many: number) {
  return random.integer(0, many - 1);
}

function sameList(a: Int32Array, b: Int32Array) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function asLists(instance: Instance) {
  return JSON.parse(
    JSON.stringify(instance, (_, value) =>
      ArrayBuffer.isView(value) ? Array.from(value as Int32Array) : value,
    ),
  );
}
