import type { Kernel } from '../../src/search/kernel.js';

/** A move: `u` comes before `v` on their machine; afterwards it is the other way round. */
export interface Move {
  readonly kind: 'u after v' | 'v before u';
  readonly u: number;
  readonly v: number;
}

/**
 * The critical path that ends with an operation, in the kernel's numbers, and whether it begins at
 * time 0; null if it is not the only one.
 */
export function onlyPathTo({ instance, arrays }: Kernel, target: number) {
  const { end, release, jobPredecessor, machinePredecessor } = arrays;
  const path: number[] = [];
  let op = target;
  for (;;) {
    path.unshift(op);
    const a = jobPredecessor[op];
    const b = machinePredecessor[op];
    const ready = Math.max(end[a], end[b]);
    if (ready === 0 || ready < release[op]) break;
    if (end[a] === end[b] && a !== b) return null;
    op = end[a] > end[b] ? a : b;
  }
  if (op >= instance.operations) return null;
  return { path, startsAtZero: release[op] === 0 };
}

/** The moves of a neighbourhood on a critical path, by the definitions of its papers. */
export function movesOf(
  kernel: Kernel,
  neighbourhood: number,
  { path, startsAtZero }: { path: readonly number[]; startsAtZero: boolean },
  wholePath: boolean,
): Move[] {
  const moves: Move[] = [];
  const after = (u: number, v: number) => moves.push({ kind: 'u after v', u, v });
  const before = (v: number, u: number) => moves.push({ kind: 'v before u', u, v });
  for (const { block, isFirst, isLast } of blocksOf(kernel, path, startsAtZero, wholePath)) {
    const front = block[0];
    const back = block[block.length - 1];
    const isPair = block.length === 2;
    if (neighbourhood === 5) {
      if (!isFirst || isPair) after(front, block[1]);
      if (!isLast && !isPair) after(block[block.length - 2], back);
      continue;
    }
    if (isPair) {
      after(front, back);
      continue;
    }
    if (!isLast) for (const op of block.slice(0, -1)) after(op, back);
    if (!isFirst) for (const op of block.slice(1)) before(op, front);
    if (neighbourhood === 6) continue;
    for (const op of block.slice(1, -1)) {
      after(front, op);
      before(back, op);
    }
  }
  return moves;
}

/** Runs of two or more operations of a path that follow each other on a machine, frozen ones left out. */
function blocksOf(
  { arrays }: Kernel,
  path: readonly number[],
  startsAtZero: boolean,
  wholePath: boolean,
) {
  const runs: number[][] = [];
  path.forEach((op, i) => {
    const follows = i > 0 && arrays.machinePredecessor[op] === path[i - 1];
    if (follows) runs[runs.length - 1].push(op);
    else runs.push([op]);
  });
  return runs
    .map((run) => run.filter((op) => arrays.frozenEnd[op] === 0))
    .filter((block) => block.length >= 2)
    .map((block) => ({
      block,
      isFirst: wholePath && startsAtZero && block[0] === path[0],
      isLast: wholePath && block[block.length - 1] === path[path.length - 1],
    }));
}

/** Whether heads and tails rule out that a move closes a cycle. */
export function isSurelyAcyclic({ arrays }: Kernel, { kind, u, v }: Move): boolean {
  const { end, rest, duration, jobPredecessor, jobSuccessor } = arrays;
  if (kind === 'u after v') {
    const next = jobSuccessor[u];
    return next !== v && rest[v] > rest[next] - duration[next];
  }
  const before = jobPredecessor[v];
  return before !== u && end[u] > end[before] - duration[before];
}

/** Whether heads alone rule out that a move closes a cycle. */
export function isAcyclicByHeads({ arrays, instance }: Kernel, { kind, u, v }: Move): boolean {
  const { end, duration, jobPredecessor, jobSuccessor } = arrays;
  if (kind === 'u after v') {
    const next = jobSuccessor[u];
    if (next === instance.operations) return true;
    return next !== v && end[next] > end[v] - duration[v];
  }
  const before = jobPredecessor[v];
  return before !== u && end[u] > end[before] - duration[before];
}

/** Makes a move; false if it closes a cycle. */
export function makeMove({ exports }: Kernel, { kind, u, v }: Move): boolean {
  return (kind === 'u after v' ? exports.moveAfter(u, v) : exports.moveBefore(v, u)) !== 0;
}
