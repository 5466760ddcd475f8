import type { Instance, Plan, ProvenBound, Schedule } from '../../browser/index.js';
import type { MovesView } from '../../report/page/views/schedule-data.js';

/** Bounds on the makespan of the instance before all events, from the literature. */
export interface LiteratureBounds {
  readonly lower: number;
  readonly upper: number;
  readonly asOf: string;
}

/** A number with its name, such as the edits of a repair. */
export interface StepFigure {
  readonly label: string;
  readonly value: string;
}

/** The last change of a shop, in words and figures. */
export interface StepReport {
  readonly kind: 'plan' | 'event' | 'repair' | 'move' | 'optimize';
  /** A short title, such as `Machine 3 broke down`. */
  readonly title: string;
  /** One sentence about the result. */
  readonly sentence: string;
  readonly figures: readonly StepFigure[];
  /** The moves since the state before; null if they are not comparable. */
  readonly moves: MovesView | null;
  /** Milliseconds of the repair; null for steps without one. */
  readonly milliseconds: number | null;
}

/** An event as links contain it: its short form, and the time at which it became known. */
export interface KnownEvent {
  readonly text: string;
  readonly now: number;
}

/** A shop with its plan. States are never changed: undo returns to an earlier one. */
export interface PlayState {
  /** The instance; after events, the instance in execution. */
  readonly instance: Instance;
  /** A plan from outside, which may be wrong, or a schedule. */
  readonly candidate: Plan | Schedule;
  /** The time up to which everything is fixed; null before the first event. */
  readonly now: number | null;
  readonly known: LiteratureBounds | null;
  /** A better lower bound that a search proved; null for none. */
  readonly proven: ProvenBound | null;
  readonly step: StepReport;
  /** The event that led to this state from the one before; null for other steps. */
  readonly event: KnownEvent | null;
}

/** The schedule of a state; null if its plan is one from outside that is wrong. */
export function validSchedule({ candidate }: Pick<PlayState, 'candidate'>): Schedule | null {
  return 'instance' in candidate ? candidate : null;
}
