import { once } from '../core/once.js';
import { completeEvents } from '../disruption/apply-events.js';
import type { ApplyOptions, EventInput } from '../disruption/index.js';
import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { judgeRepair } from './judge-repair.js';
import { lcrp } from './lcrp.js';
import { type LiveRepair, mayRepairLive, repairLive } from './live/repair.js';
import { commitVersion, type LiveShop, moveTo, openLiveShop, type Version } from './live/shop.js';
import { updateStatus } from './phases/status.js';
import { lostPinsOf } from './pins/lost-pins.js';
import { type OpenPolicy, withObjective } from './policy/policy.js';
import { editsOf, type RepairResult } from './repair-result.js';

/** The settings of one repair, complete. */
export interface Settings extends Pick<RepairResult, 'method' | 'seed'> {
  readonly policy: OpenPolicy;
  readonly tooLate: 'refuse' | 'skip';
  readonly signal: AbortSignal | undefined;
  /** When it began, in monotonic seconds. */
  readonly began: number;
}

/** The state of an engine; proposals know the one that they were made from. */
export interface Followed {
  /** A result may make its schedule when it is asked for it. */
  readonly latest: { readonly schedule: Schedule };
  /** An instance with its jobs, steps and machines. */
  readonly shape: Instance;
  readonly now: number;
  /** Undefined until it is needed; null if the schedule cannot be followed in place. */
  shop: LiveShop | null | undefined;
  /** The state of the shop. */
  version: Version | undefined;
  /** Whether another repair is likely to follow, so that it pays to set the shop up. */
  isRepeated: boolean;
}

/** A proposal, and the states before it and after it. */
export interface Proposed {
  readonly result: RepairResult;
  readonly from: Followed;
  readonly next: Followed;
}

/** The state in which a schedule is followed from now on. */
export function unopened(schedule: Schedule, now: number, isRepeated: boolean): Followed {
  const shape = schedule.instance;
  return { latest: { schedule }, shape, now, shop: undefined, version: undefined, isRepeated };
}

/** The shop in the state that is followed; null if it cannot be followed in place. */
export function openFollowed(followed: Followed): LiveShop | null {
  if (followed.shop === undefined) {
    followed.shop = openLiveShop(followed.latest.schedule);
    followed.version = followed.shop?.version;
  }
  return followed.shop;
}

export function proposeInPlace(
  from: Followed,
  events: readonly EventInput[],
  now: number,
  settings: Settings,
): Proposed | null {
  const { method, seed } = settings;
  const policy = withObjective(from.shape, settings.policy);
  const complete = completeEvents(events, now, from.shape);
  if (!from.isRepeated || method !== lcrp || !mayRepairLive(policy, complete)) return null;
  const shop = openFollowed(from);
  const before = from.version;
  if (shop === null || before === undefined) return null;
  moveTo(shop, before);
  const repaired = repairLive(shop, complete, now, policy, effectOf(settings));
  if (repaired === null) return null;
  const after = commitVersion(shop, repaired.status.totals);
  const result = resultOf(before, after, repaired, { method, policy, seed });
  return { result, from, next: { ...from, latest: result, now, version: after } };
}

/** The way in which events take effect. */
function effectOf({ policy, tooLate }: Settings): ApplyOptions {
  return { tooLate, breakdownEstimate: policy.estimates.breakdown };
}

export async function proposeWhole(
  from: Followed,
  events: readonly EventInput[],
  now: number,
  settings: Settings,
): Promise<Proposed> {
  const { method, seed, signal, began } = settings;
  const previous = from.latest.schedule;
  const { task, before, applied } = updateStatus(
    { schedule: previous, events, now },
    effectOf(settings),
  );
  const policy = withObjective(task.instance, settings.policy);
  const made = await method.repair(task, policy, { seed, signal, began });
  const judgement = judgeRepair(made, method.name);
  const edits = editsOf(before, made.schedule);
  const given = { method, policy, seed, task, previous, before, applied };
  const lostPins = lostPinsOf(task, policy.limits, made);
  const result = { ...made, ...given, judgement, edits, lostPins };
  return { result, from, next: unopened(result.schedule, now, true) };
}

/**
 * The result of a repair in place, as the stateless repair would give it. What takes O(N) is made
 * when it is asked for, and stays what it is whatever is repaired later.
 */
function resultOf(
  before: Version,
  after: Version,
  { status, edits }: LiveRepair,
  settings: Pick<RepairResult, 'method' | 'policy' | 'seed'>,
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
    lostPins: [],
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
