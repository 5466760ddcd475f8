import type { Clock } from '@alas-jssp/core/clock';
import { isOwnerGone, type LogStore, requireUnchanged } from '@alas-jssp/workflow';
import { addEntry, findKind, newStory, withObjective } from 'alas-jssp/internal/service';
import { createShopMemory } from 'alas-jssp/shop';
import { wireTime } from '../api/wire.js';
import type { BusyMarks } from './busy-marks.js';
import { beginOf, type ShopRecord } from './shops-in-log.js';

/** Shops of a log that only wait for commands, and are not opened. */
export interface RestingShops {
  /**
   * Reports a shop from its log; returns false if it must be opened: it has something to do, has another owner, or
   * cannot be read.
   */
  add(id: string): boolean;
  /** Removes a shop that is opened. */
  delete(id: string): void;
  /** Removes all shops. */
  clear(): void;
}

/** The log of resting shops, and the listeners for them. */
interface RestingOptions {
  readonly store: LogStore;
  readonly clock: Clock;
  readonly marks: BusyMarks;
  /** Whether another owner of a shop is known to have ended. */
  readonly isGone: ((owner: string) => boolean) | undefined;
  readonly onRecord: (record: ShopRecord) => void;
  /** Notified of a message of another process. */
  readonly onMessage: (id: string) => void;
}

/** Creates the set of resting shops of a thread. */
export function createRestingShops(options: RestingOptions): RestingShops {
  const { store, clock, marks, isGone = isOwnerGone, onRecord, onMessage } = options;
  const ends = new Map<string, () => void>();
  const hasOwner = (id: string) => {
    const lease = store.leaseOf(id);
    return Boolean(lease?.owner && lease.until > clock.now() && !isGone(lease.owner));
  };
  const unwatch = (id: string) => {
    ends.get(id)?.();
    ends.delete(id);
  };
  return {
    add(id) {
      const end = marks.mark(id);
      let isAdded = false;
      try {
        // Before its inbox is read: no message comes in between.
        const unwatched = store.watch(id, () => onMessage(id));
        ends.set(id, unwatched);
        const record = hasOwner(id) ? undefined : restingRecord(store, id);
        if (record === undefined) return false;
        isAdded = true;
        onRecord(record);
        return true;
      } catch {
        // To open it is to find out what is wrong.
        return false;
      } finally {
        if (!isAdded) unwatch(id);
        end();
      }
    },
    delete: unwatch,
    clear() {
      for (const end of ends.values()) end();
      ends.clear();
    },
  };
}

/**
 * Reads an open shop from its log, without opening it, if it only waits for commands. Undefined if it has something to
 * do: an approval, an unfinished instant, or a message after the last one in its log.
 *
 * @throws InputError `changed_log`, `damaged_log`
 */
function restingRecord(store: LogStore, id: string): ShopRecord | undefined {
  requireUnchanged(store, id);
  const story = newStory(id);
  let taken = store.leaseOf(id)?.taken ?? 0;
  let isSameSize = true;
  let makespan: number | undefined;
  for (const entry of store.read({ runId: id })) {
    addEntry(story, entry);
    const { message } = entry.payload as { readonly message?: number };
    taken = Math.max(taken, message ?? 0);
    const turn = story.turns.at(-1);
    if (turn?.settled !== true) continue;
    isSameSize &&= turn.instant.events.every(({ kind }) => findKind(kind)?.inPlace === true);
    makespan = turn.committed?.makespan ?? makespan;
    // A long story needs no memory.
    story.turns.splice(0, story.turns.length - 1);
  }
  const last = story.turns.at(-1);
  if (story.waitsFor?.kind !== 'command' || story.pending.size > 0) return undefined;
  if (last?.settled === false || store.messages(id, taken).length > 0) return undefined;
  const memory = createShopMemory(store);
  const { instance: given, input, first } = memory.baseOf(id);
  const { version } = story;
  const instance = isSameSize ? given : memory.versionOf(id, version).schedule.instance;
  const { name, timeScale, jobs, machines, operations } = instance;
  const nowUnits = last?.instant.now ?? first.now;
  return {
    summary: {
      id,
      instance: name,
      status: 'open',
      version,
      now: wireTime(timeScale, nowUnits),
      jobs,
      machines,
      operations,
      objective: withObjective(instance, input.policy).objective,
      makespan: wireTime(timeScale, makespan ?? first.schedule.makespan),
      waits_for: story.waitsFor.kind,
    },
    nowUnits,
    timeScale,
    clock: input.clock ?? null,
    began: beginOf(store, id),
    isResting: true,
  };
}
