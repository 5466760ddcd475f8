// The disjunctive graph for changing machine orders, and a topological order of it (Roy and Sussmann 1964; Nowicki and
// Smutnicki 2005, doi:10.1007/s10951-005-6364-5). times.ts has its heads and tails, moves.ts changes it.
//
// Arrays have one entry per operation and one more for a dummy, number N, that represents "no operation": it ends at 0
// and has no rest, so no loop must check for missing neighbours.

/** N, which is also the number of the dummy. */
export let operations: i32 = 0;

export let duration = new StaticArray<i32>(0);
/** The release of an operation: its earliest start, independent of its predecessors. */
export let release = new StaticArray<i32>(0);
/** Completion of an operation with a frozen start, which no move touches; 0 for free ones. */
export let frozenEnd = new StaticArray<i32>(0);
export let machine = new StaticArray<i32>(0);
export let jobPredecessor = new StaticArray<i32>(0);
export let jobSuccessor = new StaticArray<i32>(0);
export let machinePredecessor = new StaticArray<i32>(0);
export let machineSuccessor = new StaticArray<i32>(0);
/** The operations in topological order. */
export let order = new StaticArray<i32>(0);
/** The index of each operation in `order`. */
export let position = new StaticArray<i32>(0);
/** The last operation of each job that has one. */
export let last = new StaticArray<i32>(0);

let lastOnMachine = new StaticArray<i32>(0);

/** Makes room for an instance. */
export function allocateGraph(n: i32, jobs: i32, machines: i32): void {
  operations = n;
  duration = new StaticArray<i32>(n + 1);
  release = new StaticArray<i32>(n + 1);
  frozenEnd = new StaticArray<i32>(n + 1);
  machine = new StaticArray<i32>(n + 1);
  jobPredecessor = new StaticArray<i32>(n + 1);
  jobSuccessor = new StaticArray<i32>(n + 1);
  machinePredecessor = new StaticArray<i32>(n + 1);
  machineSuccessor = new StaticArray<i32>(n + 1);
  order = new StaticArray<i32>(n);
  position = new StaticArray<i32>(n + 1);
  last = new StaticArray<i32>(jobs);
  lastOnMachine = new StaticArray<i32>(machines);
}

/** Takes over the machine orders implied by `order`, a topological order of all operations. */
export function linkOrder(): void {
  for (let k = 0; k < lastOnMachine.length; k++) lastOnMachine[k] = operations;
  for (let i = 0; i < operations; i++) {
    const op = order[i];
    position[op] = i;
    machinePredecessor[op] = operations;
    machineSuccessor[op] = operations;
    // An operation of zero duration occupies no machine.
    if (duration[op] === 0) continue;
    const before = lastOnMachine[machine[op]];
    link(before, op, operations);
    lastOnMachine[machine[op]] = op;
  }
}

/** Puts an operation at a position of the order. */
export function put(op: i32, place: i32): void {
  order[place] = op;
  position[op] = place;
}

/** Makes a, b and, unless it is negative, c machine neighbours in this order. */
export function link(a: i32, b: i32, c: i32): void {
  machineSuccessor[a] = b;
  machinePredecessor[b] = a;
  if (c < 0) return;
  machineSuccessor[b] = c;
  machinePredecessor[c] = b;
}
