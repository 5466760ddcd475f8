import type { ShopTable } from '../../jssp/shop-timing/shop-table.js';
import type { ShopTimer } from '../../jssp/shop-timing/timer.js';
import { BROKEN, TIE_BREAK } from '../costs.js';
import type { Problem } from '../problem.js';

/** The measures of the list that a timer has timed. */
export interface ListEnergy {
  /** The number that the search reduces: the objective, plus a price for exceeded limits. */
  energy(missed: number): number;
  /** The cost for the driver: `BROKEN` and more if a limit is exceeded. */
  cost(missed: number): number;
  /** n entries: the part of each job in the tardiness of the list that was measured last. */
  readonly late: Float64Array;
}

/** The price of a unit by which limits are exceeded, in units of the objective. */
const PRICE = 10;
/** The part of the makespan in the energy when tardiness counts. */
const SLIGHT = 0.001;

/** Measures lists under the objective of a problem. */
export function createListEnergy(
  { given, objective, watched }: Problem,
  timer: ShopTimer,
  leastTardiness: number | null,
): ListEnergy {
  const { jobs, jobOffset, due, weight } = given;
  const late = new Float64Array(jobs);
  const counts = objective === 'total-weighted-tardiness' && due !== null;

  const tardiness = (): number => {
    let sum = 0;
    for (let job = 0; job < jobs && due !== null; job++) {
      late[job] = 0;
      if (due[job] < 0) continue;
      let end = 0;
      for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
        if (timer.end[op] > end) end = timer.end[op];
      }
      if (end <= due[job]) continue;
      late[job] = (weight === null ? 1 : weight[job]) * (end - due[job]);
      sum += late[job];
    }
    return sum;
  };
  const excess = (missed: number): number => {
    let sum = missed;
    for (let i = 0; i < watched.op.length; i++) {
      sum += Math.max(0, timer.end[watched.op[i]] - watched.due[i]);
    }
    return sum;
  };
  return {
    late,
    energy: (missed) => {
      const value = counts ? tardiness() + SLIGHT * timer.makespan : timer.makespan;
      return value + PRICE * excess(missed);
    },
    cost: (missed) => {
      const beyond = excess(missed);
      if (beyond > 0) return BROKEN * beyond;
      if (objective === 'makespan') return timer.makespan;
      const value = counts ? tardiness() : 0;
      const isTie = leastTardiness !== null && value <= leastTardiness;
      return isTie ? value + TIE_BREAK * timer.makespan : value;
    },
  };
}

/**
 * Lets a timer give up lists by the part of their energy that is due to tardiness and limits; returns false if it cannot,
 * because free operations come before frozen ones.
 */
export function limitLateness(timer: ShopTimer, { given, objective, watched }: Problem): boolean {
  if (objective !== 'total-weighted-tardiness' || given.due === null) return false;
  const { operations, frozen, edgeFrom, edgeOffset } = timer.table;
  for (let op = 0; op < operations; op++) {
    if (frozen[op] < 0) continue;
    for (let edge = edgeOffset[op]; edge < edgeOffset[op + 1]; edge++) {
      if (frozen[edgeFrom[edge]] < 0) return false;
    }
  }
  const by = new Float64Array(operations).fill(Number.POSITIVE_INFINITY);
  watched.op.forEach((op, i) => {
    by[op] = watched.due[i];
  });
  const { due, weight } = given;
  timer.priceLateness({
    by,
    price: PRICE,
    due: Float64Array.from(due, (date) => (date < 0 ? Number.POSITIVE_INFINITY : date)),
    weight: Float64Array.from(due, (_, job) => (weight === null ? 1 : weight[job])),
  });
  return true;
}

/** Sets the least times from the end of each operation to the end of the schedule. */
export function setTails({ table, tail }: ShopTimer): void {
  const { operations, nextOffset, nextEdge, edgeTo, minLag } = table;
  const shortest = shortestModes(table);
  for (let op = operations - 1; op >= 0; op--) {
    let longest = 0;
    for (let i = nextOffset[op]; i < nextOffset[op + 1]; i++) {
      const edge = nextEdge[i];
      const to = edgeTo[edge];
      longest = Math.max(longest, minLag[edge] + shortest[to] + tail[to]);
    }
    tail[op] = longest;
  }
}

/** The shortest duration of each operation. */
function shortestModes(table: ShopTable): Int32Array {
  const { operations, modeOffset, modeDuration, frozen, chosen } = table;
  const shortest = new Int32Array(operations);
  for (let op = 0; op < operations; op++) {
    let least = modeDuration[chosen[op]];
    for (let mode = modeOffset[op]; frozen[op] < 0 && mode < modeOffset[op + 1]; mode++) {
      least = Math.min(least, modeDuration[mode]);
    }
    shortest[op] = least;
  }
  return shortest;
}
