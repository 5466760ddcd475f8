import type { Instance } from '../../jssp/instance.js';
import { type Propagation, savedLength } from './propagation.js';

/** The result of a search for a schedule within a trial makespan. */
export type TrialResult = 'refuted' | 'possible' | 'undecided';

/**
 * The limits of the depth of branches, and of entries of all buffers together: beyond either of them the result is
 * undecided.
 */
const MAX_DEPTH = 1000;
const MAX_SAVED = 2 ** 22;

/** Decides by branching whether there is a schedule within a trial makespan. */
export interface Branching {
  /**
   * Continues the search from the known facts, in at most `nodes` nodes; `possible` means that `accepts` has confirmed
   * a schedule; by default, a schedule of the propagation's relaxation.
   */
  search(makespan: number, nodes: number): TrialResult;
  /** Nodes of all searches so far. */
  nodes(): number;
}

/**
 * Creates a depth-first search over the order of two operations on a machine (Roy and Sussmann 1964), with full
 * propagation at each node. It branches first on the pair with the least slack, taken as the geometric mean over both
 * orders (Smith and Cheng 1993). Slack is weighted down by the number of contradictions that involved the machine and
 * the operations (Grimes and Hebrard 2015, doi:10.1287/ijoc.2014.0625), so that the search resolves the hard parts
 * first.
 *
 * @param accepts called at each node; its argument is whether all orders are settled there. It returns whether the
 *   current heads make a schedule, which ends the search. If it returns false with all orders settled, the orders of
 *   this node allow no schedule
 */
export function createBranching(
  instance: Instance,
  known: Propagation,
  isOver: () => boolean,
  accepts: (settled: boolean) => boolean = (settled) => settled,
): Branching {
  const { machines, operations, duration } = instance;
  const { head, tail, orders, contradictions } = known;
  const { offset, members, before } = orders;
  const length = savedLength(instance);
  const deepest = Math.min(MAX_DEPTH, Math.floor(MAX_SAVED / length));
  const saved: Int32Array[] = [];
  const trouble = new Float64Array(operations).fill(1);
  let limit = 0;
  let left = 0;
  let total = 0;
  let first = 0;
  let second = 0;

  /** Finds the pair to branch on, the tighter order first; false if no pair is open. */
  const choose = (): boolean => {
    let least = Infinity;
    for (let k = 0; k < machines; k++) {
      const count = orders.width(k);
      const settled = before[k];
      for (let i = 0; i < count; i++) {
        const a = members[offset[k] + i];
        const afterA = limit - head[a] - duration[a];
        const beforeA = limit - duration[a] - tail[a];
        for (let j = i + 1; j < count; j++) {
          const b = members[offset[k] + j];
          const forward = afterA - duration[b] - tail[b];
          const backward = beforeA - duration[b] - head[b];
          if (forward < 0 || backward < 0) continue;
          if (settled[i * count + j] === 1 || settled[j * count + i] === 1) continue;
          const weight = (1 + contradictions[k]) * (trouble[a] + trouble[b]);
          const score = ((forward + 1) * (backward + 1)) / (weight * weight);
          if (score >= least) continue;
          least = score;
          first = forward < backward ? a : b;
          second = forward < backward ? b : a;
        }
      }
    }
    return least < Infinity;
  };

  const branch = (a: number, b: number, depth: number): TrialResult => {
    if (known.precede(a, b)) return explore(depth + 1);
    trouble[a]++;
    trouble[b]++;
    return 'refuted';
  };

  const explore = (depth: number): TrialResult => {
    if (left === 0 || depth === deepest || isOver()) return 'undecided';
    left--;
    total++;
    const settled = !choose();
    if (accepts(settled)) return 'possible';
    if (settled) return 'refuted';
    const a = first;
    const b = second;
    saved[depth] ??= new Int32Array(length);
    known.save(saved[depth]);
    const verdict = branch(a, b, depth);
    if (verdict !== 'refuted') return verdict;
    known.restore(saved[depth]);
    return branch(b, a, depth);
  };

  return {
    search: (makespan, nodes) => {
      limit = makespan;
      left = nodes;
      return explore(0);
    },
    nodes: () => total,
  };
}
