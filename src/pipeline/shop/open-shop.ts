import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError, InputError } from '../../core/errors.js';
import { isoTime } from '../../core/iso-time.js';
import { applyEvents, completeEvents } from '../../disruption/apply-events.js';
import type { EventInput } from '../../disruption/index.js';
import { operationAt } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import {
  approve,
  deny,
  type Json,
  type LogStore,
  type RunResult,
  resumeRun,
  runWorkflow,
} from '../../workflow/index.js';
import { hasRun } from '../../workflow/log/store.js';
import { changesBetween, type ShopChange } from './changes.js';
import { logEvents } from './news.js';
import { createShopMemory, type ShopMemory } from './shop-memory.js';
import { shopHandlers } from './shop-steps.js';
import type { FindInstance, ShopVersion } from './shop-values.js';
import { NEWS } from './shop-workflow.js';
import { type NewShop, readyShop, requireSamePlan, shopLog } from './start-shop.js';
import { latestVersion, newStory, type ShopStory, tell } from './story.js';
import { createWaiters, type ShopOutcome, type Waiters } from './waiters.js';

/** Where and how a shop is kept. */
export interface ShopOptions extends Partial<NewShop> {
  /** The log: of any kind; nothing else is written. */
  readonly store: LogStore;
  /** The id of its run. A shop of that id in the log is gone on with. Default `shop`. */
  readonly runId?: string | undefined;
  /** Default: the clock on the wall. It dates entries and waits for approvals; shops have a time of their own. */
  readonly clock?: Clock | undefined;
  /** Ends the shop: it is cancelled, and the last version stays. */
  readonly signal?: AbortSignal | undefined;
  /** Finds an instance that the log names and does not hold. */
  readonly find?: FindInstance | undefined;
}

/** Who says something to a shop, and when, in the time of the shop. */
export interface Told {
  readonly now: number;
  readonly by?: string | undefined;
}

/** A start that somebody wishes for an operation: job and step from 0. */
export interface WishedStart {
  readonly job: number;
  readonly step: number;
  readonly start: number;
}

/**
 * A shop in execution, kept in a log: every event, repair, verdict, approval and version is an entry.
 * What it is told is done one after the other, in the order in which it was told. Operations, jobs
 * and steps count from 0 and times are whole numbers in the unit of the instance.
 */
export interface Shop {
  readonly runId: string;
  /** The version that is followed, from 1. */
  readonly version: number;
  /** The time of the last instant. */
  readonly now: number;
  /** The schedule that is followed, of the instance in execution. */
  readonly schedule: Schedule;
  /** All that happened so far, as the log tells it. */
  readonly story: ShopStory;
  /** The end of the run: once the shop is closed, was cancelled, or no repair of it was accepted. */
  readonly ended: Promise<RunResult>;
  /**
   * Tells of events at one instant; they are repaired together.
   *
   * @throws InputError as `applyEvents` does, before anything is written, but for events that only come
   *   too late: these are skipped, and told; `no_events`; `bad_now` for a time before the last instant;
   *   like everything that is told, `bad_name` for a `by` that is none
   * @throws AlasError `no_repair` if every method of the policy was tried in vain: the shop ends, and
   *   its last version stays; `shop_ended`
   */
  report(events: readonly EventInput[], told: Told): Promise<ShopOutcome>;
  /**
   * Proposes starts of one's own, for operations that have not started; the validator judges them like
   * every repair.
   *
   * @throws InputError `bad_start` for an operation that there is not; `bad_now`
   */
  propose(starts: readonly WishedStart[], told: Told): Promise<ShopOutcome>;
  /**
   * Goes back to an earlier version, by a new one: what has not started is to start when it did then,
   * as far as that is feasible. What has started, and what events did, stays.
   *
   * @throws InputError `no_version`, `bad_now`
   */
  undo(version: number, told: Told): Promise<ShopOutcome>;
  /** Approves the proposal that waits. @throws AlasError `no_proposal` */
  approve(by: string): Promise<ShopOutcome>;
  /** Declines the proposal that waits: the next method has its turn. @throws AlasError `no_proposal` */
  decline(by: string, reason: string): Promise<ShopOutcome>;
  /** A version, or the one that was followed at a time. @throws AlasError `no_version` */
  scheduleAt(when: { readonly version?: number; readonly time?: number }): ShopVersion;
  /** The operations that start at another time than in an earlier version, or are new since. */
  changesSince(version: number): readonly ShopChange[];
  /** Closes the shop: its run completes. */
  close(by?: string): Promise<RunResult>;
}

