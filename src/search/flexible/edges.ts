import type { Instance } from '../../jssp/instance.js';
import { eachPredecessor } from '../../jssp/shop-parts.js';

/**
 * The precedence inside the jobs of a shop: the predecessors of operation v are the entries `predOffset[v] …
 * predOffset[v + 1] − 1` of `pred`, with their minimum lags; likewise its successors. Entry N is that of the dummy, which
 * has none.
 */
export interface JobEdges {
  /** N+2 entries each. */
  readonly predOffset: Int32Array;
  readonly succOffset: Int32Array;
  readonly pred: Int32Array;
  readonly predLag: Int32Array;
  readonly succ: Int32Array;
  readonly succLag: Int32Array;
  /** N+1 entries each: one predecessor and one successor, N for none. */
  readonly jobPredecessor: Int32Array;
  readonly jobSuccessor: Int32Array;
  /** The operations without a successor. */
  readonly last: Int32Array;
}

/** Reads the precedence inside the jobs of a shop. */
export function edgesOf(instance: Instance): JobEdges {
  const { operations } = instance;
  const predOffset = new Int32Array(operations + 2);
  const succOffset = new Int32Array(operations + 2);
  let edges = 0;
  for (let op = 0; op < operations; op++) {
    eachPredecessor(instance, op, (before) => {
      edges++;
      predOffset[op + 1]++;
      succOffset[before + 1]++;
    });
  }
  const last = Int32Array.from(
    Array.from({ length: operations }, (_, op) => op).filter((op) => succOffset[op + 1] === 0),
  );
  for (let i = 0; i <= operations; i++) {
    predOffset[i + 1] += predOffset[i];
    succOffset[i + 1] += succOffset[i];
  }
  const pred = new Int32Array(edges);
  const predLag = new Int32Array(edges);
  const succ = new Int32Array(edges);
  const succLag = new Int32Array(edges);
  const jobPredecessor = new Int32Array(operations + 1).fill(operations);
  const jobSuccessor = new Int32Array(operations + 1).fill(operations);
  const next = succOffset.slice();
  let at = 0;
  for (let op = 0; op < operations; op++) {
    eachPredecessor(instance, op, (before, lag) => {
      pred[at] = before;
      predLag[at++] = lag;
      succ[next[before]] = op;
      succLag[next[before]++] = lag;
      jobPredecessor[op] = before;
      jobSuccessor[before] = op;
    });
  }
  return {
    predOffset,
    succOffset,
    pred,
    predLag,
    succ,
    succLag,
    jobPredecessor,
    jobSuccessor,
    last,
  };
}
