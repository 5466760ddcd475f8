import type { DisruptionEvent } from '../../disruption/index.js';
import { MAX_TIME } from '../../jssp/instance.js';
import type { TimeScale } from '../../jssp/shop-clock.js';

/** The clock of a shop: it shows `start` when the log of the shop begins. */
export interface ShopPace {
  /** Seconds of the shop that pass in a second on the wall. */
  readonly speed: number;
  readonly start: number;
}

/** The time that a pace has come to so many milliseconds after its begin; undefined without one. */
export function paceTime(
  pace: ShopPace | null | undefined,
  milliseconds: number,
  scale: TimeScale | null,
): number | undefined {
  if (pace === undefined || pace === null) return undefined;
  const passed = ((milliseconds / 1000) * pace.speed) / (scale?.unit ?? 1);
  return Math.min(MAX_TIME, Math.max(0, Math.floor(pace.start + passed)));
}

/**
 * An event that is taken later than it was told of: what began meanwhile begins now. What is over by now
 * stays as it is, and comes too late.
 */
export function fromNowOn(event: DisruptionEvent, now: number): DisruptionEvent {
  switch (event.kind) {
    case 'breakdown': {
      const isPast = event.from < now && (event.to ?? now + 1) > now;
      return isPast ? { ...event, from: now, at: now } : event;
    }
    case 'arrival': {
      const { job } = event;
      return job.release < now ? { ...event, at: now, job: { ...job, release: now } } : event;
    }
    case 'restored':
      return event.at < now ? { ...event, at: now } : event;
    default:
      return event;
  }
}
