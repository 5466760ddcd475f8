import type { Kernel } from '../../src/search/kernel.js';
import type { Move } from './reference-moves.js';

/**
 * The weighted tardiness after a move as it is estimated, without downtimes, from the definition: a watched
 * operation whose critical path leads through the front of the moved stretch ends with the longest path through the
 * stretch in its new order; another one no earlier than before.
 */
export function estimatedTardiness(kernel: Kernel, { kind, u, v }: Move): number {
  const { arrays } = kernel;
  const { end, duration, release, jobPredecessor, machinePredecessor, machineSuccessor } = arrays;
  const stretch = [u];
  while (stretch[stretch.length - 1] !== v) {
    stretch.push(machineSuccessor[stretch[stretch.length - 1]]);
  }
  const moved = kind === 'u after v' ? [...stretch.slice(1), u] : [v, ...stretch.slice(0, -1)];
  let ready = end[machinePredecessor[u]];
  const ends = moved.map((op) => {
    ready = Math.max(ready, end[jobPredecessor[op]], release[op]) + duration[op];
    return ready;
  });
  return [...arrays.watched].reduce((sum, goal, i) => {
    let behind = tailTo(kernel, machineSuccessor[v], goal);
    let longest = Number.NEGATIVE_INFINITY;
    for (let k = moved.length - 1; k >= 0; k--) {
      const after = Math.max(behind, pathBehind(kernel, moved[k], goal));
      longest = Math.max(longest, ends[k] + after);
      behind = duration[moved[k]] + after;
    }
    const through = end[u] - duration[u] + tailTo(kernel, u, goal);
    const done = through === end[goal] ? longest : Math.max(end[goal], longest);
    return sum + Math.max(0, done - arrays.watchedDue[i]) * arrays.watchedWeight[i];
  }, 0);
}

/** The longest path from the start of an operation to the end of another one; −∞ if there is none. */
function tailTo(kernel: Kernel, op: number, goal: number): number {
  const { instance, arrays } = kernel;
  if (op === instance.operations) return Number.NEGATIVE_INFINITY;
  const viaMachine = tailTo(kernel, arrays.machineSuccessor[op], goal);
  return arrays.duration[op] + Math.max(pathBehind(kernel, op, goal), viaMachine);
}

/** The longest path from the end of an operation on, by its job. */
function pathBehind(kernel: Kernel, op: number, goal: number): number {
  return op === goal ? 0 : tailTo(kernel, kernel.arrays.jobSuccessor[op], goal);
}