/**
 * Opens a shop in a log: a new one, for which `schedule` is needed, or that of `runId` where it left
 * off, whatever process had it before. Other processes may tell it of events, approve and decline
 * (`alas-jssp log signal`, `log approve`, `log deny`) as long as it is open here.
 *
 * @throws InputError as `readyShop` does; `no_schedule` if there is no such shop and no plan for one;
 *   `other_instance` if there is one, of another instance or plan than `schedule`
 * @throws AlasError `run_owned` if another process has it
 */
export async function openShop(options: ShopOptions): Promise<Shop> {
  const { store, runId = 'shop', clock = systemClock, signal, find } = options;
  const story = newStory(runId);
  const waiters = createWaiters(story);
  for (const entry of store.read({ runId })) tell(story, entry);
  const observed = observe(shopLog(store), runId, (entries) => {
    waiters.own();
    for (const entry of entries) tell(story, entry);
    waiters.look();
  });
  const common = { clock, signal, stay: true, whenOwned: 'refuse' as const };
  let memory: ShopMemory;
  let ended: Promise<RunResult>;
  if (hasRun(store, runId)) {
    requireSamePlan(story, options.schedule);
    memory = createShopMemory(store, find);
    ended = resumeRun(observed, runId, { ...common, registry: shopHandlers({ memory }) });
  } else {
    const { schedule } = options;
    if (schedule === undefined) {
      const problem = `the log has no shop ${runId}, and there is no schedule for one`;
      throw new InputError('no_schedule', problem, 'give the schedule that is to be followed');
    }
    const ready = readyShop(store, { ...options, schedule }, { find });
    memory = ready.memory;
    memory.open(runId, ready.input, schedule.instance);
    const { workflow, input, registry } = ready;
    const settings = { ...common, store: observed, registry, runId, unchecked: true };
    ended = runWorkflow(workflow, input, settings);
  }
  ended.then(waiters.end, waiters.fail);
  await waiters.ready();
  return shopOf({ story, memory, waiters, ended, runId, store: observed, clock });
}

interface OpenShop {
  readonly story: ShopStory;
  readonly memory: ShopMemory;
  readonly waiters: Waiters;
  readonly ended: Promise<RunResult>;
  readonly runId: string;
  readonly store: LogStore;
  readonly clock: Clock;
}

