import { AlasError, InputError } from '@alas-jssp/core/errors';
import type { Json, LogEntry, RunResult } from '@alas-jssp/workflow';
import { isPromise, type Maybe } from '@alas-jssp/workflow/interpreter';
import { loggedMeta, nameOf, otherRequest, requestDigest } from './log-values.js';
import type { PlanMemory } from './plan-memory.js';
import type { CommandMeta, PlanKind, PlanVersion } from './plan-values.js';
import { keepLast, type PlanStory, type PlanTurn, type StoryReader } from './story.js';

/** The metadata of a command, and its time in the time of the plan. */
export interface CommandContext extends CommandMeta {
  readonly now: number;
}

/** The outcome of a command to a plan. */
export type PlanOutcome<K extends PlanKind = PlanKind> =
  /** A new version is followed. */
  | {
      readonly status: 'committed';
      readonly version: number;
      readonly proposal: K['Proposal'];
      readonly turn: PlanTurn<K>;
    }
  /** A proposal waits for approval: see `approve` and `decline`. */
  | {
      readonly status: 'waiting';
      readonly approval: string;
      readonly proposal: K['Proposal'];
      readonly turn: PlanTurn<K>;
    }
  /** The command had no effect: it came too late or was invalid by then. */
  | { readonly status: 'skipped'; readonly reasons: readonly string[]; readonly turn: PlanTurn<K> }
  /** An undo or manual proposal was refused or declined: the version before stays. */
  | {
      readonly status: 'declined';
      readonly reasons: readonly string[];
      readonly turn: PlanTurn<K>;
    };

/**
 * A plan in execution with a log: every event, repair, verdict, approval and version is an entry. Commands are
 * executed one after the other, in the order of their arrival.
 */
export interface LivingPlan<K extends PlanKind> {
  readonly runId: string;
  /** The version that is followed, from 1. */
  readonly version: number;
  /** The time of the last instant. */
  readonly now: number;
  readonly plan: PlanVersion<K>;
  /** The history so far, read from the log. */
  readonly story: PlanStory<K>;
  /** Settles when the run ends: the plan was closed or cancelled, or no repair was accepted. */
  readonly ended: Promise<RunResult>;
  /** Whether no command is queued, so that the next one applies to the followed version. */
  isIdle(): boolean;
  /**
   * Sends a command. With a `key` the request can be repeated: a repeated request gets the outcome of the first one.
   *
   * @param request identifies the request if its key is repeated
   * @param encode the command, encoded for the log; may refuse it before anything is written
   * @throws InputError `bad_now` for a time before the last instant; `bad_name` for an invalid `by`; `other_request`
   *   for the key of another request
   * @throws AlasError `no_repair` if every method of the policy failed: the plan ends, and its last version stays
   */
  execute(
    request: Json | object,
    context: CommandContext,
    encode: () => object,
  ): Promise<PlanOutcome<K>>;
  /**
   * Restores an earlier version as a new one, as far as feasible. What has started and the effects of events stay.
   *
   * @throws InputError `no_version`, `bad_now`
   */
  undo(version: number, context: CommandContext): Promise<PlanOutcome<K>>;
  /**
   * Approves the waiting proposal. In a plan with a clock, a proposal whose starts have passed is recomputed for the
   * current time and approved again.
   *
   * @throws AlasError `no_proposal`
   */
  approve(by: string, meta?: CommandMeta): Promise<PlanOutcome<K>>;
  /** Declines the waiting proposal: the plan before continues, delayed as needed. @throws AlasError `no_proposal` */
  decline(by: string, reason: string, meta?: CommandMeta): Promise<PlanOutcome<K>>;
  /** A version by its number, or the version followed at a time. @throws AlasError `no_version` */
  versionAt(when: { readonly version?: number; readonly time?: number }): PlanVersion<K>;
  /** Reads what other processes have written by now, if this one owns the run only to handle commands. */
  catchUp(): void;
  /** Closes the plan: its run completes. */
  close(by?: string, meta?: CommandMeta): Promise<RunResult>;
}

/** The run of a plan in this or another process, as its followers use it. */
export interface PlanRun<K extends PlanKind> {
  /** The versions of the plan, from the received entries. */
  readonly memory: PlanMemory<K>;
  /** The end of the run. */
  readonly ended: Promise<RunResult>;
  /** Posts a `PLAN_COMMAND` message; returns its number, which its log entry contains. */
  post(command: Json): Maybe<number>;
  /** Reads an instant that the story has dropped, by its entry. Default: the story keeps all. */
  readTurn?(entry: number): PlanTurn<K> | undefined;
  catchUp?(): void;
  /** Resumes the run, if nothing else drives it between commands. */
  drive?(): Promise<void>;
  /** Whether its last command failed after it was queued. */
  isInterrupted?(): boolean;
  /** Grants an approval that the run waits for. */
  approve(name: string, by: string, meta?: CommandMeta): Maybe<void>;
  deny(name: string, by: string, reason: string, meta?: CommandMeta): Maybe<void>;
}

