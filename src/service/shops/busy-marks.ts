import { monotonicSeconds } from '../../core/clock.js';

/** Bytes that a thread of shops shares with the one that watches it: a number, a length, the id of a shop. */
export const BUSY_BYTES = 128;
const ID_AT = 8;

/** Marks what a thread computes, in shared memory: readable while the thread does not return. */
export interface BusyMarks {
  /** Marks a shop until the function that it gives is called. */
  mark(shop: string): () => void;
}

/** A shop that is computed, and the number of its mark: another one for each computation. */
export interface BusyMark {
  readonly shop: string;
  readonly number: number;
}

/** Creates the marks of a thread; the innermost of several can be read. */
export function createBusyMarks(buffer: SharedArrayBuffer): BusyMarks {
  const head = new Int32Array(buffer, 0, 2);
  const text = new Uint8Array(buffer, ID_AT);
  const marks: BusyMark[] = [];
  let last = 0;
  const show = () => {
    const mark = marks.at(-1);
    // A reader that comes in between reads no number, or another one than before.
    Atomics.store(head, 0, 0);
    if (mark === undefined) return;
    const { written } = new TextEncoder().encodeInto(mark.shop, text);
    Atomics.store(head, 1, written);
    Atomics.store(head, 0, mark.number);
  };
  return {
    mark(shop) {
      last = (last % 0x7fff_ffff) + 1;
      const mark = { shop, number: last };
      marks.push(mark);
      show();
      return () => {
        const at = marks.indexOf(mark);
        if (at >= 0) marks.splice(at, 1);
        show();
      };
    },
  };
}

/** The innermost mark of a thread; undefined if it computes nothing. */
export function readBusyMark(buffer: SharedArrayBuffer): BusyMark | undefined {
  const head = new Int32Array(buffer, 0, 2);
  const number = Atomics.load(head, 0);
  if (number === 0) return undefined;
  const length = Atomics.load(head, 1);
  const shop = new TextDecoder().decode(new Uint8Array(buffer, ID_AT).slice(0, length));
  return Atomics.load(head, 0) === number ? { shop, number } : undefined;
}

/** Watches what a thread computes: gives the shop, and the seconds since that was first seen. */
export function watchThread(buffer: SharedArrayBuffer) {
  const seen = new Map<number, number>();
  return (): { readonly shop: string | undefined; readonly seconds: number } => {
    const mark = readBusyMark(buffer);
    if (mark === undefined) {
      seen.clear();
      return { shop: undefined, seconds: 0 };
    }
    const now = monotonicSeconds();
    // Marks that were inside of another one have ended before it.
    for (const number of seen.keys()) if (number > mark.number) seen.delete(number);
    const since = seen.get(mark.number) ?? now;
    seen.set(mark.number, since);
    return { shop: mark.shop, seconds: now - since };
  };
}

/** Makes marks that nothing reads: of shops in the thread of the service itself. */
export function unreadMarks(): BusyMarks {
  return { mark: () => () => {} };
}
