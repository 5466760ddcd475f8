import type { Instance } from '../jssp/instance.js';
import {
  chosenMode,
  isClassic,
  modeDuration,
  modeMachine,
  modesOf,
  type Precedence,
  type Resources,
  SETUP_PHASE,
  type ShopParts,
  WORK_PHASE,
} from '../jssp/shop-parts.js';
import type { ArrivingMode, ArrivingOperation, EventNeed } from './arriving.js';

/** An amount of a resource that a mode needs in a phase. */
export interface DraftNeed {
  readonly resource: number;
  readonly amount: number;
  readonly phase: number;
}

/** A mode of an operation. */
export interface DraftMode {
  readonly machine: number;
  readonly duration: number;
  readonly needs: readonly DraftNeed[];
}

/** The modes of an operation, of which one is chosen. */
export interface ModeList {
  readonly modes: readonly DraftMode[];
  /** The index of the chosen one. */
  readonly chosen: number;
}

/** The modes of an operation of an instance. */
export function listModes(instance: Instance, op: number): ModeList {
  const [first, stop] = modesOf(instance, op);
  const modes: DraftMode[] = [];
  for (let mode = first; mode < stop; mode++) {
    modes.push({
      machine: modeMachine(instance, mode),
      duration: modeDuration(instance, mode),
      needs: needsOf(instance.resources, mode),
    });
  }
  return { modes, chosen: chosenMode(instance, op) - first };
}

function needsOf(resources: Resources | null, mode: number): DraftNeed[] {
  const needs: DraftNeed[] = [];
  if (resources === null) return needs;
  const { needOffset, needResource, needAmount, needPhase } = resources;
  for (let need = needOffset[mode]; need < needOffset[mode + 1]; need++) {
    needs.push({
      resource: needResource[need],
      amount: needAmount[need],
      phase: needPhase[need],
    });
  }
  return needs;
}

/** The modes of an operation of an arriving job. */
export function arrivingModes(operation: ArrivingOperation): ModeList {
  const modeOf = ({ machine, duration, needs = [] }: ArrivingMode): DraftMode => ({
    machine,
    duration,
    needs: draftNeeds(needs),
  });
  return { modes: [operation, ...(operation.alternatives ?? [])].map(modeOf), chosen: 0 };
}

/** Needs as events have them. */
export function draftNeeds(needs: readonly EventNeed[]): DraftNeed[] {
  return needs.map(({ resource, amount = 1, during = 'work' }) => ({
    resource,
    amount,
    phase: during === 'setup' ? SETUP_PHASE : WORK_PHASE,
  }));
}

/** The changes of a draft to the parts of a shop. */
interface PartChanges {
  /** The instance before the events, and its resources after them. */
  readonly instance: Instance;
  readonly resources: Resources | null;
  /** The current machine and duration of each operation, arriving ones included. */
  readonly machine: Int32Array;
  readonly duration: Int32Array;
  /** The modes of operations that have other ones than before, and of new operations. */
  readonly modeLists: ReadonlyMap<number, ModeList>;
  /** The setup families of all operations, new ones included; null without setups. */
  readonly family: Int32Array | null;
}

/** The parts of an instance, and the machines and durations of its chosen modes. */
type AssignedParts = ShopParts & Pick<Instance, 'machine' | 'duration'>;

/**
 * The parts of a shop after events, for its operations in their new order. O(N + M).
 *
 * @param from for each operation, its number in the draft
 * @param jobOffset the job offsets after the events
 */
export function partsAfter(
  changes: PartChanges,
  from: Int32Array,
  jobOffset: Int32Array,
): AssignedParts {
  const { instance, resources, modeLists, family } = changes;
  const { setups, transport } = instance;
  const listed = modesAfter(changes, from);
  const { machine, duration } = listed;
  const hasModes =
    instance.modes !== null || [...modeLists.values()].some(({ modes }) => modes.length > 1);
  const { offset, chosen } = listed;
  return {
    machine: hasModes ? chosen.map((mode) => machine[mode]) : machine,
    duration: hasModes ? chosen.map((mode) => duration[mode]) : duration,
    modes: hasModes ? { offset, machine, duration, chosen } : null,
    setups: setups && family && { ...setups, family: from.map((op) => family[op]) },
    transport,
    precedence: precedenceAfter(instance, from, jobOffset),
    resources: resources && { ...resources, ...listed.needs },
  };
}

