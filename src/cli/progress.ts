import { SingleBar } from 'cli-progress';
import type { RunProgress } from '../harness/run-options.js';

/** Seconds between two lines of progress where there is no terminal. */
const LINE_EVERY = 5;

/** Shows how far a run is, on stderr. */
export interface ProgressDisplay {
  update(progress: RunProgress): void;
  stop(): void;
}

/** A bar with the estimated time left on a terminal, plain lines now and then elsewhere. */
export function createProgressDisplay(): ProgressDisplay {
  const bar = new SingleBar({
    stream: process.stderr,
    format:
      '{bar} {value} of {total} ({percentage} %), {duration_formatted} gone, {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    // Without this a bar on a terminal that is interrupted keeps the process alive.
    gracefulExit: false,
    noTTYOutput: true,
    notTTYSchedule: 1000 * LINE_EVERY,
  });
  let started = false;
  return {
    update({ done, kept, total }) {
      if (!started) bar.start(total, kept);
      started = true;
      bar.update(done);
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}

/** Shows nothing. */
export const silentDisplay: ProgressDisplay = { update: () => {}, stop: () => {} };
