import { InputError } from '../core/errors.js';
import { once } from '../core/once.js';
import { deriveSeed } from '../core/seed.js';
import { completeEvents } from '../disruption/apply-events.js';
import type { EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import { checkStarts, type Schedule } from '../jssp/schedule.js';
import { judgeRepair } from './judge-repair.js';
import { lcrp } from './lcrp.js';
import { type LiveRepair, mayRepairLive, repairLive } from './live/repair.js';
import { commitVersion, type LiveShop, openShop, type Version } from './live/shop.js';
import { type DisturbedShop, updateStatus } from './phases/status.js';
import type { PolicyChanges } from './policy/policy.js';
import { policyFor } from './policy/policy-schema.js';
import { editsOf, type RepairResult } from './repair-result.js';
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

/** A schedule in execution that is repaired whenever something happens. */
export interface RepairEngine {
  /** The schedule that is being followed, of the instance in execution. */
  readonly schedule: Schedule;
  readonly instance: Instance;
  /** The time of the last call. */
  readonly now: number;
  /**
   * Repairs the schedule and follows the result from now on: what {@link repair} would make of it.
   * If the promise is rejected, nothing has changed. Calls are handled one after the other.
   *
   * Where right shifts are all that is to be done and no job comes or goes, it takes time in
   * proportion to what the events reach. What takes O(N), whole schedules and instances and their
   * judgement, is made when it is first asked for, here or later: only `phase`, `edits` and what was
   * evaluated are there at once.
   *
   * @throws InputError as `applyEvents` does; `bad_now` for a time before the last call
   * @throws AlasError `bad_repair` if the validator refuses the result, which is a bug; where a
   *   result is made later, asking for it throws
   */
  handle(events: readonly EventInput[], now: number): Promise<RepairResult>;
}

/**
 * Creates an engine that repairs a schedule again and again, and warms the search up.
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
  const { method = lcrp, tooLate = 'refuse', signal } = options;
  checkStarts(schedule.instance, schedule.start);
  const fullPolicy = policyFor(schedule.instance, policy);
  let latest: { readonly schedule: Schedule } = { schedule };
  let time = 0;
  let count = 0;
  // Undefined until it is needed; null if the schedule cannot be followed in place.
  let shop: LiveShop | null | undefined;

  const nextSeed = () => deriveSeed(options.seed ?? 0, count);
  const handleInPlace = (events: readonly EventInput[], now: number): RepairResult | null => {
    const complete = completeEvents(events, now);
    if (method !== lcrp || !mayRepairLive(fullPolicy, complete)) return null;
    if (shop === undefined) shop = openShop(latest.schedule);
    if (shop === null) return null;
    const before = shop.version;
    const repaired = repairLive(shop, complete, now, fullPolicy, tooLate);
    if (repaired === null) return null;
    const after = commitVersion(shop, repaired.status.totals);
    return resultOf(before, after, repaired, { method, policy: fullPolicy, seed: nextSeed() });
  };
  const handleNow = async (events: readonly EventInput[], now: number): Promise<RepairResult> => {
    if (now < time) throw clockRunsBack(now, time);
    let result = handleInPlace(events, now);
    if (result === null) {
      const disturbed = { schedule: latest.schedule, events, now };
      const settings = { method, policy: fullPolicy, seed: nextSeed() };
      result = await repairWith(settings, disturbed, { tooLate, signal });
      shop = undefined;
    }
    latest = result;
    time = now;
    count++;
    return result;
  };
  // A call begins when the one before it has ended, however that went.
  let previous: Promise<unknown> = Promise.resolve();
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
    handle: (events, now) => {
      const next = () => handleNow(events, now);
      const result = previous.then(next, next);
      previous = result;
      return result;
    },
  };
}

function clockRunsBack(now: number, time: number): InputError {
  const problem = `now is ${now}, and the last call was at ${time}`;
  return new InputError('bad_now', problem, `give ${time} or later`, {}, now);
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
  disturbed: DisturbedShop,
  policy: PolicyChanges = {},
  { method = lcrp, seed = 0, signal, tooLate = 'refuse' }: RepairOptions = {},
): Promise<RepairResult> {
  const { instance, start } = disturbed.schedule;
  checkStarts(instance, start);
  const settings = { method, policy: policyFor(instance, policy), seed };
  return repairWith(settings, disturbed, { tooLate, signal });
}

/** The method, policy and seed of a repair, complete. */
type Settings = Pick<RepairResult, 'method' | 'policy' | 'seed'>;

async function repairWith(
  settings: Settings,
  disturbed: DisturbedShop,
  { tooLate, signal }: { tooLate: 'refuse' | 'skip'; signal: AbortSignal | undefined },
): Promise<RepairResult> {
  const { method, policy, seed } = settings;
  const { task, before, applied } = updateStatus(disturbed, { tooLate });
  const made = await method.repair(task, policy, { seed, signal });
  const judgement = judgeRepair(made, method.name);
  const edits = editsOf(before, made.schedule);
  const { schedule: previous } = disturbed;
  return { ...made, ...settings, task, previous, before, applied, judgement, edits };
}

/**
 * The result of a repair in place, as the stateless repair would give it. What takes O(N) is made
 * when it is asked for, and stays what it is whatever is repaired later.
 */
function resultOf(
  before: Version,
  after: Version,
  { status, edits }: LiveRepair,
  settings: Settings,
): RepairResult {
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
    ...settings,
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
    get previous() {
      return before.schedule();
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