function shopOf(shop: OpenShop): Shop {
  const { story, memory, waiters, ended, runId, store, clock } = shop;
  const followed = () => memory.versionOf(runId, latestVersion(story));
  const lastNow = () => story.turns.at(-1)?.happened.now ?? 0;
  const requireNow = ({ now, by }: Told) => {
    if (!Number.isInteger(now) || now < lastNow()) {
      const cure = `give a whole number, ${lastNow()} or more`;
      throw new InputError('bad_now', `now is ${now}`, cure, {}, now);
    }
    return by === undefined ? { now } : { now, by: nameOf(by) };
  };
  const post = (data: Json): Promise<ShopOutcome> => {
    waiters.requireOpen();
    const ts = isoTime(clock.now());
    const id = store.post({ runId, ts, kind: 'signal', data: { name: NEWS, data } });
    return waiters.turn((turn) => turn.message === id);
  };
  const answer = async (act: (name: string) => void): Promise<ShopOutcome> => {
    waiters.requireOpen();
    const turn = story.turns.at(-1);
    if (turn === undefined || story.waitsFor?.kind !== 'approval') {
      throw new AlasError('no_proposal', `no proposal of the shop ${runId} waits for an approval`);
    }
    const { name } = story.waitsFor;
    const before = turn.proposal;
    act(name);
    return waiters.turn(
      (one) => one === turn,
      (one) => one.proposal !== before,
    );
  };
  return {
    runId,
    story,
    ended,
    get version() {
      return latestVersion(story);
    },
    get now() {
      return lastNow();
    },
    get schedule() {
      return followed().schedule;
    },
    async report(events, told) {
      const when = requireNow(told);
      if (events.length === 0) {
        throw new InputError('no_events', 'there are no events', 'give at least one');
      }
      const complete = completeEvents(events, told.now);
      // Refused before anything is written, unless the events before it are still to come.
      if (waiters.isIdle()) {
        applyEvents(followed().schedule, complete, told.now, { tooLate: 'skip' });
      }
      return post({ events: logEvents(complete), ...when });
    },
    async propose(wishes, told) {
      const when = requireNow(told);
      const { version, schedule } = followed();
      const operations = wishes.map(({ job, step }) => {
        const op = operationAt(schedule.instance, job, step);
        if (op >= 0) return op;
        const problem = `there is no step ${step} of a job ${job}`;
        throw new InputError('bad_start', problem, 'count both from 0');
      });
      const starts = wishes.map(({ start }) => start);
      return post({ propose: { version, operations, starts }, ...when });
    },
    async undo(version, told) {
      const when = requireNow(told);
      const last = latestVersion(story);
      if (!Number.isInteger(version) || version < 1 || version >= last) {
        const cure = last === 1 ? 'there is none to undo' : `give one from 1 to ${last - 1}`;
        throw new InputError('no_version', `the version to go back to is ${version}`, cure);
      }
      return post({ undo: version, ...when });
    },
    approve: (by) => answer((name) => void approve(store, runId, name, nameOf(by), clock)),
    decline: (by, reason) =>
      answer((name) => void deny(store, runId, name, nameOf(by), reason, clock)),
    scheduleAt({ version, time }) {
      if (version !== undefined) return memory.versionOf(runId, version);
      return memory.versionOf(runId, versionAt(story, time ?? lastNow()));
    },
    changesSince(version) {
      const last = latestVersion(story);
      return changesBetween(memory, runId, version, last);
    },
    async close(by) {
      waiters.requireOpen();
      const data = by === undefined ? { close: true } : { close: true, by: nameOf(by) };
      store.post({ runId, ts: isoTime(clock.now()), kind: 'signal', data: { name: NEWS, data } });
      return ended;
    },
  };
}

/** A name that the log can take. @throws InputError `bad_name` */
function nameOf(by: unknown): string {
  if (typeof by === 'string' && by !== '') return by;
  throw new InputError('bad_name', `who says so is ${JSON.stringify(by)}`, 'give a name', {}, by);
}

/** The version that a shop followed at a time: the last one that came to be followed by then. */
function versionAt({ turns }: ShopStory, time: number): number {
  let version = 1;
  for (const { committed, happened } of turns) {
    if (committed !== undefined && happened.now <= time) version = committed.version;
  }
  return version;
}

/** A store that tells of what is appended to a run in this process. */
function observe(
  store: LogStore,
  runId: string,
  onAppend: (entries: ReturnType<LogStore['append']>) => void,
): LogStore {
  return {
    ...store,
    append(entries, options) {
      const written = store.append(entries, options);
      if (entries[0]?.runId === runId) onAppend(written);
      return written;
    },
    acquire(request) {
      const answer = store.acquire(request);
      if (answer.status === 'owned' && request.runId === runId) onAppend(answer.entries);
      return answer;
    },
  };
}
