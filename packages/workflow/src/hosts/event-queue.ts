import type { Clock } from '@alas-jssp/core/clock';

/** A process as the queue sees it. */
export interface QueueProcess {
  readonly alive: boolean;
  /** Events are held back until this time, in milliseconds. */
  pausedUntil: number;
  /** The offset of its clock from that of the world, in milliseconds. */
  clockOffset: number;
}

/** The events of a simulation by time; events of equal time in order of creation. */
export interface EventQueue {
  /** Milliseconds since the beginning of the world. */
  now(): number;
  /**
   * Adds an event for a process, which receives it when it is due and the process is not paused;
   * returns its removal.
   */
  add(at: number, process: QueueProcess | undefined, happen: () => void): () => void;
  /**
   * Runs the next event, after all immediate consequences of those before; false if there is none.
   */
  next(): Promise<boolean>;
  /** Waits outside of a process, until that is killed; pauses do not delay it. */
  wait(milliseconds: number, process: QueueProcess, signal: AbortSignal | undefined): Promise<void>;
  /** Waits until a process is not paused. */
  arrive(process: QueueProcess): Promise<void>;
  /** The clock of a process, or that of the world. */
  clockOf(process: QueueProcess | undefined): Clock;
}

interface Event {
  readonly at: number;
  readonly number: number;
  readonly process: QueueProcess | undefined;
  readonly happen: () => void;
  off: boolean;
}

/** Creates an empty queue at the time 0. */
export function createEventQueue(): EventQueue {
  const heap: Event[] = [];
  let now = 0;
  let made = 0;

  const add: EventQueue['add'] = (at, process, happen) => {
    const event = { at: Math.max(at, now), number: made++, process, happen, off: false };
    push(heap, event);
    return () => {
      event.off = true;
    };
  };

  const next = async (): Promise<boolean> => {
    // Immediates run after all promises that can continue.
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const event = pop(heap);
      if (event === undefined) return false;
      const { at, process, happen, off } = event;
      if (off || process?.alive === false) continue;
      if (process !== undefined && process.pausedUntil > at) {
        add(process.pausedUntil, process, () => {
          if (!event.off) happen();
        });
        continue;
      }
      now = at;
      happen();
      return true;
    }
  };

  const sleep = (
    milliseconds: number,
    process: QueueProcess | undefined,
    signal: AbortSignal | undefined,
    outside: boolean,
  ) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        off();
        reject(signal?.reason);
      };
      const off = add(now + milliseconds, outside ? undefined : process, () => {
        signal?.removeEventListener('abort', stop);
        if (process?.alive !== false) resolve();
      });
      signal?.addEventListener('abort', stop, { once: true });
    });

  return {
    now: () => now,
    add,
    next,
    wait: (milliseconds, process, signal) => sleep(milliseconds, process, signal, true),
    arrive: (process) =>
      process.alive && process.pausedUntil <= now
        ? Promise.resolve()
        : sleep(0, process, undefined, false),
    clockOf: (process) => ({
      now: () => Math.round(now) + (process?.clockOffset ?? 0),
      sleep: (milliseconds, signal) => sleep(milliseconds, process, signal, false),
    }),
  };
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number);
}

function push(heap: Event[], event: Event): void {
  let place = heap.push(event) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(event, heap[parent])) break;
    heap[place] = heap[parent];
    place = parent;
  }
  heap[place] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || last === first) return first;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], last)) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = last;
  return first;
}
