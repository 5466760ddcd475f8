import { deriveSeed } from '../core/random.js';
import type { AppliedEvents, EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { type Judgement, judgeRepair } from './judge-repair.js';
import { lcrp } from './lcrp.js';
import { defaultPolicy, type RepairPolicy } from './policy.js';
import { updateStatus } from './status.js';
import type { Repaired, RepairMethod, RepairTask } from './task.js';
import type { Times } from './times.js';
import { warmUp } from './warm-up.js';

/** One repair: what was asked, and what came of it. */
export interface RepairResult extends Repaired {
  readonly task: RepairTask;
  /** What was planned, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
  /** What the validator says: it breaks no rule, but it may miss a deadline. */
  readonly judgement: Judgement;
}

/** How to repair, beyond the policy. */
export interface RepairOptions {
  /** Default `lcrp`. */
  readonly method?: RepairMethod | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What becomes of events that come too late: see `applyEvents`. */
  readonly tooLate?: 'refuse' | 'skip' | undefined;
}

/** A schedule in execution that is repaired whenever something happens. */
export interface RepairEngine {
  /** The schedule that is being followed, of the instance in execution. */
  readonly schedule: Schedule;
  readonly instance: Instance;
  /** When events were handled last. */
  readonly now: number;
  /**
   * Repairs the schedule and follows the result from now on. If it throws, or the promise is
   * rejected, nothing has changed. One call at a time.
   *
   * @throws InputError as `applyEvents` does
   * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug
   */
  handle(events: readonly EventInput[], now: number): Promise<RepairResult>;
}

/**
 * Creates an engine that repairs a schedule again and again, and warms the search up.
 *
 * Operations that the policy pins are numbered as in the schedule given here; they are followed
 * when events change the numbers.
 *
 * @param schedule a feasible schedule of the instance, or of the instance in execution
 */
export function createRepairEngine(
  schedule: Schedule,
  policy: RepairPolicy = defaultPolicy,
  options: RepairOptions = {},
): RepairEngine {
  let current = schedule;
  let currentPolicy = policy;
  let time = 0;
  let count = 0;
  warmUp();
  return {
    get schedule() {
      return current;
    },
    get instance() {
      return current.instance;
    },
    get now() {
      return time;
    },
    handle: async (events, now) => {
      const seed = deriveSeed(options.seed ?? 0, count);
      const execution = { schedule: current, events, now };
      const result = await repair(execution, currentPolicy, { ...options, seed });
      current = result.schedule;
      currentPolicy = renumberPins(currentPolicy, result.applied);
      time = now;
      count++;
      return result;
    },
  };
}

/**
 * Repairs a schedule in execution after events; see {@link createRepairEngine}, which does so
 * repeatedly. The schedule given is not changed. Pinned operations are numbered as in it.
 */
export async function repair(
  execution: Parameters<typeof updateStatus>[0],
  policy: RepairPolicy = defaultPolicy,
  { method = lcrp, seed = 0, signal, tooLate }: RepairOptions = {},
): Promise<RepairResult> {
  const { task, before, applied } = updateStatus(
    execution,
    tooLate === undefined ? {} : { tooLate },
  );
  const repaired = await method.repair(task, renumberPins(policy, applied), { seed, signal });
  const judgement = judgeRepair(repaired, method.name);
  return { ...repaired, task, before, applied, judgement };
}

/** The policy with pinned operations in the numbers that they have after events. */
export function renumberPins(policy: RepairPolicy, { newOf }: AppliedEvents): RepairPolicy {
  const { limits } = policy;
  if (limits.pinned.length === 0) return policy;
  const pinned = limits.pinned.map((op) => newOf[op] ?? -1).filter((op) => op >= 0);
  return { ...policy, limits: { ...limits, pinned } };
}
