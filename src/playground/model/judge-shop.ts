import { lowerBound, type ProvenBound, type Schedule } from '../../browser/index.js';
import type { ScheduleView } from '../../report/page/views/schedule-data.js';
import { viewSchedule } from '../../report/page/views/schedule-view.js';
import { type PlayState, validSchedule } from './play-state.js';

/** The verdict on a plan. */
export interface ShopVerdict {
  readonly view: ScheduleView;
  /** The schedule, if it violates no rule. */
  readonly schedule: Schedule | null;
  readonly lower: ProvenBound;
  /** Best makespan known from the literature; null if none is, or if events have changed the shop. */
  readonly upper: number | null;
  /** Percent above the lower bound; null for invalid plans. */
  readonly gap: number | null;
  readonly isOptimal: boolean;
}

/** Judges the plan of a shop with the validator, and compares it with lower bounds. */
export function judgeShop(state: PlayState): ShopVerdict {
  const view = viewSchedule(state.instance, state.candidate);
  const lower = bestBound(state);
  const gap = view.valid ? (100 * (view.makespan - lower.value)) / Math.max(1, lower.value) : null;
  return {
    view,
    schedule: view.valid ? validSchedule(state) : null,
    lower,
    upper: state.known?.upper ?? null,
    gap,
    isOptimal: view.valid && view.makespan === lower.value,
  };
}

function bestBound({ instance, known, proven }: PlayState): ProvenBound {
  const bounds: ProvenBound[] = [lowerBound(instance)];
  if (known !== null) bounds.push({ value: known.lower, source: `literature, ${known.asOf}` });
  if (proven !== null) bounds.push(proven);
  return bounds.reduce((best, one) => (one.value > best.value ? one : best));
}
