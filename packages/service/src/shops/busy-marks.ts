import { monotonicSeconds } from '@alas-jssp/core/clock';

/** The size of the memory that a shop thread shares with its watcher: a number, a length, the id of a shop. */
export const BUSY_BYTES = 128;
const ID_AT = 8;

/** Marks the shop that a thread computes, in shared memory that is readable while the thread is busy. */
export interface BusyMarks {
  /** Marks a shop until the returned function is called. */
  mark(shop: string): () => void;
}

/** A shop in computation, and the number of its mark, which differs for each computation. */
export interface BusyMark {
  readonly shop: string;
  readonly number: number;
}

/** Creates the marks of a thread; of nested marks, the innermost can be read. */
export function createBusyMarks(buffer: SharedArrayBuffer): BusyMarks {
  const head = new Int32Array(buffer, 0, 2);
  const text = new Uint8Array(buffer, ID_AT);
  const marks: BusyMark[] = [];
  let last = 0;
  const show = () => {
    const mark = marks.at(-1);
    // A concurrent reader reads 0 or a different number.
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

/** Watches a thread: returns the shop in computation, and the seconds since it was first observed. */
export function watchThread(buffer: SharedArrayBuffer) {
  const seen = new Map<number, number>();
  return (): { readonly shop: string | undefined; readonly seconds: number } => {
    const mark = readBusyMark(buffer);
    if (mark === undefined) {
      seen.clear();
      return { shop: undefined, seconds: 0 };
    }
    const now = monotonicSeconds();
    // Marks with larger numbers were nested in this one and have ended.
    for (const number of seen.keys()) if (number > mark.number) seen.delete(number);
    const since = seen.get(mark.number) ?? now;
    seen.set(mark.number, since);
    return { shop: mark.shop, seconds: now - since };
  };
}

/** Creates marks that nothing reads, for shops in the thread of the service. */
export function unreadMarks(): BusyMarks {
  return { mark: () => () => {} };
}
