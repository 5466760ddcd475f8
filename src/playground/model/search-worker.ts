import {
  AlasError,
  createSchedule,
  type Instance,
  optimize,
  type ProvenBound,
  type Schedule,
} from '../../browser/index.js';
import { LIMITS } from './limits.js';

/** The request to a worker. A second message of any kind stops it. */
export interface SearchRequest {
  readonly instance: Instance;
  /** The starts of the schedule to begin with; null for none. */
  readonly starts: Int32Array | null;
  readonly seconds: number;
  /** The best lower bound that is known: the search ends when it is met. */
  readonly bound: ProvenBound;
}

/** A better schedule: its starts and modes. */
export interface FoundSchedule {
  readonly starts: Int32Array;
  readonly modes: Int32Array | null;
  readonly value: number;
  readonly seconds: number;
}

/** The messages of a worker. */
export type SearchMessage =
  | { readonly kind: 'found'; readonly found: FoundSchedule }
  | {
      readonly kind: 'progress';
      readonly seconds: number;
      readonly iterations: number;
      readonly lower: ProvenBound;
    }
  | {
      readonly kind: 'done';
      readonly found: FoundSchedule;
      readonly status: 'optimal' | 'feasible' | 'interrupted';
      readonly iterations: number;
      readonly lower: ProvenBound;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Seconds between two messages about progress, and between two schedules of a very large shop. */
const EVERY = 0.1;
const SHOWN_EVERY = 1;

/** The global scope of a worker. */
interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: SearchMessage): void;
}

/** Runs in a worker: optimizes at the first message, stops at the second. */
export function serveSearch(scope: WorkerScope): void {
  const stop = new AbortController();
  scope.onmessage = ({ data }) => {
    scope.onmessage = () => stop.abort();
    void search(data as SearchRequest, stop.signal, (message) => scope.postMessage(message));
  };
}

async function search(
  { instance, starts, seconds, bound }: SearchRequest,
  signal: AbortSignal,
  post: (message: SearchMessage) => void,
): Promise<void> {
  let next = 0;
  let shown = 0;
  const every = instance.operations > LIMITS.animated ? SHOWN_EVERY : 0;
  try {
    const result = await optimize(instance, {
      start: starts === null ? undefined : createSchedule(instance, starts),
      budget: { seconds },
      bound,
      signal,
      onImprovement: ({ schedule, value, seconds }) => {
        if (seconds < shown) return;
        shown = seconds + every;
        post({ kind: 'found', found: foundIn(schedule(), value, seconds) });
      },
      onProgress: ({ seconds, iterations, lowerBound }) => {
        if (seconds < next) return;
        next = seconds + EVERY;
        post({ kind: 'progress', seconds, iterations, lower: lowerBound });
      },
    });
    const { schedule, value, status, stats, lowerBound } = result;
    const found = foundIn(schedule, value, stats.seconds);
    post({ kind: 'done', found, status, iterations: stats.iterations, lower: lowerBound });
  } catch (error) {
    const message = error instanceof AlasError ? error.message : String(error);
    post({ kind: 'failed', message });
  }
}

function foundIn({ instance, start }: Schedule, value: number, seconds: number): FoundSchedule {
  return { starts: start, modes: instance.modes?.chosen ?? null, value, seconds };
}
