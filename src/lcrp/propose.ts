import { once } from '@alas-jssp/core/once';
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

/** The complete settings of one repair. */
export interface Settings extends Pick<RepairResult, 'method' | 'seed'> {
  readonly policy: OpenPolicy;
  readonly tooLate: 'refuse' | 'skip';
  readonly signal: AbortSignal | undefined;
  /** The time when it began, in monotonic seconds. */
  readonly began: number;
}

/** The state of an engine; proposals refer to the one that they were made from. */
export interface EngineState {
  /** A result may create its schedule lazily. */
  readonly latest: { readonly schedule: Schedule };
  /** An instance with its jobs, steps and machines. */
  readonly shape: Instance;
  readonly now: number;
  /** Undefined until it is needed; null if the schedule cannot be maintained in place. */
  shop: LiveShop | null | undefined;
  /** The state of the shop. */
  version: Version | undefined;
  /** Whether another repair is likely to follow, so that it pays to set the shop up. */
  isRepeated: boolean;
}

/** A proposal, and the states before it and after it. */
export interface Proposed {
  readonly result: RepairResult;
  readonly from: EngineState;
  readonly next: EngineState;
}

/** The initial state for a schedule. */
export function initialState(schedule: Schedule, now: number, isRepeated: boolean): EngineState {
  const shape = schedule.instance;
  return { latest: { schedule }, shape, now, shop: undefined, version: undefined, isRepeated };
}

/** The live shop of a state; null if it cannot be maintained in place. */
export function openShopOf(current: EngineState): LiveShop | null {
  if (current.shop === undefined) {
    current.shop = openLiveShop(current.latest.schedule);
    current.version = current.shop?.version;
  }
  return current.shop;
}

export function proposeInPlace(
  from: EngineState,
  events: readonly EventInput[],
  now: number,
  settings: Settings,
): Proposed | null {
  const { method, seed } = settings;
  const policy = withObjective(from.shape, settings.policy);
  const complete = completeEvents(events, now, from.shape);
  if (!from.isRepeated || method !== lcrp || !mayRepairLive(policy, complete)) return null;
  const shop = openShopOf(from);
  const before = from.version;
  if (shop === null || before === undefined) return null;
  moveTo(shop, before);
  const repaired = repairLive(shop, complete, now, policy, effectOf(settings));
  if (repaired === null) return null;
  const after = commitVersion(shop, repaired.status.totals);
  const result = resultOf(before, after, repaired, { method, policy, seed });
  return { result, from, next: { ...from, latest: result, now, version: after } };
}

/** The options for applying events. */
function effectOf({ policy, tooLate }: Settings): ApplyOptions {
  return { tooLate, breakdownEstimate: policy.estimates.breakdown };
}

export async function proposeWhole(
  from: EngineState,
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
  const edits = editsOf(task, before, made.schedule);
  const given = { method, policy, seed, task, previous, before, applied };
  const lostPins = lostPinsOf(task, policy.limits, made);
  const result = { ...made, ...given, judgement, edits, lostPins };
  return { result, from, next: initialState(result.schedule, now, true) };
}

/**
 * The result of a repair in place, equal to that of the stateless repair. O(N) parts are computed lazily, and are not
 * affected by later repairs.
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
