import { completionTime } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { modeCount, modeDuration, modeMachine, modesOf } from '../../jssp/shop-parts.js';
import { kernelLoader } from '../load-kernel.js';
import type { JobEdges } from './edges.js';
import { noGoals, type ShopGoals } from './goals.js';

/** Arrays of the kernel, in the order of their numbers. */
const arrays = [
  'modeOffset',
  'modeMachine',
  'modeDuration',
  'predOffset',
  'pred',
  'predLag',
  'succOffset',
  'succ',
  'succLag',
  'jobPredecessor',
  'jobSuccessor',
  'last',
  'release',
  'fixed',
  'family',
  'setupBase',
  'setupTable',
  'waitsForJob',
  'transport',
  'order',
  'mode',
  'bestOrder',
  'bestMode',
  'end',
  'fixedEnd',
  'goalOffset',
  'goalOp',
  'goalDue',
  'goalWeight',
  'goalDeadline',
  'downtimeOffset',
  'downtimeFrom',
  'downtimeTo',
  'downtimeResumable',
] as const;

/** Exports of the WebAssembly module; `kernel/index.ts` is its source. */
interface FlexibleExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(
    operations: number,
    machines: number,
    modes: number,
    edges: number,
    sinks: number,
    families: number,
    matrices: number,
    transports: boolean,
  ): void;
  allocateTerms(goals: number, goalOperations: number, downtimes: number): void;
  addressOf(array: number): number;
  layOutSequences(): void;
  layOutSwaps(): void;
  configureShop(simple: boolean): void;
  configure(shortestTenure: number, tenureSpread: number): void;
  configureLooks(most: number): void;
  configureTries(most: number): void;
  configureGoals(tardiness: boolean, least: number): void;
  seedRandom(seed: number): void;
  start(): void;
  search(steps: number, cutoff: number, target: number): number;
  bestCost(): number;
  iterations(): number;
}

/** The hot loops of the search of one flexible shop, in WebAssembly with its own memory. */
export interface FlexibleKernel {
  readonly instance: Instance;
  readonly exports: FlexibleExports;
  /** Views of its memory. */
  readonly arrays: Readonly<Record<(typeof arrays)[number], Int32Array>>;
  /** Starts from a solution: a topological order (N), and the mode of each operation (N). */
  load(order: Int32Array, mode: Int32Array): void;
}

const loadKernel = kernelLoader<FlexibleExports>('#search-flexible-kernel');

/** Creates the kernel of a shop that `fitsFlexibleKernel`; without goals it minimises the makespan. */
export function createFlexibleKernel(
  instance: Instance,
  edges: JobEdges,
  goals: ShopGoals = noGoals,
): FlexibleKernel {
  const exports = loadKernel();
  const { operations, machines, setups, transport, calendar } = instance;
  const modes = modeCount(instance);
  const families = setups === null ? 0 : setups.families + 1;
  // One more matrix, of zeros, is that of machines without setups.
  const matrices = setups === null ? 0 : setups.first.length / setups.families + 1;
  const { pred, last } = edges;
  exports.allocate(
    operations,
    machines,
    modes,
    pred.length,
    last.length,
    families,
    matrices,
    transport !== null,
  );
  exports.allocateTerms(goals.due.length, goals.op.length, calendar?.from.length ?? 0);
  // Calls may grow the memory, which detaches its views, so all addresses are read first.
  const addresses = arrays.map((_, index) => exports.addressOf(index));
  const lengths = lengthsOf(instance, edges, goals, families * families * matrices);
  const views = Object.fromEntries(
    arrays.map((name, i) => [
      name,
      new Int32Array(exports.memory.buffer, addresses[i], lengths[name] ?? operations + 1),
    ]),
  ) as FlexibleKernel['arrays'];
  for (const [name, values] of Object.entries(edges)) views[name as keyof typeof edges].set(values);
  setOperations(views, instance);
  setSetups(views, instance, families);
  if (transport !== null) views.transport.set(transport.time);
  setTerms(views, goals, instance);
  const { release, frozen, precedence } = instance;
  const isChains = transport === null && precedence === null;
  const isSimple = isChains && setups === null && calendar === null;
  exports.configureShop(isSimple && release === null && frozen === null);
  exports.layOutSequences();
  exports.layOutSwaps();
  return {
    instance,
    exports,
    arrays: views,
    load: (order, mode) => {
      views.order.set(order);
      views.mode.set(mode);
      exports.start();
    },
  };
}