/** Follows a plan: updates its story by log entries and resolves the callers that wait for outcomes. */
export interface PlanFollower<K extends PlanKind> {
  readonly story: PlanStory<K>;
  /** Adds entries from before this process owns the run. */
  remember(entries: Iterable<LogEntry>): void;
  /** Adds entries of the open run, each once, in order. */
  take(entries: Iterable<LogEntry>): void;
  /** Resolves once the plan waits for a command or an approval, or has ended. */
  open(run: PlanRun<K>): Promise<LivingPlan<K>>;
}

/** A listener of a plan, and how much of its story is kept. */
export interface FollowOptions<K extends PlanKind> {
  /** The number of settled instants that the story keeps. Default: all. */
  readonly keepTurns?: number | undefined;
  /** Receives every entry of the open run after it was added to the story. */
  readonly onEntry?: ((entry: LogEntry, story: PlanStory<K>) => void) | undefined;
}

/**
 * Follows the run of a plan in this or another process; the caller passes its entries.
 */
export function followPlan<K extends PlanKind>(
  { noun, newStory, addEntry }: StoryReader<K>,
  runId: string,
  { keepTurns = Number.POSITIVE_INFINITY, onEntry }: FollowOptions<K> = {},
): PlanFollower<K> {
  const story = newStory(runId);
  const waiters = createWaiters(story, noun);
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
      return livingPlan(story, waiters, run);
    },
  };
}

