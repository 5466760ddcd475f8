import { plannerName } from '../../jssp/planner-name.js';
import { CONTROLS, isControl } from '../../pipeline/planners/control-planners.js';
import type { RunRecord } from '../records/record.js';
import type { FilledRunSpec } from '../run/spec.js';
import { CONTROL_RULE } from './kept-edges.js';

/** The control whose plans are the zero of all shares: an arbitrary order of the operations. */
export const RANDOM_CONTROL = 'random';

/** The planners that take the place of the others in an attribution; a plain rule is the last of them. */
export const CONTROL_PLANNERS: readonly string[] = [...CONTROLS, `dispatch:${CONTROL_RULE}`];

/** Whether the shares of a planner are measured: an empty and a random plan are only what others are compared with. */
export function isSubject({ planner }: Pick<RunRecord, 'planner'>): boolean {
  return !isControl(planner);
}

/** The planners of a filled spec without the controls that the attribution added at its end. */
export function namedPlanners({
  planners,
  attribution,
}: Pick<FilledRunSpec, 'planners' | 'attribution'>): readonly string[] {
  if (!attribution) return planners.map(plannerName);
  let end = planners.length;
  let last = CONTROL_PLANNERS.length;
  while (end > 0) {
    const rank = CONTROL_PLANNERS.indexOf(planners[end - 1]);
    if (rank < 0 || rank >= last) break;
    last = rank;
    end--;
  }
  return planners.slice(0, end).map(plannerName);
}
