import { InputError } from '@alas-jssp/core/errors';

/**
 * The modes of all operations: the ways in which each can be done. Operation v has the modes `offset[v] …
 * offset[v + 1] − 1`, at least one (the flexible job shop: Brucker and Schlie 1990, doi:10.1007/BF02238804).
 */
export interface Modes {
  /** N+1 entries. */
  readonly offset: Int32Array;
  /** M entries: the machine of each mode. */
  readonly machine: Int32Array;
  /** M entries: the duration of each mode. */
  readonly duration: Int32Array;
  /** N entries: the mode in which each operation is done here; `machine` and `duration` of the instance are its. */
  readonly chosen: Int32Array;
}

/**
 * Setup times of machines between operations of two families (Allahverdi 2015, doi:10.1016/j.ejor.2015.04.004). An
 * operation of zero duration needs no setup.
 */
export interface Setups {
  /** F, the number of families. */
  readonly families: number;
  /** F entries; absent or null if families have no names. */
  readonly names?: readonly string[] | null | undefined;
  /** N entries: the family of each operation, from 0. */
  readonly family: Int32Array;
  /** m entries: the matrix of each machine, −1 if it needs no setups. */
  readonly matrixOf: Int32Array;
  /** F × F entries for each matrix: the setup time from one family (rows) to another (columns). */
  readonly time: Int32Array;
  /** F entries for each matrix: the setup time before the first operation of the machine. */
  readonly first: Int32Array;
  /** m entries: 1 if the setup may take place before the job is at the machine, otherwise 0. */
  readonly anticipatory: Uint8Array;
}

/** Times of transport of a job from one machine to another. */
export interface Transport {
  /** m × m entries: from one machine (rows) to another (columns). */
  readonly time: Int32Array;
}

/**
 * The operations that must be done before each one, in the same job and with a smaller number: those of operation v are
 * the entries `offset[v] … offset[v + 1] − 1`. Lags count from the arrival at the machine: for an edge u → v, `end(u) +
 * transport + minLag ≤ start(v) ≤ end(u) + transport + maxLag`.
 */
export interface Precedence {
  /** N+1 entries. */
  readonly offset: Int32Array;
  /** E entries: the predecessor. */
  readonly pred: Int32Array;
  /** E entries: the least time between arrival and start, 0 or more. */
  readonly minLag: Int32Array;
  /** E entries: the greatest time between arrival and start, −1 for none; 0 is no-wait. */
  readonly maxLag: Int32Array;
}

/** Times in which a resource has another capacity than usual, by resource, in order and not overlapping. */
export interface ResourceCalendar {
  /** R+1 entries. */
  readonly offset: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The capacity in that time. */
  readonly amount: Int32Array;
  /** 1 where the end of the time is an estimate; absent if all ends are known. */
  readonly estimated?: Uint8Array | undefined;
}

/** During the whole operation, apart from its setup. */
export const WORK_PHASE = 0;
/** During the setup of the operation. */
export const SETUP_PHASE = 1;

/** Operators, tools and the like, of which modes need some while they work or are set up. */
export interface Resources {
  /** R, the number of resources. */
  readonly count: number;
  /** R entries. */
  readonly capacity: Int32Array;
  /** R entries, or null if they have no names. */
  readonly names: readonly string[] | null;
  readonly calendar: ResourceCalendar | null;
  /** M+1 entries: mode i has the needs `needOffset[i] … needOffset[i + 1] − 1`. Without modes, operations count as modes. */
  readonly needOffset: Int32Array;
  readonly needResource: Int32Array;
  /** The amount of each need, 1 or more. */
  readonly needAmount: Int32Array;
  /** {@link WORK_PHASE} or {@link SETUP_PHASE}. */
  readonly needPhase: Uint8Array;
}

/** The parts of a shop beyond one machine and one duration for each operation; null where it has nothing of the kind. */
export interface ShopParts {
  readonly modes: Modes | null;
  readonly setups: Setups | null;
  readonly transport: Transport | null;
  readonly precedence: Precedence | null;
  readonly resources: Resources | null;
}

