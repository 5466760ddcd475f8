// The cases of `npm run bench -- repair`: a plan of an instance, and what happens to it at one instant.

import { AlasError, createRandom, deriveSeed, type Random } from '@alas-jssp/core';
import { type EventInput, injectEvents, type Severity } from 'alas-jssp/disruption';
import {
  createSchedule,
  type Objective,
  resolveSource,
  type Schedule,
  withDueDates,
} from 'alas-jssp/jssp';
import {
  compensate,
  type DisturbedShop,
  defaultPolicy,
  policy,
  type RepairTask,
  repair,
  type Status,
  updateStatus,
} from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { kept, withinProcessorTime } from './kept.js';

/** Ten of the smaller and ten of the larger classic instances; none of them set the policies. */
const SAMPLE =
  'abz7,yn1,swv01,swv06,swv11,ta05,ta11,ta21,ta31,ta35,ta41,ta51,dmu01,dmu06,dmu11,dmu16,dmu21,dmu41,dmu46,dmu56';

/** Twenty others that set none either, from 100 to 2,000 operations. */
const OTHERS =
  'ft10,la19,orb03,abz5,abz9,yn3,swv04,swv09,swv15,ta07,ta16,ta26,ta37,ta45,ta58,ta65,ta71,dmu09,dmu28,dmu62';

/** The instances that the numbers of the policies were set on. */
const TUNING =
  'la21,la24,la27,la29,la31,la36,la38,la40,swv02,swv03,ta01,ta03,ta12,ta22,dmu02,dmu22';

const QUICK = 'abz7,swv06,ta21,ta41,dmu21,la19';

/** Lists of instances by name. */
export const instanceLists: Record<string, string> = {
  all: `${SAMPLE},${OTHERS}`,
  sample: SAMPLE,
  others: OTHERS,
  tuning: TUNING,
  quick: QUICK,
};

export const OBJECTIVES: Objective[] = ['makespan', 'total-weighted-tardiness'];

/** Jobs are due after so many times their work, as in the literature on weighted tardiness. */
const TIGHTNESS = 1.3;

export interface CaseKey {
  name: string;
  kind: string;
  objective: Objective;
  replicate: number;
}

/** A plan, what happens to it at one instant, and the task of its repair. */
export interface RepairCase extends CaseKey, DisturbedShop {
  task: RepairTask;
}

/** A plan that a shop follows; after a breakdown also the time of it and the machine that is down. */
interface FollowedPlan extends Schedule {
  now?: number;
  broken?: number;
}

type MakeEvents = (plan: FollowedPlan, random: Random, now: number) => EventInput[];

/** Kinds of cases; each makes events for a plan, from a source of random numbers and a time. */
const kinds: Record<string, MakeEvents> = {
  breakdown: (plan: FollowedPlan, random: Random, now: number) => [
    breakdown(plan, random, now, 0.05),
  ],
  duration: (plan: FollowedPlan, random: Random, now: number) =>
    someSoon(plan, random, now, 4).map((op: number) => ({
      kind: 'duration',
      ...stepOf(plan, op),
      factor: 1.5 + 1.5 * random.next(),
    })),
  arrival: (plan: FollowedPlan, random: Random, now: number) => [
    { kind: 'arrival', job: arriving(plan, random, now) },
  ],
  'arrival-due': (plan: FollowedPlan, random: Random, now: number) => {
    const job = arriving(plan, random, now);
    const work = job.operations.reduce((sum, { duration }) => sum + duration, 0);
    return [
      { kind: 'arrival', job: { ...job, due: now + Math.floor(TIGHTNESS * work), weight: 4 } },
    ];
  },
  cancellation: ({ instance }: Schedule, random: Random) => [
    { kind: 'cancellation', job: random.integer(0, instance.jobs - 1) },
  ],
  delay: (plan: FollowedPlan, random: Random, now: number) =>
    someSoon(plan, random, now, 2).map((op: number) => ({
      kind: 'delay',
      ...stepOf(plan, op),
      until: plan.start[op] + Math.ceil(plan.makespan * (0.03 + 0.07 * random.next())),
    })),
  restored: (plan: FollowedPlan, _random: Random, now: number) => [
    { kind: 'restored', machine: plan.broken ?? 0, at: now },
  ],
  light: (plan: FollowedPlan, random: Random, now: number) => mixture(plan, random, now, 'light'),
  medium: (plan: FollowedPlan, random: Random, now: number) => mixture(plan, random, now, 'medium'),
  heavy: (plan: FollowedPlan, random: Random, now: number) => mixture(plan, random, now, 'heavy'),
};

export const KINDS = Object.keys(kinds);

const MIXTURES = ['light', 'medium', 'heavy'];

/** Kinds in which right-shift loses nothing. */
const GAINS = ['cancellation', 'restored'];

/** Whether right-shift loses nothing in a case: what a repair gains there is reported, without a recompute. */
export function isGain({ kind, objective }: CaseKey) {
  return GAINS.includes(kind) || (kind === 'arrival' && objective !== 'makespan');
}

