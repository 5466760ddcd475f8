import { monotonicSeconds } from '../core/clock.js';
import { AlasError, InputError } from '../core/errors.js';
import type { EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import { checkStarts, type Schedule } from '../jssp/schedule.js';
import { lcrp } from './lcrp.js';
import type { DisturbedShop } from './phases/status.js';
import { policyFor, revisePolicy } from './policy/make-policy.js';
import { type OpenPolicy, type PolicyChanges, withoutStalePins } from './policy/policy.js';
import {
  type Followed,
  openFollowed,
  type Proposed,
  proposeInPlace,
  proposeWhole,
  type Settings,
  unopened,
} from './propose.js';
import type { RepairResult } from './repair-result.js';
import type { RepairMethod } from './task.js';
import { warmUp } from './warm-up.js';

/** Settings of a repair beside the policy. */
export interface RepairOptions {
  /** Default `lcrp`. */
  readonly method?: RepairMethod | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Events that come too late are refused (the default) or skipped: see `applyEvents`. */
  readonly tooLate?: 'refuse' | 'skip' | undefined;
}

/** A single proposal, where it is not to be as the engine is set. */
export interface ProposalOptions extends RepairOptions {
  /** Changes to the policy of the engine. */
  readonly policy?: PolicyChanges | undefined;
}

/** A schedule in execution that is repaired whenever something happens. */
export interface RepairEngine {
  /** The schedule that is being followed, of the instance in execution. */
  readonly schedule: Schedule;
  readonly instance: Instance;
  /** The time of the last result that was followed; 0 before. */
  readonly now: number;
  /** As it was given: an objective that is null is that of the instance after the events. */
  readonly policy: OpenPolicy;
  /**
   * Changes the policy, from the next call on: what has been called already keeps the one it had.
   *
   * @throws InputError `bad_policy` as {@link createRepairEngine} does, and leaves the policy as it was
   */
  changePolicy(changes: PolicyChanges): void;
  /**
   * Makes the first repair as fast as any other: has the runtime compile what repairs run through,
   * sets up what they need for this shop, and tries a few out. Takes some tenths of a second, and in a
   * large shop at least one repair. Changes nothing.
   */
  warmUp(): Promise<void>;
  /**
   * Repairs the schedule: what {@link repair} would make of it. It is not followed until
   * {@link follow} is called, so several methods may be tried.
   *
   * Where right shifts are all that is to be done and no job comes or goes, it takes time in
   * proportion to what the events reach. What takes O(N), whole schedules and instances and their
   * judgement, is made when it is first asked for, here or later: only `phase`, `edits` and what was
   * evaluated are there at once.
   *
   * @throws InputError as `applyEvents` does; `bad_now` for a time before `now`; `bad_policy`
   * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug; where a
   *   result is made later, asking for it throws
   */
  propose(
    events: readonly EventInput[],
    now: number,
    options?: ProposalOptions,
  ): Promise<RepairResult>;
  /**
   * Follows a proposal from now on.
   *
   * @throws AlasError `stale_proposal` if it was not made from the schedule that is followed now
   */
  follow(result: RepairResult): void;
  /**
   * Repairs the schedule and follows the result: {@link propose} and {@link follow}. If the promise
   * is rejected, nothing has changed. Calls are handled one after the other.
   */
  handle(
    events: readonly EventInput[],
    now: number,
    options?: ProposalOptions,
  ): Promise<RepairResult>;
}

/**
 * Creates an engine that repairs a schedule again and again; `warmUp` of it makes the first repair fast.
 * All repairs have the seed of the options, as it is.
 *
 * @param schedule a feasible schedule of the instance, or of the instance in execution
 * @param policy changes to the default policy, or a whole one, as `policy(…)` makes it
 * @throws InputError `bad_policy` for an unknown key, a value out of range, or limits that name
 *   operations or machines which the instance does not have
 * @throws AlasError `bad_starts` if the start times are no Int32Array with one entry per operation
 */
export function createRepairEngine(
  schedule: Schedule,
  policy: PolicyChanges = {},
  options: RepairOptions = {},
): RepairEngine {
  checkStarts(schedule.instance, schedule.start);
  let rules = policyFor(schedule.instance, policy);
  let followed = unopened(schedule, 0, false);
  const proposals = new WeakMap<RepairResult, Proposed>();

  const follow = (result: RepairResult) => {
    const proposed = proposals.get(result);
    if (proposed?.from !== followed) throw staleProposal();
    followed = proposed.next;
  };
  const proposeNow = async (events: readonly EventInput[], now: number, asked: Asked) => {
    // Where jobs were cancelled, there is nothing left to keep.
    const policy = withoutStalePins(asked.policy, followed.shape);
    const settings = { ...asked, policy, began: monotonicSeconds() };
    if (now < followed.now) throw clockRunsBack(now, followed.now);
    const from = followed;
    const proposed =
      proposeInPlace(from, events, now, settings) ??
      (await proposeWhole(from, events, now, settings));
    proposals.set(proposed.result, proposed);
    return proposed.result;
  };
  // A call begins when the one before it has ended, however that went.
  let previous: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(call: () => Promise<T>): Promise<T> => {
    const result = previous.then(call, call);
    previous = result;
    return result;
  };
  /** Repairs of this shop that are never followed: memory and code are then as large repairs need them. */
  const rehearse = async () => {
    const rounds = Math.min(rules.budget.rounds, 2);
    const short = { rounds, evaluations: REHEARSED, seconds: 0.1 };
    const settings = settingsOf({ policy: { budget: short, fallback: null }, seed: 0 });
    const stop = monotonicSeconds() + REHEARSAL_SECONDS;
    for (const breakdown of madeUpBreakdowns(followed)) {
      if (monotonicSeconds() >= stop) break;
      await proposeNow([breakdown], breakdown.from, settings).catch(ignoreRefusal);
    }
  };
  const settingsOf = ({ policy: changes, ...one }: ProposalOptions = {}): Asked => ({
    method: one.method ?? options.method ?? lcrp,
    policy: changes === undefined ? rules : revisePolicy(followed.shape, rules, changes),
    seed: one.seed ?? options.seed ?? 0,
    tooLate: one.tooLate ?? options.tooLate ?? 'refuse',
    signal: one.signal ?? options.signal,
  });
  return {
    get schedule() {
      return followed.latest.schedule;
    },
    get instance() {
      return followed.latest.schedule.instance;
    },
    get now() {
      return followed.now;
    },
    get policy() {
      return rules;
    },
    changePolicy: (changes) => {
      rules = revisePolicy(followed.shape, rules, changes);
    },
    warmUp: () =>
      inTurn(async () => {
        warmUp();
        followed.isRepeated = true;
        openFollowed(followed);
        if (settingsOf().method === lcrp) await rehearse();
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

/** Repairs of the shop at hand while it is warmed up: how many, for how long, and moves that each looks at. */
const REHEARSALS = 8;
const REHEARSAL_SECONDS = 0.5;
const REHEARSED = 2000;

/** Breakdowns of one machine after the other, at the earliest time at which one could still happen. */
function madeUpBreakdowns({ latest: { schedule }, now }: Followed) {
  const { frozen, machines } = schedule.instance;
  const from = frozen?.reduce((latest, start) => Math.max(latest, start), now) ?? now;
  const to = from + Math.ceil(schedule.makespan / 20) + 1;
  return Array.from(
    { length: REHEARSALS },
    (_, i) => ({ kind: 'breakdown', machine: i % machines, from, to }) as const,
  );
}

/** A shop that cannot be rehearsed with is refused when it counts. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AlasError)) throw error;
}

/** The settings of a repair whose turn has not come. */
type Asked = Omit<Settings, 'began'>;

function clockRunsBack(now: number, time: number): InputError {
  const problem = `now is ${now}, and the last call was at ${time}`;
  return new InputError('bad_now', problem, `give ${time} or later`, {}, now);
}

function staleProposal(): AlasError {
  const problem = 'the result was not proposed by this engine for the schedule that it follows now';
  return new AlasError('stale_proposal', `${problem}; propose anew`);
}

/**
 * Repairs a schedule in execution after events; see {@link createRepairEngine}, which does so
 * repeatedly. The schedule given is not changed.
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