function livingPlan<K extends PlanKind>(
  story: PlanStory<K>,
  waiters: ReturnType<typeof createWaiters<K>>,
  run: PlanRun<K>,
): LivingPlan<K> {
  const { memory, ended } = run;
  const { runId } = story;
  const lastNow = () => story.turns.at(-1)?.instant.now ?? memory.baseOf(runId).first.now;
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
  const post = async (command: object): Promise<PlanOutcome<K>> => {
    waiters.requireOpen();
    const posted = run.post(command as Json);
    const id = isPromise(posted) ? await numberOf(posted) : posted;
    return waiters.turn((turn) => turn.message === id);
  };
  const inFlight = new Map<string, { digest: string; outcome: Promise<PlanOutcome<K>> }>();
  const execute: LivingPlan<K>['execute'] = async (request, context, encode) => {
    const send = async (noted: CommandContext) => {
      const when = requireNow(noted);
      return post({ ...encode(), ...when });
    };
    const { key } = context;
    if (key === undefined) return send(context);
    if (run.isInterrupted?.() && story.end === null) await run.drive?.();
    const digest = context.digest ?? requestDigest(request);
    const known = inFlight.get(key) ?? story.keyed.get(key);
    if (known !== undefined && known.digest !== digest) throw otherRequest(key);
    if (known !== undefined && 'outcome' in known) return known.outcome;
    if (known !== undefined) {
      const { entry, message } = known;
      // The first request may have failed after its command was written.
      const isOpen = story.turns.some((turn) => turn.message === message && !turn.settled);
      if ((entry === undefined || isOpen) && story.end === null) await run.drive?.();
      return waiters.turn(
        (turn) => turn.message === message,
        undefined,
        () => (entry === undefined ? undefined : run.readTurn?.(entry)),
      );
    }
    const outcome = send({ ...context, digest }).finally(() => inFlight.delete(key));
    inFlight.set(key, { digest, outcome });
    return outcome;
  };
  const answer = async (act: (name: string) => Maybe<void>): Promise<PlanOutcome<K>> => {
    waiters.requireOpen();
    const turn = story.turns.at(-1);
    if (turn === undefined || story.waitsFor?.kind !== 'approval') {
      const problem = `no proposal of the ${memory.noun} ${runId} waits for an approval`;
      throw new AlasError('no_proposal', problem);
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
      return story.version;
    },
    get now() {
      return lastNow();
    },
    get plan() {
      return memory.versionOf(runId, story.version);
    },
    isIdle: () => posting === 0 && waiters.isIdle(),
    execute,
    undo(version, context) {
      return execute({ undo: version, now: context.now }, context, () => {
        const last = story.version;
        if (!Number.isInteger(version) || version < 1 || version >= last) {
          const hint = last === 1 ? 'there is none to undo' : `give one from 1 to ${last - 1}`;
          throw new InputError('no_version', `the version to restore is ${version}`, hint);
        }
        return { undo: version };
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
    versionAt: ({ version, time = lastNow() }) =>
      memory.versionOf(runId, version ?? versionAt(story, memory, time)),
    catchUp: () => run.catchUp?.(),
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
function isRenewed({ status, turn }: PlanOutcome): boolean {
  return status === 'waiting' && turn.rolledBack.at(-1)?.outdated === true;
}

/** The version that a plan followed at a time. */
function versionAt<K extends PlanKind>(
  { runId, turns, dropped }: PlanStory<K>,
  memory: PlanMemory<K>,
  time: number,
): number {
  if (dropped > 0 && (turns[0]?.instant.now ?? 0) > time) return memory.versionAt(runId, time);
  let version = turns[0]?.instant.version ?? 1;
  for (const { committed, instant } of turns) {
    if (committed !== undefined && instant.now <= time) version = committed.version;
  }
  return version;
}

interface Waiter {
  look(): boolean;
  reject(error: unknown): void;
}

/** The callers that wait for the outcome of a command, over a story that its follower updates. */
function createWaiters<K extends PlanKind>(story: PlanStory<K>, noun: string) {
  const waiting = new Set<Waiter>();
  let over: { readonly error: unknown } | undefined;
  let isOurs = false;
  const wait = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        look() {
          const found = find();
          if (found === undefined) return false;
          resolve(found);
          return true;
        },
        reject,
      };
      if (waiter.look()) return;
      if (over !== undefined) reject(over.error);
      else waiting.add(waiter);
    });
  const fail = (error: unknown) => {
    over = { error };
    for (const waiter of waiting) if (!waiter.look()) waiter.reject(error);
    waiting.clear();
  };
  return {
    fail,
    look(): void {
      for (const waiter of waiting) if (waiter.look()) waiting.delete(waiter);
    },
    /** Notes that this process owns the run; before, the story may describe the work of another process. */
    own(): void {
      isOurs = true;
    },
    /**
     * Waits until this process owns the plan and all commands in its log are applied or one waits for approval, or it
     * has ended.
     */
    async ready(): Promise<void> {
      const isReady = () => {
        const { waitsFor, pending, end } = story;
        const isCaughtUp =
          waitsFor?.kind === 'approval' || (waitsFor !== null && pending.size === 0);
        return isOurs && (isCaughtUp || end !== null);
      };
      // An owner moves its inbox to the log directly after its entry of ownership.
      do await wait(() => (isReady() ? null : undefined));
      while (!isReady());
    },
    /**
     * Waits until a turn is settled or its proposal waits for approval.
     *
     * @param readDropped reads a turn that the story has dropped
     */
    turn: (
      find: (turn: PlanTurn<K>) => boolean,
      isNew: (turn: PlanTurn<K>) => boolean = () => true,
      readDropped: () => PlanTurn<K> | undefined = () => undefined,
    ): Promise<PlanOutcome<K>> =>
      wait(() => {
        const turn = story.turns.findLast(find) ?? readDropped();
        return turn && outcomeOf(story, turn, isNew);
      }),
    isIdle: (): boolean => waiting.size === 0 && story.turns.at(-1)?.settled !== false,
    requireOpen(): void {
      if (over !== undefined) throw over.error;
      if (story.end !== null) throw planEnded(noun, { runId: story.runId, ...story.end });
    },
    end: (result: RunResult): void => {
      // A run that has ended has no owner.
      isOurs = true;
      fail(planEnded(noun, result));
    },
  };
}

/** The error of commands to a plan that has ended: the one that ended it, if any. */
function planEnded(
  noun: string,
  { runId, status, error }: Pick<RunResult, 'runId' | 'status'> & Partial<RunResult>,
): AlasError {
  const text = `the ${noun} ${runId} has ended (${status})`;
  return new AlasError(error?.code ?? `${noun}_ended`, error?.message ?? text, status);
}

/** The outcome of a turn; undefined while there is none. */
function outcomeOf<K extends PlanKind>(
  story: PlanStory<K>,
  turn: PlanTurn<K>,
  isNew: (turn: PlanTurn<K>) => boolean,
): PlanOutcome<K> | undefined {
  const { settled, committed, proposal, instant, rolledBack, approval } = turn;
  // The next instant continues the command.
  if (settled && instant.rest !== undefined) return undefined;
  if (settled && committed !== undefined && proposal !== undefined) {
    return { status: 'committed', version: committed.version, proposal, turn };
  }
  if (settled && rolledBack.length > 0) {
    return { status: 'declined', reasons: rolledBack.map(({ reason }) => reason), turn };
  }
  if (settled) {
    return { status: 'skipped', reasons: instant.skipped.map(({ reason }) => reason), turn };
  }
  const isAsking = story.waitsFor?.kind === 'approval' && story.waitsFor.name === approval;
  if (!isAsking || approval === undefined || proposal === undefined || !isNew(turn)) {
    return undefined;
  }
  return { status: 'waiting', approval, proposal, turn };
}
