import { AlasError, InputError } from '../../core/errors.js';
import { applyEvents, completeEvents } from '../../disruption/apply-events.js';
import type { EventInput } from '../../disruption/index.js';
import { operationAt } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { withObjective } from '../../lcrp/policy/policy.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import type { Json, LogEntry, RunResult } from '../../workflow/index.js';
import { isPromise, type Maybe } from '../../workflow/interpreter/host.js';
import { changesBetween, type ShopChange } from './changes.js';
import { effectOfWithdrawal } from './happening.js';
import { logEvents, loggedNote, nameOf, otherRequest, requestDigest } from './news.js';
import { type RepairRow, readRow } from './row-names.js';
import { policyOfInstant } from './rows.js';
import { type ShopMemory, scheduleOf } from './shop-memory.js';
import type { ShopVersion, TellerNote } from './shop-values.js';
import { NEWS } from './shop-workflow.js';
import { keepLast, latestVersion, newStory, type ShopStory, type ShopTurn, tell } from './story.js';
import { createWaiters, type ShopOutcome, type Waiters } from './waiters.js';

/** Who says something to a shop, and when, in the time of the shop. */
export interface Told extends TellerNote {
  readonly now: number;
}

/** Who reports events, and by which row they are repaired. */
export interface Report extends Told {
  /** Default: the policy of the shop. */
  readonly row?: RepairRow | undefined;
}

/** Who withdraws a report, and what is reported in its place. */
export interface Correction extends Told {
  readonly instead?: readonly EventInput[] | undefined;
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
   * Tells of events at one instant; they are repaired together, by the policy of the shop, or by the `row` that is
   * chosen. With a `key` it may be sent again, as `propose` and
   * `undo` may: the same request gets the outcome of the first one.
   *
   * @throws InputError as `applyEvents` does, before anything is written, but for events that only come
   *   too late: these are skipped, and told; `no_events`; `bad_now` for a time before the last instant;
   *   like everything that is told, `bad_name` for a `by` that is none; `no_row` for a row that there is not; `other_request` for a key of another request
   * @throws AlasError `no_repair` if every method of the policy was tried in vain: the shop ends, and
   *   its last version stays; `shop_ended`
   */
  report(events: readonly EventInput[], told: Report): Promise<ShopOutcome>;
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
  /**
   * Withdraws a report that was a mistake: the shop goes on as if it had not been made, but for what has started since.
   *
   * @param version the version that the report made
   * @param told.instead events to report in its place, at the same instant
   * @throws InputError `no_report` for a version that no report made, or one that was withdrawn; `built_upon` where
   *   what has started since could not have started without it; as {@link Shop.report} does
   */
  withdraw(version: number, told: Correction): Promise<ShopOutcome>;
  /**
   * Approves the proposal that waits. Where the time of the shop passes by itself, and something of it would
   * have had to start by then, it is made anew for now, and approved.
   *
   * @throws AlasError `no_proposal`
   */
  approve(by: string, note?: TellerNote): Promise<ShopOutcome>;
  /** Declines the proposal that waits: the plan before goes on, as well as it can. @throws AlasError `no_proposal` */
  decline(by: string, reason: string, note?: TellerNote): Promise<ShopOutcome>;
  /** A version, or the one that was followed at a time. @throws AlasError `no_version` */
  scheduleAt(when: { readonly version?: number; readonly time?: number }): ShopVersion;
  /** The operations that start at another time than in an earlier version, or are new since. */
  changesSince(version: number): readonly ShopChange[];
  /** The repair of an instant that has a proposal, or a version that was committed: all that explains it. */
  repairOf(turn: ShopTurn): ShopRepair | undefined;
  /** Closes the shop: its run completes. */
  close(by?: string, note?: TellerNote): Promise<RunResult>;
}

/** The parts of a repair that explain it. */
export type ShopRepair = Pick<
  RepairResult,
  'task' | 'schedule' | 'policy' | 'before' | 'previous' | 'applied'