/** One case: what a shop follows, and what happens. Equal plans give equal cases. */
export async function makeCase(
  { name, kind, objective, replicate }: CaseKey,
  directory: string,
): Promise<RepairCase> {
  const planned = await planOf(name, objective, directory);
  // With and without a due date it is the same job that arrives.
  const drawn = kind === 'arrival-due' ? 'arrival' : kind;
  const seed = deriveSeed('repair-bench', name, objective, drawn, replicate);
  const plan: FollowedPlan =
    kind === 'restored'
      ? await brokenPlan(planned, { name, objective, replicate }, directory)
      : planned;
  for (let attempt = 0; attempt < 1000; attempt++) {
    const random = createRandom(deriveSeed(seed, attempt));
    const now =
      plan.now === undefined
        ? Math.round(plan.makespan * (0.1 + 0.5 * random.next()))
        : plan.now + Math.max(1, Math.round(plan.makespan * (0.01 + 0.03 * random.next())));
    const events = kinds[kind](plan, random, now);
    const schedule = createSchedule(plan.instance, plan.start);
    const found = hits({ schedule, events, now });
    const isEnough = !MIXTURES.includes(kind) || (found?.events.length ?? 0) > 1;
    if (found !== null && isEnough) return { name, kind, objective, replicate, schedule, ...found };
  }
  throw new Error(`${name}, ${kind}: no event hits anything`);
}

/** The case and its task, if the events have an effect on what is free; else null. */
function hits({
  schedule,
  events,
  now,
}: DisturbedShop): Omit<RepairCase, keyof CaseKey | 'schedule'> | null {
  if (events.length === 0) return null;
  let status: Status;
  try {
    status = updateStatus({ schedule, events, now }, { tooLate: 'skip' });
  } catch (error) {
    if (!(error instanceof AlasError) || error.code !== 'before_now') throw error;
    return null;
  }
  const { task, applied } = status;
  if (applied.events.length === 0 || task.affected.length === 0) return null;
  const isSure = applied.events.every(({ kind }) => GAINS.includes(kind));
  const moves = () => compensate(task).start.some((start, op) => start !== task.planned[op]);
  return isSure || moves() ? { events: [...applied.events], now, task } : null;
}

/** A machine that is down from now on, for a share of the makespan. */
function breakdown({ instance, makespan }: Schedule, random: Random, now: number, share: number) {
  const machine = random.integer(0, instance.machines - 1);
  const resumable = random.next() < 0.8;
  return {
    kind: 'breakdown' as const,
    machine,
    from: now,
    to: now + Math.round(share * makespan),
    resumable,
  };
}

/** Some operations that are planned to start within a tenth of the makespan. */
function someSoon(
  { instance, start, makespan }: Schedule,
  random: Random,
  now: number,
  most: number,
) {
  const soon = Array.from(start.keys()).filter(
    (op) => start[op] >= now && start[op] < now + 0.1 * makespan && instance.duration[op] > 0,
  );
  return random.shuffle(soon).slice(0, most);
}

function stepOf({ instance }: Schedule, op: number) {
  const job = instance.jobOf[op];
  return { job, step: op - instance.jobOffset[job] };
}

/** A job like one of the instance, which can be begun now. */
function arriving({ instance }: Schedule, random: Random, now: number) {
  const { jobs, jobOffset, machine, duration } = instance;
  const model = random.integer(0, jobs - 1);
  const operations = [];
  for (let op = jobOffset[model]; op < jobOffset[model + 1]; op++) {
    operations.push({ machine: machine[op], duration: duration[op] });
  }
  return { name: 'rush', operations, release: now };
}

/** All that happens within 5 % of the makespan after some event, as if it were known at once. */
function mixture(
  { instance, makespan }: Schedule,
  random: Random,
  now: number,
  severity: Severity,
) {
  const seed = random.integer(0, 2 ** 31);
  const all = injectEvents({ instance, severity, seed, reference: makespan });
  return all
    .filter(({ at }) => at >= now && at <= now + 0.05 * makespan)
    .map((event) => ({ ...event, at: now }));
}

/** The plan of a search of two seconds of processor time. */
async function planOf(name: string, objective: Objective, directory: string) {
  const plain = resolveSource(name).load();
  const instance = objective === 'makespan' ? plain : withDueDates(plain, TIGHTNESS);
  const start = await kept(`${directory}/plans/${name}-${objective}.json`, async () => {
    const { schedule } = await withinProcessorTime(2, (signal) =>
      optimize(instance, { budget: { iterations: 1e12 }, seed: 1, objective, signal }),
    );
    return [...schedule.start];
  });
  return createSchedule(instance, Int32Array.from(start));
}

/** A plan after a breakdown of 10 % of its makespan, repaired by the protocol; and when, and which machine. */
async function brokenPlan(
  plan: Schedule,
  { name, objective, replicate }: Omit<CaseKey, 'kind'>,
  directory: string,
) {
  const seed = deriveSeed('repair-bench', name, objective, 'broken', replicate);
  const { event, starts } = await kept(
    `${directory}/plans/${name}-${objective}-broken-${replicate}.json`,
    async () => {
      for (let attempt = 0; ; attempt++) {
        const random = createRandom(deriveSeed(seed, attempt));
        const now = Math.round(plan.makespan * (0.1 + 0.5 * random.next()));
        const event = breakdown(plan, random, now, 0.1);
        const disturbed = { schedule: plan, events: [event], now };
        if (hits(disturbed) === null) continue;
        const { schedule } = await repair(disturbed, policy({ ...defaultPolicy, objective }));
        return { event, starts: [...schedule.start] };
      }
    },
  );
  const { instance } = updateStatus({ schedule: plan, events: [event], now: event.from }).applied;
  const followed = createSchedule(instance, Int32Array.from(starts));
  return { ...followed, now: event.from, broken: event.machine };
}