/** The members of an instance that its parts refer to. */
interface ShopShape extends ShopParts {
  readonly operations: number;
  readonly machines: number;
  readonly jobOffset: Int32Array;
  readonly jobOf: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
}

/** Whether operations follow one another in chains without lags, setups, transport and resources. They may have modes. */
export function isPlain({ setups, transport, precedence, resources }: ShopParts): boolean {
  return setups === null && transport === null && precedence === null && resources === null;
}

/** Whether it is the classic job shop: plain, and each operation has one machine. */
export function isClassic(instance: ShopParts): boolean {
  return instance.modes === null && isPlain(instance);
}

/**
 * Refuses an instance with parts that a function does not know.
 *
 * @param what the function, as the subject of a sentence: `the shifting bottleneck`
 * @throws InputError `not_modelled`
 */
export function refuseUnlessPlain(instance: ShopParts, what: string): void {
  if (isPlain(instance)) return;
  const parts = (['setups', 'transport', 'precedence', 'resources'] as const).filter(
    (part) => instance[part] !== null,
  );
  throw new InputError(
    'not_modelled',
    `${what} cannot handle shops with ${parts.join(', ')}`,
    'leave these parts out, or choose another method',
    {},
    parts,
  );
}

/** The number of modes of all operations. */
export function modeCount({ modes, operations }: ShopShape): number {
  return modes === null ? operations : modes.machine.length;
}

/** The chosen mode of an operation; the operation itself in an instance without modes. */
export function chosenMode({ modes }: ShopParts, op: number): number {
  return modes === null ? op : modes.chosen[op];
}

/** The range of modes of an operation: from the first to before the last. */
export function modesOf({ modes }: ShopParts, op: number): readonly [first: number, stop: number] {
  return modes === null ? [op, op + 1] : [modes.offset[op], modes.offset[op + 1]];
}

/** The machine of a mode. */
export function modeMachine({ modes, machine }: ShopShape, mode: number): number {
  return (modes?.machine ?? machine)[mode];
}

/** The duration of a mode. */
export function modeDuration({ modes, duration }: ShopShape, mode: number): number {
  return (modes?.duration ?? duration)[mode];
}

/**
 * The mode of an operation on a machine: the one with the given duration, otherwise the first; −1 if the machine cannot
 * do the operation.
 */
export function findMode(
  instance: ShopShape,
  op: number,
  machine: number,
  duration?: number,
): number {
  const [first, stop] = modesOf(instance, op);
  let found = -1;
  for (let mode = first; mode < stop; mode++) {
    if (modeMachine(instance, mode) !== machine) continue;
    if (modeDuration(instance, mode) === duration) return mode;
    if (found < 0) found = mode;
  }
  return found;
}

/** The setup time on a machine between two operations; `before` is −1 for the first operation of the machine. */
export function setupTime(
  { setups, duration }: ShopShape,
  machine: number,
  before: number,
  op: number,
): number {
  if (setups === null || duration[op] === 0) return 0;
  const matrix = setups.matrixOf[machine];
  if (matrix < 0) return 0;
  const { families, family, time, first } = setups;
  if (before < 0) return first[matrix * families + family[op]];
  return time[(matrix * families + family[before]) * families + family[op]];
}

/** The time of transport from the machine of one operation to that of another. */
export function transportTime(
  { transport, machine, machines }: ShopShape,
  from: number,
  to: number,
): number {
  return transport === null ? 0 : transport.time[machine[from] * machines + machine[to]];
}

/** Calls `visit` for each operation that must be done before another one, with its lags. */
export function eachPredecessor(
  { precedence, jobOffset, jobOf }: ShopShape,
  op: number,
  visit: (predecessor: number, minLag: number, maxLag: number) => void,
): void {
  if (precedence === null) {
    if (op > jobOffset[jobOf[op]]) visit(op - 1, 0, -1);
    return;
  }
  const { offset, pred, minLag, maxLag } = precedence;
  for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
    visit(pred[edge], minLag[edge], maxLag[edge]);
  }
}
