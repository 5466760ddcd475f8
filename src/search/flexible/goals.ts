import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import type { JobEdges } from './edges.js';

/** The jobs whose completions count for more than the makespan: those with a due date that matters, or a deadline. */
export interface ShopGoals {
  /** The last operations of goal g are the entries `offset[g] … offset[g + 1] − 1` of `op`. */
  readonly offset: Int32Array;
  readonly op: Int32Array;
  /** Due dates and deadlines; {@link NEVER} for none. */
  readonly due: Int32Array;
  readonly deadline: Int32Array;
  /** The weights of a unit of tardiness. */
  readonly weight: Int32Array;
}

/** Later than every end. */
const NEVER = 2 ** 31 - 1;

/** Nothing but the makespan counts. */
export const noGoals: ShopGoals = {
  offset: Int32Array.of(0),
  op: new Int32Array(),
  due: new Int32Array(),
  deadline: new Int32Array(),
  weight: new Int32Array(),
};

/** The goals of a shop under an objective. */
export function shopGoalsOf(
  instance: Instance,
  objective: Objective,
  { last }: JobEdges,
): ShopGoals {
  const { jobs, jobOf, due, deadline, weight } = instance;
  const counts = objective === 'total-weighted-tardiness' && due !== null;
  const lastOf: number[][] = Array.from({ length: jobs }, () => []);
  for (const op of last) lastOf[jobOf[op]].push(op);
  const offset = [0];
  const ops: number[] = [];
  const goals: { due: number; deadline: number; weight: number }[] = [];
  for (let job = 0; job < jobs; job++) {
    const cost = weight === null ? 1 : weight[job];
    const isDated = counts && due[job] >= 0 && cost > 0;
    const isLimited = deadline !== null && deadline[job] >= 0;
    if (lastOf[job].length === 0 || (!isDated && !isLimited)) continue;
    ops.push(...lastOf[job]);
    offset.push(ops.length);
    goals.push({
      due: isDated ? due[job] : NEVER,
      deadline: isLimited ? deadline[job] : NEVER,
      weight: isDated ? cost : 0,
    });
  }
  return {
    offset: Int32Array.from(offset),
    op: Int32Array.from(ops),
    due: Int32Array.from(goals, (goal) => goal.due),
    deadline: Int32Array.from(goals, (goal) => goal.deadline),
    weight: Int32Array.from(goals, (goal) => goal.weight),
  };
}
