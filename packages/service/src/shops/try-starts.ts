import { AlasError, InputError } from '@alas-jssp/core/errors';
import {
  cascade,
  changePolicy,
  delayAffected,
  formatReason,
  formatRefusal,
  isFree,
  judgeExecution,
  plannedOrder,
  type Sentences,
  storyWords,
  withObjective,
  withWishedMachines,
  wordsOf,
} from 'alas-jssp/internal/service';
import {
  completionTime,
  createSchedule,
  earliestStart,
  type Instance,
  isPlain,
  operationAt,
  type Schedule,
} from 'alas-jssp/jssp';
import {
  defaultPolicy,
  findMethod,
  policy,
  type RepairResult,
  repair,
  type Status,
  updateStatus,
} from 'alas-jssp/lcrp';
import type { WishedStart } from 'alas-jssp/shop';
import { validate } from 'alas-jssp/validator';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireOperation, wireTime } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';
import { costOfRepair } from './outcome-answer.js';
import {
  type ComparedTrial,
  mergedTrials,
  type ShopTrial,
  type TrialLimits,
} from './shop-trial.js';

/** Time limit of the search that replans the other operations, in seconds. */
const AROUND_SECONDS = 2;

/** The most violated rules that a row lists. */
const MOST_REASONS = 3;

/**
 * Computes the cost of manually proposed starts:
 *
 * - `alone`: nothing else moves
 * - `give-way`: conflicting operations are delayed, in the order of the plan ({@link giveWay})
 * - `around`: all other operations that have not started are replanned
 *
 * Each row contains all starts of its schedule.
 *
 * @throws InputError as `applyEvents` does
 */
export async function tryOutStarts(
  trial: ShopTrial,
  wished: readonly WishedStart[],
  limits: TrialLimits,
): Promise<DryRunAnswer> {
  const { instance, version, now } = trial;
  const followed = createSchedule(instance, trial.start);
  const status = withMachines(updateStatus({ schedule: followed, events: [], now }), wished);
  const wishes = new Map(
    wished.map(({ job, step, start }) => [operationAt(instance, job, step), start]),
  );
  const row = createRow(trial, followed, status, wishes);
  const yielded = giveWay(status, wishes);
  const trials = [
    row('alone', createSchedule(status.task.instance, placed(status.before.start, wishes))),
    row('give-way', yielded),
    await tryAround(trial, wishes, yielded, limits, row),
  ];
  const time = wireTime(instance.timeScale, now);
  return { version, now: time, trials: mergedTrials(trials), skipped: [] };
}

/** The effect with the proposed machines. @throws InputError `bad_start`, `bad_machine` */
function withMachines(status: Status, wished: readonly WishedStart[]): Status {
  const instance = withWishedMachines(status.task.instance, wished);
  return { ...status, task: { ...status.task, instance } };
}

/** Starts by operation. */
type Wishes = ReadonlyMap<number, number>;

/** Starts with some of them replaced. */
function placed(starts: Int32Array, wishes: Wishes): Int32Array {
  const start = starts.slice();
  for (const [op, time] of wishes) start[op] = time;
  return start;
}

/**
 * Gives operations their proposed starts and delays conflicting ones: their successors in the jobs, and operations
 * that would run at the same time on their machines. A proposed start that the job, the release, a downtime or a
 * started operation prevents is moved to the earliest possible time. O(N log N).
 */
function giveWay({ task, before }: Status, wishes: Wishes): Schedule {
  const { instance } = task;
  const wanted = placed(before.start, wishes);
  for (const op of wishes.keys()) if (!isFree(instance, op)) wanted[op] = before.start[op];
  const isShop = !isPlain(instance);
  if (!isShop) keepSteps(instance, wanted);
  for (const op of wishes.keys()) {
    if (!isFree(instance, op)) continue;
    const end = completionTime(instance, op, wanted[op]);
    for (const other of operationsOf(instance, instance.machine[op])) {
      if (other === op || wishes.has(other) || !isFree(instance, other)) continue;
      const isBefore = completionTime(instance, other, wanted[other]) <= wanted[op];
      if (!isBefore && wanted[other] < end) wanted[other] = end;
    }
  }
  // The shift of such a shop knows its steps, which may be a graph, and its setups, transport and operators.
  if (isShop) return delayAffected({ ...task, planned: wanted });
  keepSteps(instance, wanted);
  const order = plannedOrder({ ...task, planned: wanted });
  return createSchedule(instance, cascade(instance, order, wanted));
}