>;

/** The run of a shop as its followers see it, wherever it runs. */
export interface ShopRun {
  /** The versions of the shop, as the entries that were told have them. */
  readonly memory: ShopMemory;
  /** The end of the run. */
  readonly ended: Promise<RunResult>;
  /** Tells the run something, in the name of {@link NEWS}; gives the number of the message, which its entry names. */
  post(news: Json): Maybe<number>;
  /** An instant that the story no longer keeps, by its entry. Default: the story keeps all. */
  readTurn?(entry: number): ShopTurn | undefined;
  /** Answers an approval that the run waits for. */
  approve(name: string, by: string, note?: TellerNote): Maybe<void>;
  deny(name: string, by: string, reason: string, note?: TellerNote): Maybe<void>;
}

/** The story of a shop as its entries come in, and those who wait for what becomes of what they told it. */
export interface ShopFollower {
  readonly story: ShopStory;
  /** Takes entries that were there before the run is ours: they promise nothing yet. */
  remember(entries: Iterable<LogEntry>): void;
  /** Takes entries of a run that is open, each once, in their order. */
  take(entries: Iterable<LogEntry>): void;
  /** Gives the shop once it waits for something, or has ended. */
  open(run: ShopRun): Promise<Shop>;
}

/** Who follows a shop besides, and how much of its story is kept. */
export interface FollowOptions {
  /** Settled instants that the story keeps. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Told of every entry of a run that is open, after it was added to the story. */
  readonly onEntry?: ((entry: LogEntry, story: ShopStory) => void) | undefined;
}

