import { InputError } from '@alas-jssp/core/errors';
import type { InEachLanguage, Language } from '@alas-jssp/core/languages';
import type { ChangeAnswer } from '../api/shop-schemas.js';

/** The live changes of shops, for their followers. */
export interface ChangeFeed {
  publish(shop: string, change: InEachLanguage<ChangeAnswer>): void;
  /** Makes all followers of a shop reread its log: the shop was reopened, and changes may have been missed. */
  rereadLog(shop: string): void;
  /**
   * Follows the changes of a shop in a language, after an id, from its log and then live; without an id, live only.
   * Ends with the shop, the signal or the feed.
   *
   * @param backlog reads the changes after an id from the log
   * @param hasEnded whether the shop has no further changes
   * @throws InputError `bad_change` for an invalid id
   */
  follow(
    shop: string,
    language: Language,
    after: string | undefined,
    backlog: (after: number) => Promise<readonly ChangeAnswer[]>,
    signal: AbortSignal,
    hasEnded: () => boolean,
  ): AsyncIterable<ChangeAnswer>;
  /** Ends all followers. */
  end(): void;
}

/** The most queued changes of a slow follower; beyond, it reads them from the log. */
const MOST_WAITING = 256;

interface Follower {
  readonly language: Language;
  waiting: ChangeAnswer[];
  /** Whether changes were omitted from the queue. */
  missed: boolean;
  wake(): void;
}

/** The size of the memory that a feed shares with the threads of shops: the number of followers. */
export const FOLLOWERS_BYTES = 4;

/** Whether any shop has a follower. */
export function hasFollowers(shared: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(shared), 0) > 0;
}

/** Creates a feed that counts its followers in shared memory, so that threads know whether there are any. */
export function createChangeFeed(
  shared: SharedArrayBuffer = new SharedArrayBuffer(FOLLOWERS_BYTES),
): ChangeFeed {
  const count = new Int32Array(shared);
  const followers = new Map<string, Set<Follower>>();
  let isOver = false;
  return {
    publish(shop, change) {
      for (const follower of followers.get(shop) ?? []) {
        if (follower.waiting.length < MOST_WAITING) {
          follower.waiting.push(change[follower.language]);
        } else follower.missed = true;
        follower.wake();
      }
    },
    rereadLog(shop) {
      for (const follower of followers.get(shop) ?? []) {
        follower.missed = true;
        follower.wake();
      }
    },
    async *follow(shop, language, after, backlog, signal, hasEnded) {
      let last = after === undefined ? undefined : readId(after);
      const follower: Follower = {
        language,
        waiting: [],
        missed: last !== undefined,
        wake: () => {},
      };
      const all = followers.get(shop) ?? new Set();
      followers.set(shop, all.add(follower));
      Atomics.add(count, 0, 1);
      const wake = () => follower.wake();
      signal.addEventListener('abort', wake);
      try {
        while (!signal.aborted && !isOver) {
          if (follower.missed && last !== undefined) {
            follower.missed = false;
            const missed = await backlog(last);
            // Queued changes may be newer than the backlog.
            follower.waiting = [...missed, ...follower.waiting];
          }
          const change = follower.waiting.shift();
          if (change === undefined) {
            if (hasEnded()) return;
            await new Promise<void>((resolve) => {
              follower.wake = resolve;
            });
            continue;
          }
          if (last !== undefined && Number(change.id) <= last) continue;
          last = Number(change.id);
          yield change;
          if (change.kind === 'closed' || change.kind === 'failed') return;
        }
      } finally {
        signal.removeEventListener('abort', wake);
        all.delete(follower);
        Atomics.sub(count, 0, 1);
        if (all.size === 0) followers.delete(shop);
      }
    },
    end() {
      isOver = true;
      for (const all of followers.values()) for (const follower of all) follower.wake();
    },
  };
}

function readId(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  const problem = `there is no change ${JSON.stringify(id.slice(0, 80))}`;
  throw new InputError('bad_change', problem, 'give the id of a change, or omit it', {}, id);
}
