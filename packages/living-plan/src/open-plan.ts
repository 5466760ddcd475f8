import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { isoTime } from '@alas-jssp/core/iso-time';
import {
  type EventType,
  grouping,
  hasRun,
  type Json,
  type LogEntry,
  type LogStore,
  type Registry,
  type RunOptions,
  type RunResult,
  resumeRun,
  runWorkflow,
  type Workflow,
} from '@alas-jssp/workflow';
import type { Maybe } from '@alas-jssp/workflow/interpreter';
import { type FollowOptions, followPlan, type LivingPlan } from './follow-plan.js';
import { loggedMeta } from './log-values.js';
import type { PlanMemory } from './plan-memory.js';
import type { PlanKind } from './plan-values.js';
import { PLAN_COMMAND, stepOf } from './step-names.js';
import type { PlanStory, StoryReader } from './story.js';

/** The log of a plan and how to run it. */
export interface OpenOptions<K extends PlanKind> {
  /** The log, of any kind; nothing else is written. */
  readonly store: LogStore;
  /** Dates entries and times approvals; the time of the plan is separate. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Cancels the plan; the last version stays. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves the plan so that another process can resume it: `ended` rejects with `left`. */
  readonly leave?: AbortSignal | undefined;
  /** The number of settled instants that `story` keeps in memory. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Receives every entry after it was added to the story; the entries of an instant once they are written. */
  readonly onEntry?: FollowOptions<K>['onEntry'];
  /** The owner of its run, and whether another owner is known to have ended. Defaults: as in `RunOptions`. */
  readonly owner?: RunOptions['owner'];
  readonly isGone?: RunOptions['isGone'];
  readonly leaseSeconds?: RunOptions['leaseSeconds'];
  /** Whether this process owns the run only to handle commands, so that others can in between. Default false. */
  readonly visits?: boolean | undefined;
}

/** A plan that is ready to start or to resume. */
interface ReadyRun<K extends PlanKind> {
  readonly memory: PlanMemory<K>;
  readonly registry: Registry;
  /** Of a new run. */
  readonly start?: { readonly workflow: Workflow; readonly input: object } | undefined;
}

/**
 * Opens a plan in a log. If the log has a run `runId`, the plan is resumed, whichever process ran it before. While it
 * is open here, other processes can send it commands and answer its proposals (`alas-jssp log signal`, `log approve`,
 * `log deny`).
 *
 * @param ready prepares the run from its story so far, undefined for a new run; may refuse it
 * @throws AlasError `run_owned` if another process owns the run
 */
export async function openPlan<K extends PlanKind>(
  reader: StoryReader<K>,
  runId: string,
  options: OpenOptions<K>,
  ready: (story: PlanStory<K> | undefined) => ReadyRun<K>,
): Promise<LivingPlan<K>> {
  const { store, clock = systemClock, signal, leave, owner, isGone, leaseSeconds } = options;
  const { keepTurns, visits = false } = options;
  const follower = followPlan(reader, runId, options);
  const { story } = follower;
  follower.remember(store.read({ runId }));
  const { memory, registry, start } = ready(hasRun(store, runId) ? story : undefined);
  const log = visits ? store : observe(planLog(store), runId, follower.take);
  const settings = {
    registry,
    clock,
    signal,
    leave,
    owner,
    isGone,
    leaseSeconds,
    stay: !visits,
    forgetful: keepTurns !== undefined,
    whenOwned: 'refuse' as const,
  };
  const resume = () => resumeRun(log, runId, settings);
  const first =
    start === undefined
      ? resume()
      : runWorkflow(start.workflow, start.input, {
          ...settings,
          store: log,
          runId,
          unchecked: !visits,
        });
  const catchUp = () => follower.take(store.read({ runId, from: story.entries }));
  let end: (result: RunResult) => void = () => {};
  const ended = visits ? new Promise<RunResult>((resolve) => (end = resolve)) : first;
  /** Whether the last visit failed: its command may be queued, and be unknown to the story. */
  let isInterrupted = false;
  /** Waits until a visit is over. */
  const visit = async (run: Promise<RunResult>) => {
    isInterrupted = true;
    const result = await run;
    isInterrupted = false;
    catchUp();
    if (story.end !== null) end(result);
  };
  if (visits) await visit(first);
  /** The visits of this process, one after the other: each owns the run. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
  const post = (kind: string, data: Json): Maybe<number> => {
    const add = () => log.post({ runId, ts: isoTime(clock.now()), kind, data });
    if (!visits) return add();
    return inTurn(async () => {
      const id = add();
      await visit(resume());
      return id;
    });
  };
  const answer = async (kind: string, data: Json) => void (await post(kind, data));
  return follower.open({
    memory,
    ended,
    ...(visits && { catchUp, drive: () => inTurn(() => visit(resume())) }),
    isInterrupted: () => isInterrupted,
    readTurn: (entry) => reader.readTurn(store, runId, entry),
    post: (data) => post('signal', { name: PLAN_COMMAND, data }),
    approve: (name, by, note) => answer('approve', { ...loggedMeta(note), name, by }),
    deny: (name, by, reason, note) => answer('deny', { ...loggedMeta(note), name, by, reason }),
  });
}

/** The types of entries whose write can wait for the end of their instant. */
const CAN_WAIT: readonly EventType[] = ['StartNode', 'EndNode', 'SkipNode', 'Choose', 'Iterate'];

/**
 * Groups the entries of each instant into one transaction. All steps but notices are pure: if the process is killed
 * before, the steps are recomputed, and no one was notified of their results. In a live plan, the entry that settles
 * an instant is written together with the next one, with which the plan waits again or ends.
 */
export function planLog(store: LogStore): LogStore {
  return grouping(
    store,
    ({ eventType, nodeId }) =>
      CAN_WAIT.includes(eventType) && (stepOf(nodeId) !== 'settle' || nodeId.startsWith('living')),
  );
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
