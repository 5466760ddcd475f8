import { AlasError, InputError } from '@alas-jssp/core/errors';
import type { Json, LogEntry, RunResult } from '@alas-jssp/workflow';
import { isPromise, type Maybe } from '@alas-jssp/workflow/interpreter';
import { applyEvents, completeEvents } from '../../disruption/apply-events.js';
import type { EventInput } from '../../disruption/index.js';
import { operationAt } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { withObjective } from '../../lcrp/policy/policy.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import { effectOfWithdrawal } from './apply-command.js';
import { changesBetween, type ShopChange } from './changes.js';
import { logEvents, loggedMeta, nameOf, otherRequest, requestDigest } from './log-values.js';
import { type RepairRow, readRow } from './row-names.js';
import { policyOfInstant } from './rows.js';
import { type ShopMemory, scheduleOf } from './shop-memory.js';
import type { CommandMeta, ShopVersion } from './shop-values.js';
import { SHOP_COMMAND } from './shop-workflow.js';
import {
  addEntry,
  keepLast,
  latestVersion,
  newStory,
  type ShopStory,
  type ShopTurn,
} from './story.js';
import { createWaiters, type ShopOutcome, type Waiters } from './waiters.js';

/** The metadata of a command, and its time in the time of the shop. */
export interface CommandContext extends CommandMeta {
  readonly now: number;
}

/** The context of a report, and the repair row. */
export interface ReportContext extends CommandContext {
  /** Default: the policy of the shop. */
  readonly row?: RepairRow | undefined;
}

/** The context of a withdrawal, and the events that replace the report. */
export interface WithdrawalContext extends CommandContext {
  readonly instead?: readonly EventInput[] | undefined;
}

/** A manually proposed start of an operation; job and step from 0. */
export interface WishedStart {
  readonly job: number;
  readonly step: number;
  readonly start: number;
}

/**
 * A shop in execution with a log: every event, repair, verdict, approval and version is an entry. Commands are
 * executed one after the other, in the order of their arrival. Operations, jobs and steps count from 0; times are
 * integers in the unit of the instance.
 */
export interface Shop {
  readonly runId: string;
  /** The version that is followed, from 1. */
  readonly version: number;
  /** The time of the last instant. */
  readonly now: number;
  /** The followed schedule, of the instance in execution. */
  readonly schedule: Schedule;
  /** The history so far, read from the log. */
  readonly story: ShopStory;
  /** Settles when the run ends: the shop was closed or cancelled, or no repair was accepted. */
  readonly ended: Promise<RunResult>;
  /**
   * Reports events at one instant. They are repaired together, by the policy of the shop or by the chosen `row`. With
   * a `key`, the request can be repeated, as can `propose`, `undo` and `withdraw`: a repeated request gets the outcome
   * of the first one.
   *
   * @throws InputError as `applyEvents` does, before anything is written, except for events that come too late: these
   *   are skipped and reported; `no_events`; `bad_now` for a time before the last instant; `bad_name` for an invalid
   *   `by`, as all commands do; `no_row` for an unknown row; `other_request` for the key of another request
   * @throws AlasError `no_repair` if every method of the policy failed: the shop ends, and its last version stays;
   *   `shop_ended`
   */
  report(events: readonly EventInput[], context: ReportContext): Promise<ShopOutcome>;
  /**
   * Proposes starts manually, for operations that have not started. The validator checks them like every repair.
   *
   * @throws InputError `bad_start` for an unknown operation; `bad_now`
   */
  propose(starts: readonly WishedStart[], context: CommandContext): Promise<ShopOutcome>;
  /**
   * Restores an earlier version as a new one: operations that have not started get their earlier starts, as far as
   * feasible. Started operations and the effects of events stay.
   *
   * @throws InputError `no_version`, `bad_now`
   */
  undo(version: number, context: CommandContext): Promise<ShopOutcome>;
  /**
   * Withdraws a mistaken report: the shop continues as if it had not been made, except for started operations.
   *
   * @param version the version that the report created
   * @param context.instead events that replace the report, at the same instant
   * @throws InputError `no_report` for a version that no report created, or whose report was withdrawn; `built_upon`
   *   if an operation has started that could not have started without it; as {@link Shop.report} does
   */
  withdraw(version: number, context: WithdrawalContext): Promise<ShopOutcome>;
  /**
   * Approves the waiting proposal. In a shop with a clock, a proposal whose starts have passed is recomputed for the
   * current time and approved again.
   *
   * @throws AlasError `no_proposal`
   */
  approve(by: string, meta?: CommandMeta): Promise<ShopOutcome>;
  /** Declines the waiting proposal: the plan before continues, delayed as needed. @throws AlasError `no_proposal` */
  decline(by: string, reason: string, meta?: CommandMeta): Promise<ShopOutcome>;
  /** A version by its number, or the version followed at a time. @throws AlasError `no_version` */
  scheduleAt(when: { readonly version?: number; readonly time?: number }): ShopVersion;
  /** The operations whose start differs from an earlier version, and new operations. */
  changesSince(version: number): readonly ShopChange[];
  /** The repair of an instant with a proposal or a committed version, for explanations. */
  repairOf(turn: ShopTurn): ShopRepair | undefined;
  /** Closes the shop: its run completes. */
  close(by?: string, meta?: CommandMeta): Promise<RunResult>;
}