/** The flat arrays of modes and their needs. */
function modesAfter(changes: PartChanges, from: Int32Array) {
  const { instance, modeLists } = changes;
  const { resources } = instance;
  const offset = new Int32Array(from.length + 1);
  const chosen = new Int32Array(from.length);
  const machine: number[] = [];
  const duration: number[] = [];
  const needOffset: number[] = [0];
  const needs: DraftNeed[] = [];
  const add = (mode: DraftMode) => {
    machine.push(mode.machine);
    duration.push(mode.duration);
    needs.push(...mode.needs);
    needOffset.push(needs.length);
  };
  from.forEach((op, i) => {
    const list = modeLists.get(op);
    chosen[i] = offset[i] + (list?.chosen ?? chosenMode(instance, op) - modesOf(instance, op)[0]);
    if (list === undefined && op >= instance.operations) {
      add({ machine: changes.machine[op], duration: changes.duration[op], needs: [] });
    } else if (list === undefined) {
      const [first, stop] = modesOf(instance, op);
      for (let mode = first; mode < stop; mode++) {
        machine.push(modeMachine(instance, mode));
        // Without modes, the draft alone has new durations.
        const known = instance.modes === null ? changes.duration[op] : modeDuration(instance, mode);
        duration.push(known);
        if (resources !== null) needs.push(...needsOf(resources, mode));
        needOffset.push(needs.length);
      }
    } else list.modes.forEach(add);
    offset[i + 1] = machine.length;
  });
  return {
    offset,
    chosen,
    machine: Int32Array.from(machine),
    duration: Int32Array.from(duration),
    needs: {
      needOffset: Int32Array.from(needOffset),
      needResource: Int32Array.from(needs, ({ resource }) => resource),
      needAmount: Int32Array.from(needs, ({ amount }) => amount),
      needPhase: Uint8Array.from(needs, ({ phase }) => phase),
    },
  };
}

/** The edges between the operations that are left; new jobs are chains. */
function precedenceAfter(
  { precedence, operations }: Instance,
  from: Int32Array,
  jobOffset: Int32Array,
): Precedence | null {
  if (precedence === null) return null;
  const newOf = new Map(Array.from(from, (op, i) => [op, i]));
  const offset = new Int32Array(from.length + 1);
  const edges: (readonly [pred: number, minLag: number, maxLag: number])[] = [];
  const firsts = new Set(jobOffset);
  from.forEach((op, i) => {
    if (op >= operations) {
      if (!firsts.has(i)) edges.push([i - 1, 0, -1]);
    } else {
      for (let edge = precedence.offset[op]; edge < precedence.offset[op + 1]; edge++) {
        const pred = newOf.get(precedence.pred[edge]);
        if (pred === undefined) continue;
        edges.push([pred, precedence.minLag[edge], precedence.maxLag[edge]]);
      }
    }
    offset[i + 1] = edges.length;
  });
  return {
    offset,
    pred: Int32Array.from(edges, ([pred]) => pred),
    minLag: Int32Array.from(edges, ([, minLag]) => minLag),
    maxLag: Int32Array.from(edges, ([, , maxLag]) => maxLag),
  };
}

/** Whether arriving operations need nothing that a classic shop lacks. */
export function staysClassic(instance: Instance, arriving: readonly ArrivingOperation[]): boolean {
  const isSimple = ({ alternatives = [], needs = [] }: ArrivingOperation) =>
    alternatives.length === 0 && needs.length === 0;
  return isClassic(instance) && arriving.every(isSimple);
}