/** Follows the run of a shop, wherever it runs: whoever hears of its entries hands them on. */
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
        tell(story, entry);
        keepLast(story, keepTurns);
      }
    },
    take(entries) {
      waiters.own();
      for (const entry of entries) {
        tell(story, entry);
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
  const lastNow = () => story.turns.at(-1)?.happened.now ?? 0;
  const requireNow = ({ now, ...note }: Told) => {
    if (!Number.isInteger(now) || now < lastNow()) {
      const hint = `give a whole number, ${lastNow()} or more`;
      throw new InputError('bad_now', `now is ${now}`, hint, {}, now);
    }
    return { now, ...loggedNote(note) };
  };
  let underWay = 0;
  const numberOf = async (posted: Promise<number>): Promise<number> => {
    underWay++;
    return posted.finally(() => underWay--);
  };
  const post = async (news: Json): Promise<ShopOutcome> => {
    waiters.requireOpen();
    const posted = run.post(news);
    const id = isPromise(posted) ? await numberOf(posted) : posted;
    return waiters.turn((turn) => turn.message === id);
  };
  const inFlight = new Map<string, { asked: string; outcome: Promise<ShopOutcome> }>();
  /** Executes a request, once for each key. */
  const once = (
    request: Json | object,
    told: Told,
    act: (told: Told) => Promise<ShopOutcome>,
  ): Promise<ShopOutcome> => {
    const { key } = told;
    if (key === undefined) return act(told);
    const asked = told.asked ?? requestDigest(request);
    const known = inFlight.get(key) ?? story.keyed.get(key);
    if (known !== undefined && known.asked !== asked) throw otherRequest(key);
    if (known !== undefined && 'outcome' in known) return known.outcome;
    if (known !== undefined) {
      const { entry, message } = known;
      return waiters.turn(
        (turn) => turn.message === message,
        undefined,
        () => (entry === undefined ? undefined : run.readTurn?.(entry)),
      );
    }
    const outcome = act({ ...told, asked }).finally(() => inFlight.delete(key));
    inFlight.set(key, { asked, outcome });
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
    async report(events, { row: given, ...told }) {
      const row = readRow(given);
      const request = { events, now: told.now, ...(row && { row }) };
      return once(request, told, async (noted) => {
        const when = requireNow(noted);
        if (events.length === 0) {
          throw new InputError('no_events', 'there are no events', 'give at least one');
        }
        const complete = completeEvents(events, told.now, followed().schedule.instance);
        // Refused before anything is written, unless the events before it are still to come.
        if (underWay === 0 && waiters.isIdle()) {
          applyEvents(followed().schedule, complete, told.now, { tooLate: 'skip' });
        }
        const logged = logEvents(complete, followed().schedule.instance);
        return post({ events: logged, ...(row && { row }), ...when });
      });
    },
    async propose(wishes, told) {
      return once({ propose: wishes, now: told.now }, told, async (noted) => {
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
    async undo(version, told) {
      return once({ undo: version, now: told.now }, told, async (noted) => {
        const when = requireNow(noted);
        const last = latestVersion(story);
        if (!Number.isInteger(version) || version < 1 || version >= last) {
          const hint = last === 1 ? 'there is none to undo' : `give one from 1 to ${last - 1}`;
          throw new InputError('no_version', `the version to go back to is ${version}`, hint);
        }
        return post({ undo: version, ...when });
      });
    },
    async withdraw(version, { instead = [], ...told }) {
      const request = { withdraw: version, instead, now: told.now };
      return once(request, told, async (noted) => {
        const when = requireNow(noted);
        const complete = completeEvents(instead, told.now, followed().schedule.instance);
        const events = logEvents(complete, followed().schedule.instance);
        const report = { withdraw: version, ...(events.length > 0 && { instead: events }) };
        if (underWay === 0 && waiters.isIdle()) {
          effectOfWithdrawal(memory, runId, {
            ...report,
            version: latestVersion(story),
            now: told.now,
          });
        }
        return post({ ...report, ...when });
      });
    },
    async approve(by, note) {
      const approve = () => answer((name) => run.approve(name, nameOf(by), note));
      let outcome = await approve();
      // Approved is what is to be done, and not a time that has passed meanwhile.
      for (let again = 0; again < MOST_AGAIN && isRenewed(outcome); again++)
        outcome = await approve();
      return outcome;
    },
    decline: (by, reason, note) => answer((name) => run.deny(name, nameOf(by), reason, note)),
    scheduleAt({ version, time }) {
      if (version !== undefined) return memory.versionOf(runId, version);
      return memory.versionOf(runId, versionAt(story, memory, time ?? lastNow()));
    },
    changesSince(version) {
      const last = latestVersion(story);
      return changesBetween(memory, runId, version, last);
    },
    repairOf({ happened, committed, proposal }) {
      if (proposal === undefined) return undefined;
      const status = memory.statusOf(runId, happened);
      const schedule =
        committed === undefined
          ? (memory.proposed(proposal) ?? scheduleOf(status, proposal))
          : memory.versionOf(runId, committed.version).schedule;
      const previous = memory.versionOf(runId, happened.version).schedule;
      const own = policyOfInstant(memory.baseOf(runId).input.policy, happened);
      const policy = withObjective(status.task.instance, own);
      return { ...status, previous, schedule, policy };
    },
    async close(by, note) {
      waiters.requireOpen();
      await run.post({ close: true, ...loggedNote({ ...note, by }) });
      return ended;
    },
  };
}

/** How often what was made anew for the time by then is approved in the name of who approved it first. */
const MOST_AGAIN = 3;

/** Whether a proposal waits that was made anew when the one before was approved. */
function isRenewed({ status, turn }: ShopOutcome): boolean {
  return status === 'waiting' && turn.rolledBack.at(-1)?.outdated === true;
}

/** The version that a shop followed at a time: the last one that came to be followed by then. */
function versionAt({ runId, turns, dropped }: ShopStory, memory: ShopMemory, time: number): number {
  if (dropped > 0 && (turns[0]?.happened.now ?? 0) > time) return memory.versionAt(runId, time);
  let version = turns[0]?.happened.version ?? 1;
  for (const { committed, happened } of turns) {
    if (committed !== undefined && happened.now <= time) version = committed.version;
  }
  return version;
}
