import type { Calendar, Instance } from '../instance.js';
import type { Resources, Setups } from '../shop-parts.js';

/** The facts of a shop in flat arrays, in the same form for every instance, for code that times it often. */
export interface ShopTable {
  readonly instance: Instance;
  readonly operations: number;
  readonly machines: number;
  /** N+1 entries: the modes of each operation; without modes, each operation is its own mode. */
  readonly modeOffset: Int32Array;
  readonly modeMachine: Int32Array;
  readonly modeDuration: Int32Array;
  /** The modes chosen in the instance. */
  readonly chosen: Int32Array;
  /** The edges of precedence by their later operation: `edgeOffset` has N+1 entries. */
  readonly edgeOffset: Int32Array;
  readonly edgeFrom: Int32Array;
  readonly edgeTo: Int32Array;
  readonly minLag: Int32Array;
  /** −1 for none. */
  readonly maxLag: Int32Array;
  /** The edges (numbers) by their earlier operation: `nextOffset` has N+1 entries. */
  readonly nextOffset: Int32Array;
  readonly nextEdge: Int32Array;
  readonly hasMaxLags: boolean;
  /** N entries, 0 for none. */
  readonly release: Int32Array;
  /** N entries, −1 for none. */
  readonly frozen: Int32Array;
  /** m × m entries, or null if all are 0. */
  readonly transport: Int32Array | null;
  readonly setups: Setups | null;
  readonly resources: Resources | null;
  readonly calendar: Calendar | null;
  /** m+1 entries: the frozen operations that occupy each machine, … */
  readonly fixedOffset: Int32Array;
  /** … by start. */
  readonly fixed: Int32Array;
}

/** Lays out the facts of a shop. O(N + M). */
export function layOutShop(instance: Instance): ShopTable {
  const { operations, machines, modes, setups, resources, calendar, transport } = instance;
  const own = Int32Array.from({ length: operations + 1 }, (_, op) => op);
  const edges = edgesOf(instance);
  return {
    instance,
    operations,
    machines,
    modeOffset: modes?.offset ?? own,
    modeMachine: modes?.machine ?? instance.machine,
    modeDuration: modes?.duration ?? instance.duration,
    chosen: modes?.chosen ?? own.subarray(0, operations),
    ...edges,
    ...byEarlier(edges.edgeFrom, operations),
    hasMaxLags: edges.maxLag.some((lag) => lag >= 0),
    release: instance.release ?? new Int32Array(operations),
    frozen: instance.frozen ?? new Int32Array(operations).fill(-1),
    transport: transport?.time ?? null,
    setups,
    resources,
    calendar,
    ...fixedOf(instance),
  };
}

type Edges = Pick<ShopTable, 'edgeOffset' | 'edgeFrom' | 'edgeTo' | 'minLag' | 'maxLag'>;

function edgesOf({ operations, jobOf, jobOffset, precedence }: Instance): Edges {
  if (precedence !== null) {
    const { offset, pred, minLag, maxLag } = precedence;
    const edgeTo = new Int32Array(pred.length);
    for (let op = 0; op < operations; op++) edgeTo.fill(op, offset[op], offset[op + 1]);
    return { edgeOffset: offset, edgeFrom: pred, edgeTo, minLag, maxLag };
  }
  const edgeOffset = new Int32Array(operations + 1);
  const edgeFrom = new Int32Array(operations);
  const edgeTo = new Int32Array(operations);
  let count = 0;
  for (let op = 0; op < operations; op++) {
    if (op > jobOffset[jobOf[op]]) {
      edgeFrom[count] = op - 1;
      edgeTo[count++] = op;
    }
    edgeOffset[op + 1] = count;
  }
  return {
    edgeOffset,
    edgeFrom: edgeFrom.subarray(0, count),
    edgeTo: edgeTo.subarray(0, count),
    minLag: new Int32Array(count),
    maxLag: new Int32Array(count).fill(-1),
  };
}

function byEarlier(
  edgeFrom: Int32Array,
  operations: number,
): Pick<ShopTable, 'nextOffset' | 'nextEdge'> {
  const nextOffset = new Int32Array(operations + 1);
  for (const op of edgeFrom) nextOffset[op + 1]++;
  for (let op = 0; op < operations; op++) nextOffset[op + 1] += nextOffset[op];
  const slot = nextOffset.slice();
  const nextEdge = new Int32Array(edgeFrom.length);
  for (let edge = 0; edge < edgeFrom.length; edge++) nextEdge[slot[edgeFrom[edge]]++] = edge;
  return { nextOffset, nextEdge };
}

function fixedOf(instance: Instance): Pick<ShopTable, 'fixedOffset' | 'fixed'> {
  const { machines, machineOffset, machineOperations, duration, frozen } = instance;
  const fixedOffset = new Int32Array(machines + 1);
  if (frozen === null) return { fixedOffset, fixed: new Int32Array() };
  const fixed: number[] = [];
  for (let k = 0; k < machines; k++) {
    const here = machineOperations
      .subarray(machineOffset[k], machineOffset[k + 1])
      .filter((op) => frozen[op] >= 0 && duration[op] > 0)
      .sort((a, b) => frozen[a] - frozen[b] || a - b);
    for (const op of here) fixed.push(op);
    fixedOffset[k + 1] = fixed.length;
  }
  return { fixedOffset, fixed: Int32Array.from(fixed) };
}

/** The setup time on a machine between two operations; `before` is −1 for the first one. */
export function setupBetween(
  setups: Setups | null,
  machine: number,
  before: number,
  op: number,
): number {
  if (setups === null) return 0;
  const matrix = setups.matrixOf[machine];
  if (matrix < 0) return 0;
  const { families, family, time, first } = setups;
  if (before < 0) return first[matrix * families + family[op]];
  return time[(matrix * families + family[before]) * families + family[op]];
}
