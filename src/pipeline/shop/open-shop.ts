import { type Clock, systemClock } from '../../core/clock.js';
import { InputError } from '../../core/errors.js';
import { isoTime } from '../../core/iso-time.js';
import {
  type Json,
  type LogEntry,
  type LogStore,
  type RunOptions,
  type RunResult,
  resumeRun,
  runWorkflow,
} from '../../workflow/index.js';
import { hasRun } from '../../workflow/log/store.js';
import { type FollowOptions, followShop, type Shop } from './follow-shop.js';
import { loggedNote } from './news.js';
import { createShopMemory, type ShopMemory, stepOf } from './shop-memory.js';
import { type LimitRow, shopHandlers } from './shop-steps.js';
import type { FindInstance } from './shop-values.js';
import { NEWS } from './shop-workflow.js';
import { type NewShop, readyShop, requireSamePlan, shopLog } from './start-shop.js';
import { readTurn } from './story.js';

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
  /** Leaves the shop as it is, for whoever goes on with it: its run breaks off with `left`. */
  readonly leave?: AbortSignal | undefined;
  /** Settled instants that `story` of the shop keeps in memory. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Told of every entry, after it was added to the story; those of an instant once they are written. */
  readonly onEntry?: FollowOptions['onEntry'];
  /** The name of the owner of its run; and whether another owner is known to have ended. Default: as those of runs. */
  readonly owner?: RunOptions['owner'];
  readonly isGone?: RunOptions['isGone'];
  /** Reduces the policy of a row that a report chose. Default: it stays as it is. */
  readonly limitRow?: LimitRow | undefined;
  /** Called before a step is computed; what it gives is called when that has returned. */
  readonly onCompute?: (() => () => void) | undefined;
  /** Finds an instance that the log names and does not hold. */
  readonly find?: FindInstance | undefined;
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
  const { store, runId = 'shop', clock = systemClock, signal, leave, find } = options;
  const { onCompute, limitRow } = options;
  const follower = followShop(runId, options);
  follower.remember(store.read({ runId }));
  const observed = observe(shopLog(store), runId, follower.take);
  const common = {
    clock,
    signal,
    leave,
    stay: true,
    forgetful: options.keepTurns !== undefined,
    whenOwned: 'refuse' as const,
    ...{ owner: options.owner, isGone: options.isGone },
  };
  let memory: ShopMemory;
  let ended: Promise<RunResult>;
  if (hasRun(store, runId)) {
    requireSamePlan(follower.story, options.schedule);
    memory = createShopMemory(store, find);
    ended = resumeRun(observed, runId, {
      ...common,
      registry: shopHandlers({ memory, onCompute, limitRow }),
    });
  } else {
    const { schedule } = options;
    if (schedule === undefined) {
      const problem = `the log has no shop ${runId}, and there is no schedule for one`;
      throw new InputError('no_schedule', problem, 'give the schedule that is to be followed');
    }
    const ready = readyShop(store, { ...options, schedule }, { find, onCompute, limitRow });
    memory = ready.memory;
    memory.open(runId, ready.input, schedule.instance);
    const { workflow, input, registry } = ready;
    const settings = { ...common, store: observed, registry, runId, unchecked: true };
    ended = runWorkflow(workflow, input, settings);
  }
  const post = (kind: string, data: Json) =>
    observed.post({ runId, ts: isoTime(clock.now()), kind, data });
  return follower.open({
    memory,
    ended,
    readTurn: (entry) => readTurn(store, runId, entry),
    post: (data) => post('signal', { name: NEWS, data }),
    approve: (name, by, note) => void post('approve', { ...loggedNote(note), name, by }),
    deny: (name, by, reason, note) => void post('deny', { ...loggedNote(note), name, by, reason }),
  });
}

/** A store that tells of what is appended to a run in this process: of what settles an instant once it is written. */
function observe(
  store: LogStore,
  runId: string,
  onAppend: (entries: ReturnType<LogStore['append']>) => void,
): LogStore {
  const held: LogEntry[] = [];
  return {
    ...store,
    append(entries, options) {
      const appended = store.append(entries, options);
      if (entries[0]?.runId !== runId) return appended;
      held.push(...appended);
      const isWritten = appended[appended.length - 1].hash !== '';
      if (isWritten || !held.some(({ nodeId }) => stepOf(nodeId) === 'settle')) {
        onAppend(held.splice(0));
      }
      return appended;
    },
    acquire(request) {
      const answer = store.acquire(request);
      // A run that is gone on with is ours once it says so: it takes in the same breath what was sent before.
      const isNew = answer.status === 'owned' && answer.entries.length > 0;
      if (isNew && request.runId === runId) onAppend(answer.entries);
      return answer;
    },
  };
}
