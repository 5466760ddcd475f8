import { once } from '../core/once.js';
import { deriveSeed } from '../core/random.js';
import { type AppliedEvents, completeEvents } from '../disruption/apply-events.js';
import type { EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { judgeRepair } from './judge-repair.js';
import { lcrp } from './lcrp.js';
import { type LiveRepair, mayRepairLive, repairLive } from './live/repair.js';
import { commit, type LiveShop, openShop, type Version } from './live/shop.js';
import { defaultPolicy, type RepairPolicy } from './policy.js';
import { type Edits, editsOf, type RepairResult } from './repair-result.js';
import { updateStatus } from './status.js';
import type { RepairMethod } from './task.js';
import { warmUp } from './warm-up.js';

export type { Edits, RepairResult };

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
   * Repairs the schedule and follows the result from now on: what {@link repair} would make of it.
   * If it throws, or the promise is rejected, nothing has changed. One call at a time.
   *
   * Where right shifts are all that is to be done and no job comes or goes, it takes time in
   * proportion to what the events reach. What takes O(N), whole schedules and instances and their
   * judgement, is made when it is first asked for, here or later: only `phase`, `edits` and what was
   * evaluated are there at once.
   *
   * @throws InputError as `applyEvents` does
   * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug; where a
   *   result is made later, asking for it throws
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
  const { method = lcrp, tooLate = 'refuse' } = options;
  let latest: { readonly schedule: Schedule } = { schedule };
  let currentPolicy = policy;
  let time = 0;
  let count = 0;
  // Undefined until it is needed; null if the schedule cannot be followed in place.
  let shop: LiveShop | null | undefined;

  const handleInPlace = (events: readonly EventInput[], now: number): RepairResult | null => {
    const complete = completeEvents(events, now);
    if (method !== lcrp || !mayRepairLive(currentPolicy, complete)) return null;
    if (shop === undefined) shop = openShop(latest.schedule);
    if (shop === null) return null;
    const before = shop.version;
    const repaired = repairLive(shop, complete, now, currentPolicy, tooLate);
    if (repaired === null) return null;
    return resultOf(before, commit(shop, repaired.status.totals), repaired);
  };
  warmUp();
  if (method === lcrp) shop = openShop(schedule);
  return {
    get schedule() {
      return latest.schedule;
    },
    get instance() {
      return latest.schedule.instance;
    },
    get now() {
      return time;
    },
    handle: async (events, now) => {
      let result = handleInPlace(events, now);
      if (result === null) {
        const seed = deriveSeed(options.seed ?? 0, count);
        const execution = { schedule: latest.schedule, events, now };
        result = await repair(execution, currentPolicy, { ...options, seed });
        shop = undefined;
      }
      latest = result;
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
  const edits = editsOf(before, repaired.schedule);
  return { ...repaired, task, before, applied, judgement, edits };
}

/** The policy with pinned operations in the numbers that they have after events. */
export function renumberPins(policy: RepairPolicy, { newOf }: AppliedEvents): RepairPolicy {
  const { limits } = policy;
  if (limits.pinned.length === 0) return policy;
  const pinned = limits.pinned.map((op) => newOf[op] ?? -1).filter((op) => op >= 0);
  return { ...policy, limits: { ...limits, pinned } };
}

/**
 * The result of a repair in place, as the stateless repair would give it. What takes O(N) is made
 * when it is asked for, and stays what it is whatever is repaired later.
 */
function resultOf(before: Version, after: Version, { status, edits }: LiveRepair): RepairResult {
  const { affected, applied } = status;
  const phase = edits.operation.length === 0 ? 'status' : 'compensation';
  const planned = once(() => {
    const { start, end } = before.schedule();
    return { start, end };
  });
  const judgement = once(() => judgeRepair({ schedule: after.schedule(), phase }, 'lcrp'));
  const task = once(() => ({
    instance: after.schedule().instance,
    planned: planned().start,
    now: after.now,
    affected,
  }));
  return {
    phase,
    edits,
    neighbourhood: new Int32Array(),
    evaluations: 0,
    get schedule() {
      return after.schedule();
    },
    get compensated() {
      return after.schedule();
    },
    reordered: null,
    get task() {
      return task();
    },
    get before() {
      return planned();
    },
    applied: {
      ...applied,
      get instance() {
        return after.schedule().instance;
      },
    },
    get judgement() {
      return judgement();
    },
  };
}
