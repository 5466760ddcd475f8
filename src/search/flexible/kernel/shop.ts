// The data of a shop that no move changes: modes, precedence inside jobs, setups and transport.
//
// Arrays by operation have one more entry for a dummy, number N, that represents "no operation": it ends at 0 and has no
// rest, so no loop must check for missing neighbours.

/** N, which is also the number of the dummy. */
export let operations: i32 = 0;
export let machines: i32 = 0;

/** The modes of an operation: `modeOffset[op]` to `modeOffset[op + 1] − 1`. */
export let modeOffset = new StaticArray<i32>(0);
export let modeMachine = new StaticArray<i32>(0);
export let modeDuration = new StaticArray<i32>(0);

/** The predecessors of operations inside their jobs, by `predOffset`, with the least time between the two. */
export let predOffset = new StaticArray<i32>(0);
export let pred = new StaticArray<i32>(0);
export let predLag = new StaticArray<i32>(0);
export let succOffset = new StaticArray<i32>(0);
export let succ = new StaticArray<i32>(0);
export let succLag = new StaticArray<i32>(0);
/** The only predecessor and successor, if jobs are chains. */
export let jobPredecessor = new StaticArray<i32>(0);
export let jobSuccessor = new StaticArray<i32>(0);
/** The operations without a successor. */
export let last = new StaticArray<i32>(0);

/** The earliest start of an operation, independent of its predecessors. */
export let release = new StaticArray<i32>(0);
/** 1 for operations that no move touches: those that have started. */
export let fixed = new StaticArray<i32>(0);
/** Their ends; −1 for others. */
export let fixedEnd = new StaticArray<i32>(0);

/** The family of each operation; the last one for "no operation". */
export let family = new StaticArray<i32>(0);
/** The index of the first setup time of each machine, … */
export let setupBase = new StaticArray<i32>(0);
/** … the times by machine matrix, from family and to family, … */
export let setupTable = new StaticArray<i32>(0);
/** … and 1 for machines whose setup waits for the job. */
export let waitsForJob = new StaticArray<i32>(0);
/** Times of transport by machine and machine. */
export let transport = new StaticArray<i32>(0);

let families: i32 = 0;
/** Whether the shop has setups, … */
export let hasSetups: bool = false;
/** … transport, … */
export let hasTransport: bool = false;
/** … or neither of them, no releases, and jobs that are chains without lags. */
export let isSimple: bool = true;

/** Makes room for a shop. */
export function allocateShop(
  n: i32,
  m: i32,
  modes: i32,
  edges: i32,
  sinks: i32,
  familyCount: i32,
  matrices: i32,
  transports: bool,
): void {
  operations = n;
  machines = m;
  modeOffset = new StaticArray<i32>(n + 2);
  modeMachine = new StaticArray<i32>(modes);
  modeDuration = new StaticArray<i32>(modes);
  predOffset = new StaticArray<i32>(n + 2);
  pred = new StaticArray<i32>(edges);
  predLag = new StaticArray<i32>(edges);
  succOffset = new StaticArray<i32>(n + 2);
  succ = new StaticArray<i32>(edges);
  succLag = new StaticArray<i32>(edges);
  jobPredecessor = new StaticArray<i32>(n + 1);
  jobSuccessor = new StaticArray<i32>(n + 1);
  last = new StaticArray<i32>(sinks);
  release = new StaticArray<i32>(n + 1);
  fixed = new StaticArray<i32>(n + 1);
  fixedEnd = new StaticArray<i32>(n + 1);
  family = new StaticArray<i32>(n + 1);
  families = familyCount;
  hasSetups = matrices > 0;
  setupBase = new StaticArray<i32>(m);
  setupTable = new StaticArray<i32>(matrices * familyCount * familyCount);
  waitsForJob = new StaticArray<i32>(m);
  hasTransport = transports;
  transport = new StaticArray<i32>(transports ? m * m : 0);
  isSimple = true;
}

/** Sets whether simple loops suffice. */
export function configureShop(simple: bool): void {
  isSimple = simple;
}

/** The setup time on a machine between two operations; either may be the dummy. */
export function setupBetween(k: i32, from: i32, to: i32): i32 {
  if (!hasSetups) return 0;
  return setupTable[setupBase[k] + family[from] * families + family[to]];
}

/** The time of transport between two machines. */
export function transportBetween(from: i32, to: i32): i32 {
  return hasTransport ? transport[from * machines + to] : 0;
}
