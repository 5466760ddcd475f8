import { AlasError } from '@alas-jssp/core/errors';
import type { RunResult } from '@alas-jssp/workflow';
import type { PlanKind } from './plan-values.js';
import type { PlanStory, PlanTurn } from './story.js';

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

/** The callers that wait for the outcome of a command. */
export interface Waiters<K extends PlanKind> {
  look(): void;
  /** Notes that this process owns the run; before, the story may describe the work of another process. */
  own(): void;
  /** Waits until this process owns the plan and all commands in its log are applied or one waits for approval, or it has ended. */
  ready(): Promise<void>;
  /** Waits until a turn is settled or its proposal waits for approval. */
  turn(
    find: (turn: PlanTurn<K>) => boolean,
    isNew?: (turn: PlanTurn<K>) => boolean,
    /** Reads a turn that the story has dropped. */
    readDropped?: () => PlanTurn<K> | undefined,
  ): Promise<PlanOutcome<K>>;
  /** Whether all commands are settled. */
  isIdle(): boolean;
  requireOpen(): void;
  end(result: RunResult): void;
  fail(error: unknown): void;
}

interface Waiter {
  look(): boolean;
  reject(error: unknown): void;
}

/** Creates a list of waiters over a story, which its follower updates. */
export function createWaiters<K extends PlanKind>(story: PlanStory<K>, noun: string): Waiters<K> {
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
    look() {
      for (const waiter of waiting) if (waiter.look()) waiting.delete(waiter);
    },
    own() {
      isOurs = true;
    },
    async ready() {
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
    turn: (find, isNew = () => true, readDropped = () => undefined) =>
      wait(() => {
        const turn = story.turns.findLast(find) ?? readDropped();
        return turn && outcomeOf(story, turn, isNew);
      }),
    isIdle: () => waiting.size === 0 && story.turns.at(-1)?.settled !== false,
    requireOpen() {
      if (over !== undefined) throw over.error;
      if (story.end !== null) throw planEnded(noun, story.runId, story.end.status);
    },
    end: ({ runId, status, error }) => {
      const { code = `${noun}_ended`, message = `the ${noun} ${runId} has ended (${status})` } =
        error ?? {};
      // A run that has ended has no owner.
      isOurs = true;
      fail(new AlasError(code, message, status));
    },
  };
}

function planEnded(noun: string, runId: string, status: string): AlasError {
  return new AlasError(`${noun}_ended`, `the ${noun} ${runId} has ended (${status})`, status);
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
