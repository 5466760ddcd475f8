import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import type { EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import { checkStarts, type Schedule } from '../jssp/schedule.js';
import { isPlain } from '../jssp/shop-parts.js';
import { lcrp } from './lcrp.js';
import type { DisturbedShop } from './phases/status.js';
import { policyFor, revisePolicy } from './policy/make-policy.js';
import { type OpenPolicy, type PolicyChanges, withoutStalePins } from './policy/policy.js';
import {
  type EngineState,
  initialState,
  openShopOf,
  type Proposed,
  proposeInPlace,
  proposeWhole,
  type Settings,
} from './propose.js';
import type { RepairResult } from './repair-result.js';
import type { RepairMethod } from './task.js';
import { warmUp } from './warm-up.js';

/** Settings of a repair in addition to the policy. */
export interface RepairOptions {
  /** Default `lcrp`. */
  readonly method?: RepairMethod | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Events that come too late are refused (the default) or skipped: see `applyEvents`. */
  readonly tooLate?: 'refuse' | 'skip' | undefined;
}

/** Settings of a single proposal that differ from those of the engine. */
export interface ProposalOptions extends RepairOptions {
  /** Changes to the policy of the engine. */
  readonly policy?: PolicyChanges | undefined;
}

/** A schedule in execution that is repaired after each event. */
export interface RepairEngine {
  /** The current schedule, of the instance in execution. */
  readonly schedule: Schedule;
  readonly instance: Instance;
  /** The time of the last committed result; 0 initially. */
  readonly now: number;
  /** As given: a null objective means the objective of the instance after the events. */
  readonly policy: OpenPolicy;
  /**
   * Changes the policy for later calls; calls already made keep theirs.
   *
   * @throws InputError `bad_policy` as {@link createRepairEngine} does; the policy is then unchanged
   */
  changePolicy(changes: PolicyChanges): void;
  /**
   * Makes the first repair as fast as any other: lets the runtime compile the code of repairs, prepares the data
   * structures of this shop, and runs a few trial repairs. Takes some tenths of a second, and in a large shop at least
   * one repair. Changes nothing.
   */
  warmUp(): Promise<void>;
  /**
   * Repairs the schedule like {@link repair}. The engine adopts the result only when {@link follow} is called, so
   * several methods may be tried.
   *
   * If right shifts suffice and no job is added or cancelled, the time is proportional to the number of operations that
   * the events reach. Everything that takes O(N) (whole schedules and instances, and their validation) is computed
   * lazily: only `phase`, `edits` and the evaluations are available immediately.
   *
   * @throws InputError as `applyEvents` does; `bad_now` for a time before `now`; `bad_policy`
   * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug; a result that is computed later
   *   throws when it is read
   */
  propose(
    events: readonly EventInput[],
    now: number,
    options?: ProposalOptions,
  ): Promise<RepairResult>;
  /**
   * Adopts a proposal.
   *
   * @throws AlasError `stale_proposal` if it was not made from the current schedule
   */
  follow(result: RepairResult): void;
  /**
   * Repairs the schedule and adopts the result: {@link propose} and {@link follow}. If the promise is rejected, nothing
   * has changed. Calls are handled one after the other.
   */
  handle(
    events: readonly EventInput[],
    now: number,
    options?: ProposalOptions,
  ): Promise<RepairResult>;
}

/**
 * Creates an engine that repairs a schedule again and again; its `warmUp` makes the first repair fast. All repairs use
 * the seed of the options.
 *
 * @param schedule a feasible schedule of the instance, or of the instance in execution
 * @param policy changes to the default policy, or a whole one, as `policy(…)` makes it
 * @throws InputError `bad_policy` for an unknown key, a value out of range, or limits that name operations or machines
 *   which the instance does not have
 * @throws AlasError `bad_starts` if the start times are not an Int32Array with one entry per operation
 */
export function createRepairEngine(
  schedule: Schedule,
  policy: PolicyChanges = {},
  options: RepairOptions = {},
): RepairEngine {
  checkStarts(schedule.instance, schedule.start);
  let rules = policyFor(schedule.instance, policy);
  let current = initialState(schedule, 0, false);
  const proposals = new WeakMap<RepairResult, Proposed>();

  const follow = (result: RepairResult) => {
    const proposed = proposals.get(result);
    if (proposed?.from !== current) throw staleProposal();
    current = proposed.next;
  };
  const proposeNow = async (events: readonly EventInput[], now: number, queued: QueuedSettings) => {
    // Pins of cancelled jobs are dropped.
    const policy = withoutStalePins(queued.policy, current.shape);
    const settings = { ...queued, policy, began: monotonicSeconds() };
    if (now < current.now) throw clockRunsBack(now, current.now);
    const from = current;
    const proposed =
      proposeInPlace(from, events, now, settings) ??
      (await proposeWhole(from, events, now, settings));
    proposals.set(proposed.result, proposed);
    return proposed.result;
  };
  // A call begins when the one before it has ended, with or without an error.
  let previous: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(call: () => Promise<T>): Promise<T> => {
    const result = previous.then(call, call);
    previous = result;
    return result;
  };
  /**
   * Runs trial repairs of this shop that are never adopted: memory and compiled code are then ready for large repairs.
   */
  const runTrialRepairs = async () => {
    const passes = Math.min(rules.budget.passes, 2);
    // In shops with alternatives, more of the code is not yet compiled.
    const evaluations = current.shape.modes === null ? TRIAL_MOVES : null;
    const short = { passes, evaluations, seconds: 0.1 };
    const settings = settingsOf({ policy: { budget: short, fallback: null }, seed: 0 });
    const stop = monotonicSeconds() + TRIAL_SECONDS;
    for (const { events, now } of trialDisturbances(current)) {
      if (monotonicSeconds() >= stop) break;
      await proposeNow(events, now, settings).catch(ignoreRefusal);
    }
  };
  const settingsOf = ({ policy: changes, ...one }: ProposalOptions = {}): QueuedSettings => ({
    method: one.method ?? options.method ?? lcrp,
    policy: changes === undefined ? rules : revisePolicy(current.shape, rules, changes),
    seed: one.seed ?? options.seed ?? 0,
    tooLate: one.tooLate ?? options.tooLate ?? 'refuse',
    signal: one.signal ?? options.signal,
  });
  return {
    get schedule() {
      return current.latest.schedule;
    },
    get instance() {
      return current.latest.schedule.instance;
    },
    get now() {
      return current.now;
    },
    get policy() {
      return rules;
    },
    changePolicy: (changes) => {
      rules = revisePolicy(current.shape, rules, changes);
    },
    warmUp: () =>
      inTurn(async () => {
        warmUp();
        current.isRepeated = true;
        openShopOf(current);
        if (settingsOf().method === lcrp) await runTrialRepairs();
      }),
    propose: async (events, now, one) => {
      const settings = settingsOf(one);
      return inTurn(() => proposeNow(events, now, settings));
    },
    follow,
    handle: async (events, now, one) => {
      const settings = settingsOf(one);
      return inTurn(async () => {
        const result = await proposeNow(events, now, settings);
        follow(result);
        return result;
      });
    },
  };
}

/** Trial repairs while the shop is warmed up: their number, their total seconds, and the moves that each evaluates. */
const TRIAL_REPAIRS = 8;
const TRIAL_SECONDS = 0.5;
const TRIAL_MOVES = 2000;

/**
 * Breakdowns of one machine after the other, each at the earliest time at which a breakdown is still possible; in plain
 * shops every other one comes with a new job, whose repair uses more of the code.
 */
function trialDisturbances({ latest: { schedule }, now }: EngineState) {
  const { frozen, machines } = schedule.instance;
  const from = frozen?.reduce((latest, start) => Math.max(latest, start), now) ?? now;
  const to = from + Math.ceil(schedule.makespan / 20) + 1;
  return Array.from({ length: TRIAL_REPAIRS }, (_, i) => {
    const events: EventInput[] = [{ kind: 'breakdown', machine: i % machines, from, to }];
    if (i % 2 === 1) events.push(...trialArrivals(schedule.instance, i, from));
    return { events, now: from };
  });
}

/** A job like one of a plain shop; none in other shops. */
function trialArrivals(instance: Instance, i: number, release: number): EventInput[] {
  const { jobs, jobOffset, machine, duration, due, modes } = instance;
  if (jobs === 0 || modes !== null || !isPlain(instance)) return [];
  const model = i % jobs;
  const operations = Array.from({ length: jobOffset[model + 1] - jobOffset[model] }, (_, step) => ({
    machine: machine[jobOffset[model] + step],
    duration: duration[jobOffset[model] + step],
  }));
  const dated = due === null ? {} : { due: release };
  return [{ kind: 'arrival', job: { operations, release, ...dated } }];
}

/** A shop that refuses trial repairs will refuse real ones with the same error. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AlasError)) throw error;
}

/** The settings of a repair before it begins. */
type QueuedSettings = Omit<Settings, 'began'>;

function clockRunsBack(now: number, time: number): InputError {
  const problem = `now is ${now}, and the last call was at ${time}`;
  return new InputError('bad_now', problem, `give ${time} or later`, {}, now);
}

function staleProposal(): AlasError {
  const problem = 'the result was not proposed by this engine for its current schedule';
  return new AlasError('stale_proposal', `${problem}; propose again`);
}

/**
 * Repairs a schedule in execution after events; see {@link createRepairEngine}, which does so repeatedly. The given
 * schedule is not changed.
 *
 * @param policy changes to the default policy, or a whole one, as `policy(…)` makes it
 * @throws InputError as `applyEvents` does; `bad_policy` as {@link createRepairEngine} does
 * @throws AlasError `bad_starts` as {@link createRepairEngine} does
 * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug
 */
export async function repair(
  { schedule, events, now }: DisturbedShop,
  policy: PolicyChanges = {},
  options: RepairOptions = {},
): Promise<RepairResult> {
  return createRepairEngine(schedule, policy, options).handle(events, now);
}
