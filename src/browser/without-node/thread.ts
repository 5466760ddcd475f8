import { AlasError } from '@alas-jssp/core/errors';
import type { ThreadWork } from '../../search/threads/thread.js';

/** Pages share no memory between threads unless their server isolates them: every search is in its caller's thread. */
export const hasThreads: boolean = false;

/** @throws AlasError `no_threads`: nothing calls it where {@link hasThreads} is false */
export function startWork(): ThreadWork {
  throw new AlasError('no_threads', 'there are no threads in a browser');
}