/** The lengths of arrays that do not have N+1 entries. */
function lengthsOf(
  instance: Instance,
  edges: JobEdges,
  goals: ShopGoals,
  setupTimes: number,
): Partial<Record<(typeof arrays)[number], number>> {
  const { operations, machines, transport, calendar } = instance;
  const modes = modeCount(instance);
  const count = goals.due.length;
  const downtimes = calendar?.from.length ?? 0;
  return {
    modeOffset: operations + 2,
    modeMachine: modes,
    modeDuration: modes,
    predOffset: operations + 2,
    succOffset: operations + 2,
    pred: edges.pred.length,
    predLag: edges.pred.length,
    succ: edges.pred.length,
    succLag: edges.pred.length,
    last: edges.last.length,
    setupBase: machines,
    setupTable: setupTimes,
    waitsForJob: machines,
    transport: transport === null ? 0 : transport.time.length,
    order: operations,
    bestOrder: operations,
    bestMode: operations,
    goalOffset: count + 1,
    goalOp: goals.op.length,
    goalDue: count,
    goalWeight: count,
    goalDeadline: count,
    downtimeOffset: machines + 1,
    downtimeFrom: downtimes,
    downtimeTo: downtimes,
    downtimeResumable: downtimes,
  };
}

function setOperations(views: FlexibleKernel['arrays'], instance: Instance): void {
  const { operations, release, frozen } = instance;
  for (let op = 0; op < operations; op++) {
    const [first, stop] = modesOf(instance, op);
    views.modeOffset[op] = first;
    for (let mode = first; mode < stop; mode++) {
      views.modeMachine[mode] = modeMachine(instance, mode);
      views.modeDuration[mode] = modeDuration(instance, mode);
    }
    // A frozen start is also a release.
    const isFrozen = frozen !== null && frozen[op] >= 0;
    views.fixed[op] = isFrozen ? 1 : 0;
    views.release[op] = isFrozen ? frozen[op] : (release?.[op] ?? 0);
  }
  views.modeOffset[operations] = modeCount(instance);
  views.modeOffset[operations + 1] = modeCount(instance);
}

/** Writes the goals, downtimes, and the ends of operations that have started. */
function setTerms(views: FlexibleKernel['arrays'], goals: ShopGoals, instance: Instance): void {
  views.goalOffset.set(goals.offset);
  views.goalOp.set(goals.op);
  views.goalDue.set(goals.due);
  views.goalWeight.set(goals.weight);
  views.goalDeadline.set(goals.deadline);
  const { calendar, frozen, operations } = instance;
  views.fixedEnd.fill(-1);
  for (let op = 0; op < operations && frozen !== null; op++) {
    if (frozen[op] >= 0) views.fixedEnd[op] = completionTime(instance, op, frozen[op]);
  }
  if (calendar === null) return;
  views.downtimeOffset.set(calendar.offset);
  views.downtimeFrom.set(calendar.from);
  views.downtimeTo.set(calendar.to);
  views.downtimeResumable.set(calendar.resumable);
}

/** Setup times with one more family, the last one, for "no operation". */
function setSetups(views: FlexibleKernel['arrays'], instance: Instance, families: number): void {
  const { setups, machines } = instance;
  if (setups === null) return;
  const { families: count, family, matrixOf, time, first, anticipatory } = setups;
  views.family.fill(count);
  views.family.set(family);
  const matrices = first.length / count;
  for (let matrix = 0; matrix < matrices; matrix++) {
    const base = matrix * families * families;
    for (let to = 0; to < count; to++) {
      for (let from = 0; from < count; from++) {
        views.setupTable[base + from * families + to] = time[(matrix * count + from) * count + to];
      }
      views.setupTable[base + count * families + to] = first[matrix * count + to];
    }
  }
  for (let k = 0; k < machines; k++) {
    const matrix = matrixOf[k] < 0 ? matrices : matrixOf[k];
    views.setupBase[k] = matrix * families * families;
    views.waitsForJob[k] = matrixOf[k] >= 0 && anticipatory[k] === 0 ? 1 : 0;
  }
}
