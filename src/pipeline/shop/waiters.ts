import { AlasError } from '../../core/errors.js';
import type { RunResult } from '../../workflow/index.js';
import type { ShopProposal } from './shop-values.js';
import type { ShopStory, ShopTurn } from './story.js';

/** The outcome of something that a shop was told. */
export type ShopOutcome =
  /** A new version is followed. */
  | {
      readonly status: 'committed';
      readonly version: number;
      readonly proposal: ShopProposal;
      readonly turn: ShopTurn;
    }
  /** A proposal waits for its approval: see `approve` and `decline` of the shop. */
  | {
      readonly status: 'waiting';
      readonly approval: string;
      readonly proposal: ShopProposal;
      readonly turn: ShopTurn;
    }
  /** Nothing took effect: it came too late, or made no sense by then. */
  | { readonly status: 'skipped'; readonly reasons: readonly string[]; readonly turn: ShopTurn }
  /** An undoing, or a proposal by hand, that was refused or declined: the version before stays. */
  | { readonly status: 'declined'; readonly reasons: readonly string[]; readonly turn: ShopTurn };

/** Those who wait for what becomes of what they told a shop. */
export interface Waiters {
  look(): void;
  /** Notes that the run is ours: what the story says of it is not what another process does. */
  own(): void;
  /** Waits until the shop is ours and every command in its log is applied or waits for an approval, or it has ended. */
  ready(): Promise<void>;
  /** Waits for a turn to be settled, or for a proposal of it that waits. */
  turn(
    find: (turn: ShopTurn) => boolean,
    isNew?: (turn: ShopTurn) => boolean,
    /** Reads a turn that the story no longer keeps. */
    readDropped?: () => ShopTurn | undefined,
  ): Promise<ShopOutcome>;
  /** Whether all that the shop was told is settled. */
  isIdle(): boolean;
  requireOpen(): void;
  end(result: RunResult): void;
  fail(error: unknown): void;
}

interface Waiter {
  look(): boolean;
  reject(error: unknown): void;
}

/** Creates a list of waiters over a story, which is told elsewhere. */
export function createWaiters(story: ShopStory): Waiters {
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
      // An owner takes its inbox into the log right after it says that it is the owner.
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
      if (story.end !== null) throw shopEnded(story.runId, story.end.status);
    },
    end: ({ runId, status, error }) => {
      const { code = 'shop_ended', message = `the shop ${runId} has ended (${status})` } =
        error ?? {};
      // A run that had ended is nobody's.
      isOurs = true;
      fail(new AlasError(code, message, status));
    },
  };
}

function shopEnded(runId: string, status: string): AlasError {
  return new AlasError('shop_ended', `the shop ${runId} has ended (${status})`, status);
}

/** The outcome of a turn, once there is one. */
function outcomeOf(
  story: ShopStory,
  turn: ShopTurn,
  isNew: (turn: ShopTurn) => boolean,
): ShopOutcome | undefined {
  const { settled, committed, proposal, happened, rolledBack, approval } = turn;
  if (settled && committed !== undefined && proposal !== undefined) {
    return { status: 'committed', version: committed.version, proposal, turn };
  }
  if (settled && rolledBack.length > 0) {
    return { status: 'declined', reasons: rolledBack.map(({ reason }) => reason), turn };
  }
  if (settled) {
    return { status: 'skipped', reasons: happened.skipped.map(({ reason }) => reason), turn };
  }
  const isAsking = story.waitsFor?.kind === 'approval' && story.waitsFor.name === approval;
  if (!isAsking || approval === undefined || proposal === undefined || !isNew(turn)) {
    return undefined;
  }
  return { status: 'waiting', approval, proposal, turn };
}
