import { createRandom, type Random } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EventInput, injectEvents } from '../../src/disruption/index.js';
import { generateTaillard, withDueDates } from '../../src/jssp/generator.js';
import { type Objective, objectives, objectiveValue } from '../../src/jssp/objectives.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { findMethod } from '../../src/lcrp/baselines/find-method.js';
import { repair } from '../../src/lcrp/engine.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import { optimize } from '../../src/search/optimize.js';

/** Jobs and machines of the shops that the cases are made of. */
const SHOPS = [
  [6, 6],
  [8, 5],
  [10, 5],
  [12, 4],
] as const;
const REPLICATES = 3;

/** Iterations of the search for plans and for recomputes. */
const PLANNED = 2000;
const RECOMPUTED = 6000;

/** What happens to a plan at a time, by kind of case. */
type DrawEvents = (plan: Schedule, now: number, random: Random) => EventInput[];

const kinds: Readonly<Record<string, DrawEvents>> = {
  breakdown: ({ instance, makespan }, now, random) => {
    const machine = random.integer(0, instance.machines - 1);
    return [{ kind: 'breakdown', machine, from: now, to: now + Math.ceil(makespan / 10) }];
  },
  duration: (plan, now, random) =>
    someSoon(plan, now, random, 3).map((op) => ({
      kind: 'duration',
      ...stepOf(plan, op),
      factor: 1.5 + 1.5 * random.next(),
    })),
  arrival: (plan, now, random) => [
    { kind: 'arrival', job: { operations: copyOfJob(plan, random), release: now } },
  ],
  'arrival with a due date': (plan, now, random) => {
    const operations = copyOfJob(plan, random);
    const work = operations.reduce((sum, { duration }) => sum + duration, 0);
    const due = now + Math.floor(1.3 * work);
    return [{ kind: 'arrival', job: { operations, release: now, due, weight: 4 } }];
  },
  delay: (plan, now, random) =>
    someSoon(plan, now, random, 2).map((op) => ({
      kind: 'delay',
      ...stepOf(plan, op),
      until: plan.start[op] + Math.ceil(plan.makespan * (0.05 + 0.1 * random.next())),
    })),
  medium: (plan, now, random) => mixture(plan, now, random, 'medium'),
  heavy: (plan, now, random) => mixture(plan, now, random, 'heavy'),
};

/** One case: values of the methods, and whether anything was searched. */
interface Outcome {
  readonly planned: number;
  readonly shifted: number;
  readonly compensated: number;
  readonly dispatched: number;
  readonly repaired: number;
  readonly recomputed: number;
  readonly evaluations: number;
}

describe.each(objectives)('repairs for the %s', (objective) => {
  const plans: Schedule[] = [];
  beforeAll(async () => {
    for (const [jobs, machines] of SHOPS) {
      const plain = generateTaillard({ jobs, machines, timeSeed: jobs, machineSeed: machines });
      const instance = objective === 'makespan' ? plain : withDueDates(plain, 1.3);
      const budget = { iterations: PLANNED };
      plans.push((await optimize(instance, { budget, objective })).schedule);
    }
  }, 120_000);

  test.each(Object.keys(kinds))(
    'close most of the gap to a recompute: %s',
    async (kind) => {
      const outcomes: Outcome[] = [];
      for (const plan of plans) {
        for (let replicate = 0; replicate < REPLICATES; replicate++) {
          const seed = deriveSeed('gap', plan.instance.jobs, kind, objective, replicate);
          outcomes.push(await repairedCase(plan, kind, seed, objective));
        }
      }
      const sum = (key: keyof Outcome) => outcomes.reduce((total, one) => total + one[key], 0);
      for (const { repaired, compensated, dispatched } of outcomes) {
        expect(repaired).toBeLessThanOrEqual(Math.min(compensated, dispatched));
      }
      const gap = sum('shifted') - sum('recomputed');
      // New work that no job waits for costs right-shift nothing: there is no loss to be won back.
      const losesNothing = kind === 'arrival' && objective !== 'makespan';
      if (losesNothing) return;
      expect(gap).toBeGreaterThan(0);
      expect((sum('shifted') - sum('repaired')) / gap).toBeGreaterThanOrEqual(0.8);
      const open = outcomes.filter(
        ({ planned, compensated, recomputed }) => Math.max(planned, recomputed) < compensated,
      );
      const ran = open.filter(({ evaluations }) => evaluations > 0);
      expect(open.length).toBeGreaterThan(0);
      expect(ran.length / open.length).toBeGreaterThanOrEqual(0.75);
    },
    120_000,
  );
});

async function repairedCase(
  schedule: Schedule,
  kind: string,
  seed: number,
  objective: Objective,
): Promise<Outcome> {
  const { now, events } = happeningOf(schedule, kind, seed);
  const rules = policy({ objective });
  const recomputing = policy({ objective, fallback: { degradation: 0, iterations: RECOMPUTED } });
  const by = (name: string, policy = rules) => {
    const settings = { method: findMethod(name), seed: 1, tooLate: 'skip' } as const;
    return repair({ schedule, events, now }, policy, settings);
  };
  const value = async (name: string, policy = rules) =>
    objectiveValue((await by(name, policy)).schedule, objective);
  const ours = await by('lcrp');
  return {
    planned: objectiveValue(schedule, objective),
    shifted: await value('right-shift'),
    compensated: objectiveValue(ours.compensated as Schedule, objective),
    dispatched: await value('dispatch'),
    repaired: objectiveValue(ours.schedule, objective),
    recomputed: await value('recompute', recomputing),
    evaluations: ours.evaluations,
  };
}

/** The first of some random instants at which anything of the kind happens. */
function happeningOf(plan: Schedule, kind: string, seed: number) {
  const random = createRandom(seed);
  for (;;) {
    const now = Math.round(plan.makespan * (0.1 + 0.4 * random.next()));
    const events = kinds[kind](plan, now, random);
    if (events.length > 0) return { now, events };
  }
}

/** Some operations that are planned to start within a fifth of the makespan. */
function someSoon(
  { instance, start, makespan }: Schedule,
  now: number,
  random: Random,
  most: number,
): number[] {
  const isSoon = (op: number) => start[op] >= now && start[op] < now + makespan / 5;
  const soon = Array.from(start.keys()).filter((op) => isSoon(op) && instance.duration[op] > 0);
  return random.shuffle(soon).slice(0, most);
}

function stepOf({ instance }: Schedule, op: number) {
  const job = instance.jobOf[op];
  return { job, step: op - instance.jobOffset[job] };
}

function copyOfJob({ instance }: Schedule, random: Random) {
  const { jobs, jobOffset, machine, duration } = instance;
  const job = random.integer(0, jobs - 1);
  const length = jobOffset[job + 1] - jobOffset[job];
  return Array.from({ length }, (_, step) => ({
    machine: machine[jobOffset[job] + step],
    duration: duration[jobOffset[job] + step],
  }));
}

/** All that happens within a tenth of the makespan, known at once; nothing if that is less than two events. */
function mixture(
  { instance, makespan }: Schedule,
  now: number,
  random: Random,
  severity: 'medium' | 'heavy',
): EventInput[] {
  const seed = random.integer(0, 2 ** 31);
  const all = injectEvents({ instance, severity, seed, reference: makespan });
  const known = all.filter(({ at }) => at >= now && at <= now + makespan / 10);
  return known.length < 2 ? [] : known.map((event) => ({ ...event, at: now }));
}
