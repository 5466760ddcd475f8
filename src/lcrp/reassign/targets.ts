import { type Objective, objectiveValue } from '../../jssp/objectives.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { ShopState } from './shop-state.js';

/** The value of a shop state, and the operations on which it depends. */
export interface Goals {
  /** The planned mode of each operation, and the price of another one. */
  readonly planned: Int32Array;
  readonly price: number;
  readonly objective: Objective;
  /** A lower bound on the makespan. */
  readonly floor: number;
  /** Operations that must end by a time: those with deadlines, and pinned ones. */
  readonly limits: readonly { readonly op: number; readonly by: number }[];
  /** n entries: the last operations of each job (several in a graph). */
  readonly lasts: readonly Int32Array[];
}

/** The cost of a missed limit, per unit of time; more than any objective. */
const MISSED = 1e7;

/** The cost of a state: objective, prices of other modes, and missed limits. */
export function costOfState(state: ShopState, goals: Goals): number {
  const { planned, price, limits } = goals;
  const { end, mode, free } = state;
  let cost = valueOfState(state, goals);
  for (const { op, by } of limits) if (end[op] > by) cost += MISSED * (end[op] - by);
  if (price > 0) {
    let other = 0;
    for (let op = 0; op < mode.length; op++) {
      if (mode[op] !== planned[op] && free[op] === 1) other++;
    }
    cost += price * other;
  }
  return cost;
}

function valueOfState({ instance, start, end }: ShopState, { objective, floor }: Goals): number {
  if (objective !== 'makespan') {
    return objectiveValue({ instance, mode: null, start, end, makespan: 0 }, objective);
  }
  let makespan = floor;
  for (let op = 0; op < end.length; op++) if (end[op] > makespan) makespan = end[op];
  return makespan;
}

/** The last operations of each job: those after which none of the job follows. */
function lastOperations({ instance, successors }: ShopState): Int32Array[] {
  const { jobs, jobOffset } = instance;
  return Array.from({ length: jobs }, (_, job) => {
    const lasts: number[] = [];
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (successors.offset[op] === successors.offset[op + 1]) lasts.push(op);
    }
    return Int32Array.from(lasts);
  });
}

/** Targets that are examined at once: those that cost most. */
const MOST_TARGETS = 3;

/** The operations whose ends determine the cost of a state, the costliest first. */
export function targetsOf(state: ShopState, goals: Goals): number[] {
  const { end, instance } = state;
  const { due, weight } = instance;
  const late: { op: number; cost: number }[] = [];
  for (const { op, by } of goals.limits) {
    if (end[op] > by) late.push({ op, cost: MISSED * (end[op] - by) });
  }
  if (goals.objective === 'makespan') {
    let latest = -1;
    for (let op = 0; op < end.length; op++) if (latest < 0 || end[op] > end[latest]) latest = op;
    if (latest >= 0 && end[latest] > goals.floor) late.push({ op: latest, cost: 1 });
  } else if (due !== null) {
    goals.lasts.forEach((lasts, job) => {
      if (due[job] < 0) return;
      for (const op of lasts) {
        const cost = (weight?.[job] ?? 1) * (end[op] - due[job]);
        if (cost > 0) late.push({ op, cost });
      }
    });
  }
  late.sort((a, b) => b.cost - a.cost || a.op - b.op);
  return late.slice(0, MOST_TARGETS).map(({ op }) => op);
}

/** The goals of a repair. */
export function goalsOf(
  state: ShopState,
  planned: Int32Array,
  { objective, cost }: Pick<RepairPolicy, 'objective' | 'cost'>,
  unit: number,
  pins: ReadonlyMap<number, number>,
): Goals {
  const lasts = lastOperations(state);
  const { instance, free, end } = state;
  const { deadline } = instance;
  const limits: { op: number; by: number }[] = [];
  if (deadline !== null) {
    lasts.forEach((ops, job) => {
      if (deadline[job] >= 0) for (const op of ops) limits.push({ op, by: deadline[job] });
    });
  }
  for (const [op, by] of pins) limits.push({ op, by });
  let floor = 0;
  for (let op = 0; op < free.length; op++) {
    if (free[op] === 0 && end[op] > floor) floor = end[op];
  }
  return { planned, price: cost.reassigned * unit, objective, floor, limits, lasts };
}
