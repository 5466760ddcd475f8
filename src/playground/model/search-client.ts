import type { Instance, Schedule } from '../../browser/index.js';
import type { SearchMessage, SearchRequest } from './search-worker.js';

/** The function around the whole script (scripts/build-playground.mjs), whose text is also the code of the worker. */
declare const alasPlayground: () => void;

/** A search in progress. */
export interface RunningSearch {
  /** Makes it end with its best result, which arrives as a message. */
  stop(): void;
  /** Ends it without a result. */
  close(): void;
}

/** The begin and the end of a search. */
interface SearchWish extends Pick<SearchRequest, 'seconds' | 'bound'> {
  /** The schedule to begin with; null for none. */
  readonly start: Schedule | null;
}

/**
 * Starts a search in a worker.
 *
 * @param listener receives all messages; after `done` or `failed` there are none
 */
export function searchInWorker(
  instance: Instance,
  { start, seconds, bound }: SearchWish,
  listener: (message: SearchMessage) => void,
): RunningSearch {
  const code = new Blob([`(${alasPlayground.toString()})();`], { type: 'text/javascript' });
  const address = URL.createObjectURL(code);
  const worker = new Worker(address);
  const close = () => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  worker.onmessage = ({ data }: MessageEvent<SearchMessage>) => {
    if (data.kind === 'done' || data.kind === 'failed') close();
    listener(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    close();
    listener({ kind: 'failed', message: event.message || 'the worker could not be started' });
  };
  const request: SearchRequest = { instance, starts: start?.start ?? null, seconds, bound };
  worker.postMessage(request);
  return { stop: () => worker.postMessage('stop'), close };
}
