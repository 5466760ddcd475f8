import { applyEvent, type CoordinationEvent, describeEvent } from '../events/events.js';
import type { Past } from '../judge/past.js';
import { formatClock, parseClock } from '../model/clock.js';
import { readPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { CoordinationRecord } from './record.js';
import type { RunTask } from './tasks.js';

/** One plan of a task: the only one, or one of a stream of events. */
export interface RunStep {
  readonly problem: Problem;
  readonly past: Past | undefined;
  readonly disruption: CoordinationRecord['disruption'];
  /** The reason why nothing can be planned; null if a plan can be made. */
  readonly blocked: string | null;
}

/** The steps of a task by what is known before it begins: their number, and the events of each. */
export function stepsOf({ events }: RunTask): readonly CoordinationRecord['disruption'][] {
  if (events.length === 0) return [null];
  const moments = momentsOf(events);
  const of = moments.length;
  return [
    { step: 0, of, at: null, events: [] },
    ...moments.map(({ at, events: known }, i) => ({
      step: i + 1,
      of,
      at: formatClock(at),
      events: known.map(describeEvent),
    })),
  ];
}

/** The first step of a task. */
export function firstStep(task: RunTask): RunStep {
  const { problem, past } = task;
  return { problem, past, disruption: stepsOf(task)[0], blocked: null };
}

/**
 * The step after a record: the plan that it ends with is carried out until the next events become known. A plan that is
 * not valid cannot be carried out, so that the steps after it are blocked.
 *
 * @returns null after the last step
 */
export function nextStep(task: RunTask, step: RunStep, record: CoordinationRecord): RunStep | null {
  const number = (step.disruption?.step ?? 0) + 1;
  const disruption = stepsOf(task)[number];
  if (disruption === undefined) return null;
  const { at, events } = momentsOf(task.events)[number - 1];
  const problem = events.reduce(applyEvent, step.problem);
  const { judged, repaired, plan } = record;
  const file = repaired?.plan ?? (judged?.valid === true ? plan : null);
  if (step.blocked !== null || file === null) {
    const blocked = 'the plan before is not valid and was not repaired, so it is not carried out';
    return { problem, past: undefined, disruption, blocked };
  }
  return { problem, past: { plan: readPlan(file), now: at }, disruption, blocked: null };
}

/** Events by the minute at which they become known, in this order. */
function momentsOf(events: readonly CoordinationEvent[]) {
  const times = [...new Set(events.map(({ at }) => parseClock(at)))].sort((a, b) => a - b);
  return times.map((at) => ({ at, events: events.filter((one) => parseClock(one.at) === at) }));
}
