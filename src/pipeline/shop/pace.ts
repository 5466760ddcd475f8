import type { DisruptionEvent } from '../../disruption/event.js';
import { kindOf } from '../../disruption/kind-of.js';
import { MAX_TIME } from '../../jssp/instance.js';
import type { TimeScale } from '../../jssp/shop-clock.js';

/** The clock of a shop: it shows `start` at the first entry of the log. */
export interface ShopPace {
  /** Shop seconds per wall-clock second. */
  readonly speed: number;
  readonly start: number;
}

/** The shop time after some milliseconds of wall-clock time, in units of the scale; undefined without a clock. */
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
 * Moves an event that is processed after its report to the current time: if it began in the meantime, it begins
 * now. An event that is already over is unchanged, and is skipped later as too late.
 */
export function fromNowOn(event: DisruptionEvent, now: number): DisruptionEvent {
  return kindOf(event).fromNowOn?.(event, now) ?? event;
}