/** Delays wanted starts until the job, the release and the calendar allow them. */
function keepSteps(instance: Instance, wanted: Int32Array): void {
  const { operations, jobOf } = instance;
  for (let op = 0, ready = 0; op < operations; op++) {
    if (op === 0 || jobOf[op] !== jobOf[op - 1]) ready = 0;
    if (isFree(instance, op)) {
      wanted[op] = earliestStart(instance, op, Math.max(ready, wanted[op]));
    }
    ready = completionTime(instance, op, wanted[op]);
  }
}

function operationsOf({ machineOffset, machineOperations }: Instance, machine: number): Int32Array {
  return machineOperations.subarray(machineOffset[machine], machineOffset[machine + 1]);
}

/** Creates the row of a schedule. */
type MakeRow = (name: string, schedule: Schedule, method?: string) => ComparedTrial;

function createRow(trial: ShopTrial, followed: Schedule, status: Status, wishes: Wishes): MakeRow {
  const { instance } = status.task;
  const settled = withObjective(instance, trial.policy ?? defaultPolicy);
  const sentences = SENTENCES[trial.language];
  const words = wordsOf(instance, sentences);
  return (name, schedule, method = 'by hand') => {
    const common = { policy: name, same: [], objective: settled.objective, clamped: [] };
    if (!judgeExecution(schedule).executable) return refused(common, schedule, sentences);
    const late = [...wishes].filter(([op, time]) => schedule.start[op] !== time);
    const reasons = late.map(([op, time]) => {
      const [wish, start] = [words.time(time), words.time(schedule.start[op])];
      return sentences.moves.cannotStart(words.operation(op), wish, start);
    });
    const made = { ...status, previous: followed, schedule, policy: settled, compensated: null };
    const cost = costOfRepair(made as unknown as RepairResult, { sentences });
    const starts = startsOf(status, followed, schedule);
    const answer = { ...common, reasons, repaired: true, method, ...cost, starts };
    return { answer, schedule };
  };
}

/** The row of an infeasible schedule, with its first violations. */
function refused(
  common: Pick<ComparedTrial['answer'], 'policy' | 'same' | 'objective' | 'clamped'>,
  schedule: Schedule,
  sentences: Sentences,
): ComparedTrial {
  const { groups } = validate(schedule.instance, schedule);
  const words = storyWords(schedule.instance.timeScale, sentences);
  const reasons = groups
    .filter(({ root }) => root.code !== 'deadline')
    .slice(0, MOST_REASONS)
    .map(({ explanation: reason, root }) => {
      return formatReason({ code: 'Refused', facts: { violation: root.code }, reason }, words);
    });
  const cost = { makespan: null, total_weighted_tardiness: null, late: [], moved: 0, moves: [] };
  const none = { repaired: false, method: null, more: 0, ...cost, starts: [] };
  return { answer: { ...common, reasons, ...none }, schedule: null };
}

/** The changed starts from the followed schedule to another one, in the format of requests. */
function startsOf({ before }: Status, followed: Schedule, schedule: Schedule) {
  const { machine } = followed.instance;
  const isElsewhere = (op: number) => schedule.instance.machine[op] !== machine[op];
  const moved = Array.from(schedule.start.keys()).filter(
    (op) => schedule.start[op] !== before.start[op] || isElsewhere(op),
  );
  return moved.map((op) => {
    const { job, step, start, machine: on } = wireOperation(schedule, op);
    return { job, step, start, ...(isElsewhere(op) && { machine: on }) };
  });
}

/** Replans all operations without proposed starts, from the schedule of `give-way`. */
async function tryAround(
  { now, seed, policy: own = defaultPolicy, language }: ShopTrial,
  wishes: Wishes,
  schedule: Schedule,
  { seconds, signal }: TrialLimits,
  row: MakeRow,
): Promise<ComparedTrial> {
  const { jobOf, jobOffset } = schedule.instance;
  const held = [...wishes.keys()].map((op) => ({
    job: jobOf[op],
    step: op - jobOffset[jobOf[op]],
  }));
  const rules = changePolicy(policy({ objective: own.objective }), {
    budget: { seconds: Math.min(AROUND_SECONDS, seconds) },
    limits: { ...own.limits, pinned: [...own.limits.pinned, ...held] },
  });
  // Only the protocol holds starts in shops with setups, transport, graphs or resources.
  const method = findMethod(isPlain(schedule.instance) ? 'recompute' : 'lcrp');
  try {
    const result = await repair({ schedule, events: [], now }, rules, { method, seed, signal });
    return row('around', result.schedule, method.name);
  } catch (error) {
    if (!(error instanceof AlasError) || error instanceof InputError) throw error;
    const none = row('around', schedule);
    const words = storyWords(schedule.instance.timeScale, SENTENCES[language]);
    const { code, facts, message: reason } = error;
    const reasons = [formatRefusal({ method: method.name, code, facts, reason }, words)];
    return { ...none, answer: { ...none.answer, reasons } };
  }
}
