import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import {
  hasRun,
  type Json,
  type LogEntry,
  type LogStore,
  type RunOptions,
  type RunResult,
  resumeRun,
  runWorkflow,
} from '@alas-jssp/workflow';
import { type FollowOptions, followShop, type Shop } from './follow-shop.js';
import { loggedMeta } from './log-values.js';
import { createShopMemory, type ShopMemory, stepOf } from './shop-memory.js';
import { type LimitRow, shopHandlers } from './shop-steps.js';
import type { FindInstance } from './shop-values.js';
import { SHOP_COMMAND } from './shop-workflow.js';
import { type NewShop, readyShop, requireSamePlan, shopLog } from './start-shop.js';
import { readTurn } from './story.js';

/** The log of a shop and how to run it. */
export interface ShopOptions extends Partial<NewShop> {
  /** The log, of any kind; nothing else is written. */
  readonly store: LogStore;
  /** The id of its run. If the log has a shop of that id, it is resumed. Default `shop`. */
  readonly runId?: string | undefined;
  /** Dates entries and times approvals; the time of the shop is separate. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Cancels the shop; the last version stays. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves the shop so that another process can resume it: `ended` rejects with `left`. */
  readonly leave?: AbortSignal | undefined;
  /** The number of settled instants that `story` keeps in memory. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Receives every entry after it was added to the story; the entries of an instant once they are written. */
  readonly onEntry?: FollowOptions['onEntry'];
  /** The owner of its run, and whether another owner is known to have ended. Defaults: as in `RunOptions`. */
  readonly owner?: RunOptions['owner'];
  readonly isGone?: RunOptions['isGone'];
  /** Reduces the policy of a row that a report chose. Default: no change. */
  readonly limitRow?: LimitRow | undefined;
  /** Called before a step is computed; the returned function is called after it. */
  readonly onCompute?: (() => () => void) | undefined;
  /** Finds an instance that the log references without its content. */
  readonly find?: FindInstance | undefined;
}

/**
 * Opens a shop in a log. If the log has a run `runId`, the shop is resumed, whichever process ran it before;
 * otherwise a new shop is started, which needs `schedule`. While it is open here, other processes can send it
 * commands and answer its proposals (`alas-jssp log signal`, `log approve`, `log deny`).
 *
 * @throws InputError as `readyShop` does; `no_schedule` if there is neither a shop nor a schedule;
 *   `other_instance` if the shop has another instance or plan than `schedule`
 * @throws AlasError `run_owned` if another process owns the run
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
    owner: options.owner,
    isGone: options.isGone,
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
      throw new InputError('no_schedule', problem, 'give the schedule to follow');
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
    post: (data) => post('signal', { name: SHOP_COMMAND, data }),
    approve: (name, by, note) => void post('approve', { ...loggedMeta(note), name, by }),
    deny: (name, by, reason, note) => void post('deny', { ...loggedMeta(note), name, by, reason }),
  });
}

/** Wraps a store to notify of entries appended to a run; the entries that settle an instant are held until written. */
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
      // A resumed run appends its entry of ownership and takes pending messages in the same transaction.
      const isNew = answer.status === 'owned' && answer.entries.length > 0;
      if (isNew && request.runId === runId) onAppend(answer.entries);
      return answer;
    },
  };
}
