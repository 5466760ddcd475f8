import type { Objective } from '../../jssp/objectives.js';
import { counted, formatFixed, formatSeconds } from '../../report/format.js';
import type { OptimizeProgress } from '../../search/optimize-options.js';
import { LINE_EVERY, widthOf } from '../common/output.js';

/** Seconds between two updates of the line on a terminal. */
const DRAWN_EVERY = 0.1;

/** Shows the progress of a search. */
export interface SearchDisplay {
  show(progress: OptimizeProgress): void;
  clear(): void;
}

/** The stream that a display writes to, such as stderr. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * One line on a terminal, rewritten in place; elsewhere a line for the first schedule and one every five
 * seconds.
 *
 * @param bestKnown the literature's makespan
 */
export function createSearchDisplay(
  stream: Stream,
  objective: Objective,
  bestKnown: number | undefined,
): SearchDisplay {
  let next = 0;
  const isDue = (seconds: number, every: number): boolean => {
    if (seconds < next) return false;
    next = seconds + every;
    return true;
  };
  if (stream.isTTY) {
    return {
      show: (progress) => {
        if (!isDue(progress.seconds, DRAWN_EVERY)) return;
        // A wrapped line cannot be rewritten in place.
        const line = describeSearch(progress, objective, bestKnown);
        stream.write(`\r\x1b[K${line.slice(0, widthOf(stream) - 1)}`);
      },
      clear: () => void stream.write('\r\x1b[K'),
    };
  }
  return {
    show: (progress) => {
      if (progress.best === Number.POSITIVE_INFINITY || !isDue(progress.seconds, LINE_EVERY))
        return;
      stream.write(`${describeSearch(progress, objective, bestKnown)}\n`);
    },
    clear: () => {},
  };
}

/**
 * The progress of a search, such as `makespan 2043, gap 1.90 % to bound, 1.23 % to best known, 12.3 s,
 * population 12, 3 restarts, 250k iterations/s`. The most important parts come first, because a narrow
 * terminal cuts the rest. The best known makespan is omitted if it is the bound.
 */
export function describeSearch(
  { best, seconds, iterations, population, restarts, lowerBound }: OptimizeProgress,
  objective: Objective,
  bestKnown: number | undefined,
): string {
  if (best === Number.POSITIVE_INFINITY) {
    return `looking for a first schedule, ${formatSeconds(seconds)}`;
  }
  const gapTo = (value: number) => `${formatFixed((100 * (best - value)) / value, 2)} %`;
  const parts = [`${objective.replaceAll('-', ' ')} ${best}`];
  if (lowerBound.value > 0) parts.push(`gap ${gapTo(lowerBound.value)} to bound`);
  if (bestKnown !== undefined && bestKnown > 0 && bestKnown !== lowerBound.value) {
    parts.push(`${gapTo(bestKnown)} to best known`);
  }
  parts.push(formatSeconds(seconds));
  if (population > 0) parts.push(`population ${population}`);
  parts.push(counted(restarts, 'restart'));
  if (iterations > 0) parts.push(`${formatSpeed(iterations / seconds)} iterations/s`);
  return parts.join(', ');
}

function formatSpeed(perSecond: number): string {
  if (perSecond >= 10_000) return `${formatFixed(perSecond / 1000, 0)}k`;
  return formatFixed(perSecond, perSecond < 10 ? 1 : 0);
}