/** The parts of a repair that explain it. */
export type ShopRepair = Pick<
  RepairResult,
  'task' | 'schedule' | 'policy' | 'before' | 'previous' | 'applied'
>;

/** The run of a shop in this or another process, as its followers use it. */
export interface ShopRun {
  /** The versions of the shop, from the received entries. */
  readonly memory: ShopMemory;
  /** The end of the run. */
  readonly ended: Promise<RunResult>;
  /** Posts a {@link SHOP_COMMAND} message; returns its number, which its log entry contains. */
  post(command: Json): Maybe<number>;
  /** Reads an instant that the story has dropped, by its entry. Default: the story keeps all. */
  readTurn?(entry: number): ShopTurn | undefined;
  /** Grants an approval that the run waits for. */
  approve(name: string, by: string, meta?: CommandMeta): Maybe<void>;
  deny(name: string, by: string, reason: string, meta?: CommandMeta): Maybe<void>;
}

/** Follows a shop: updates its story by log entries and resolves the callers that wait for outcomes. */
export interface ShopFollower {
  readonly story: ShopStory;
  /** Adds entries from before this process owns the run. */
  remember(entries: Iterable<LogEntry>): void;
  /** Adds entries of the open run, each once, in order. */
  take(entries: Iterable<LogEntry>): void;
  /** Resolves once the shop waits for a command or an approval, or has ended. */
  open(run: ShopRun): Promise<Shop>;
}

/** A listener of a shop, and how much of its story is kept. */
export interface FollowOptions {
  /** The number of settled instants that the story keeps. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Receives every entry of the open run after it was added to the story. */
  readonly onEntry?: ((entry: LogEntry, story: ShopStory) => void) | undefined;
}

/** Follows the run of a shop in this or another process; the caller passes its entries. */
export function followShop(
  runId: string,
  { keepTurns = Number.POSITIVE_INFINITY, onEntry }: FollowOptions = {},
): ShopFollower {
  const story = newStory(runId);
  const waiters = createWaiters(story);
  return {
    story,
    remember(entries) {
      for (const entry of entries) {
        addEntry(story, entry);
        keepLast(story, keepTurns);
      }
    },
    take(entries) {
      waiters.own();
      for (const entry of entries) {
        addEntry(story, entry);
        onEntry?.(entry, story);
      }
      waiters.look();
      keepLast(story, keepTurns);
    },
    async open(run) {
      run.ended.then(waiters.end, waiters.fail);
      await waiters.ready();
      return shopOf(story, waiters, run);
    },
  };
}

function shopOf(story: ShopStory, waiters: Waiters, run: ShopRun): Shop {
  const { memory, ended } = run;
  const { runId } = story;
  const followed = () => memory.versionOf(runId, latestVersion(story));
  const lastNow = () => story.turns.at(-1)?.instant.now ?? 0;
  const requireNow = ({ now, ...meta }: CommandContext) => {
    if (!Number.isInteger(now) || now < lastNow()) {
      const hint = `give a whole number, ${lastNow()} or more`;
      throw new InputError('bad_now', `now is ${now}`, hint, {}, now);
    }
    return { now, ...loggedMeta(meta) };
  };
  let posting = 0;
  const numberOf = async (posted: Promise<number>): Promise<number> => {
    posting++;
    return posted.finally(() => posting--);
  };
  const post = async (command: Json): Promise<ShopOutcome> => {
    waiters.requireOpen();
    const posted = run.post(command);
    const id = isPromise(posted) ? await numberOf(posted) : posted;
    return waiters.turn((turn) => turn.message === id);
  };
  const inFlight = new Map<string, { digest: string; outcome: Promise<ShopOutcome> }>();
  /** Executes a request once per key. */
  const once = (
    request: Json | object,
    context: CommandContext,
    act: (context: CommandContext) => Promise<ShopOutcome>,
  ): Promise<ShopOutcome> => {
    const { key } = context;
    if (key === undefined) return act(context);
    const digest = context.digest ?? requestDigest(request);
    const known = inFlight.get(key) ?? story.keyed.get(key);
    if (known !== undefined && known.digest !== digest) throw otherRequest(key);
    if (known !== undefined && 'outcome' in known) return known.outcome;
    if (known !== undefined) {
      const { entry, message } = known;
      return waiters.turn(
        (turn) => turn.message === message,
        undefined,
        () => (entry === undefined ? undefined : run.readTurn?.(entry)),
      );
    }
    const outcome = act({ ...context, digest }).finally(() => inFlight.delete(key));
    inFlight.set(key, { digest, outcome });
    return outcome;
  };
  const answer = async (act: (name: string) => Maybe<void>): Promise<ShopOutcome> => {
    waiters.requireOpen();
    const turn = story.turns.at(-1);
    if (turn === undefined || story.waitsFor?.kind !== 'approval') {
      throw new AlasError('no_proposal', `no proposal of the shop ${runId} waits for an approval`);
    }
    const { name } = story.waitsFor;
    const before = turn.proposal;
    const done = act(name);
    if (isPromise(done)) await done;
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
    async report(events, { row: given, ...context }) {
      const row = readRow(given);
      const request = { events, now: context.now, ...(row && { row }) };
      return once(request, context, async (noted) => {
        const when = requireNow(noted);
        if (events.length === 0) {
          throw new InputError('no_events', 'there are no events', 'give at least one');
        }
        const complete = completeEvents(events, context.now, followed().schedule.instance);
        // Invalid events are refused before anything is written, unless other commands are pending.
        if (posting === 0 && waiters.isIdle()) {
          applyEvents(followed().schedule, complete, context.now, { tooLate: 'skip' });
        }
        const logged = logEvents(complete, followed().schedule.instance);
        return post({ events: logged, ...(row && { row }), ...when });
      });
    },
    async propose(wishes, context) {
      return once({ propose: wishes, now: context.now }, context, async (noted) => {
        const when = requireNow(noted);
        const { version, schedule } = followed();
        const operations = wishes.map(({ job, step }) => {
          const op = operationAt(schedule.instance, job, step);
          if (op >= 0) return op;
          const problem = `there is no step ${step} of a job ${job}`;
          throw new InputError('bad_start', problem, 'count both from 0');
        });
        const starts = wishes.map(({ start }) => start);
        return post({ propose: { version, operations, starts }, ...when });
      });
    },
    async undo(version, context) {
      return once({ undo: version, now: context.now }, context, async (noted) => {
        const when = requireNow(noted);
        const last = latestVersion(story);
        if (!Number.isInteger(version) || version < 1 || version >= last) {
          const hint = last === 1 ? 'there is none to undo' : `give one from 1 to ${last - 1}`;
          throw new InputError('no_version', `the version to restore is ${version}`, hint);
        }
        return post({ undo: version, ...when });
      });
    },
    async withdraw(version, { instead = [], ...context }) {
      const request = { withdraw: version, instead, now: context.now };
      return once(request, context, async (noted) => {
        const when = requireNow(noted);
        const complete = completeEvents(instead, context.now, followed().schedule.instance);
        const events = logEvents(complete, followed().schedule.instance);
        const report = { withdraw: version, ...(events.length > 0 && { instead: events }) };
        if (posting === 0 && waiters.isIdle()) {
          effectOfWithdrawal(memory, runId, {
            ...report,
            version: latestVersion(story),
            now: context.now,
          });
        }
        return post({ ...report, ...when });
      });
    },
    async approve(by, meta) {
      const approve = () => answer((name) => run.approve(name, nameOf(by), meta));
      let outcome = await approve();
      // An approval covers the recomputed proposal too, if the approved one was outdated.
      for (let again = 0; again < MOST_REAPPROVALS && isRenewed(outcome); again++)
        outcome = await approve();
      return outcome;
    },
    decline: (by, reason, meta) => answer((name) => run.deny(name, nameOf(by), reason, meta)),
    scheduleAt({ version, time }) {
      if (version !== undefined) return memory.versionOf(runId, version);
      return memory.versionOf(runId, versionAt(story, memory, time ?? lastNow()));
    },
    changesSince(version) {
      const last = latestVersion(story);
      return changesBetween(memory, runId, version, last);
    },
    repairOf({ instant, committed, proposal }) {
      if (proposal === undefined) return undefined;
      const status = memory.statusOf(runId, instant);
      const schedule =
        committed === undefined
          ? (memory.proposed(proposal) ?? scheduleOf(status, proposal))
          : memory.versionOf(runId, committed.version).schedule;
      const previous = memory.versionOf(runId, instant.version).schedule;
      const own = policyOfInstant(memory.baseOf(runId).input.policy, instant);
      const policy = withObjective(status.task.instance, own);
      return { ...status, previous, schedule, policy };
    },
    async close(by, meta) {
      waiters.requireOpen();
      await run.post({ close: true, ...loggedMeta({ ...meta, by }) });
      return ended;
    },
  };
}

/** The largest number of recomputed proposals that an approval covers. */
const MOST_REAPPROVALS = 3;

/** Whether a proposal waits that replaced an outdated one at its approval. */
function isRenewed({ status, turn }: ShopOutcome): boolean {
  return status === 'waiting' && turn.rolledBack.at(-1)?.outdated === true;
}

/** The version that a shop followed at a time. */
function versionAt({ runId, turns, dropped }: ShopStory, memory: ShopMemory, time: number): number {
  if (dropped > 0 && (turns[0]?.instant.now ?? 0) > time) return memory.versionAt(runId, time);
  let version = turns[0]?.instant.version ?? 1;
  for (const { committed, instant } of turns) {
    if (committed !== undefined && instant.now <= time) version = committed.version;
  }
  return version;
}
