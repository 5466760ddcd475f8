import {
  AlasError,
  type Instance,
  machineSequences,
  type Schedule,
  semiActive,
  withModes,
} from '../../browser/index.js';
import { viewPlanMoves } from '../../report/page/views/moves-view.js';
import { viewSchedule } from '../../report/page/views/schedule-view.js';
import { type PlayState, validSchedule } from './play-state.js';

/** A wish to do an operation at another place in the queue of a machine. */
interface WishedMove {
  readonly operation: number;
  readonly machine: number;
  /** The wished start, which decides the place in the queue. */
  readonly time: number;
}

/** The result of a move, or the reason why it is impossible. */
export type MoveOutcome =
  | { readonly schedule: Schedule; readonly words: string }
  | { readonly schedule: null; readonly words: string };

/** Moves operations of a schedule by hand: the order of a machine changes, and all operations start as early as it allows. */
export interface OperationMover {
  /** Whether an operation has not started. */
  canMove(operation: number): boolean;
  /** The machines that can do an operation, ascending. */
  machinesOf(operation: number): readonly number[];
  /** The duration of an operation on a machine that can do it. */
  durationOn(operation: number, machine: number): number;
  /** O(N) for each new place; results are kept. */
  moveTo(wish: WishedMove): MoveOutcome;
}

/** Creates the mover of a schedule; null for shops with setups, transport, resources or graphs of operations. */
export function createMover(schedule: Schedule): OperationMover | null {
  const { instance, start, end } = schedule;
  const { setups, transport, resources, precedence, modes, frozen } = instance;
  if (setups !== null || transport !== null || resources !== null || precedence !== null)
    return null;
  const outcomes = new Map<string, MoveOutcome>();
  const modeOn = (op: number, machine: number) => modeOnMachine(instance, op, machine);
  const instanceWith = (op: number, machine: number): Instance => {
    if (modes === null || machine === instance.machine[op]) return instance;
    const chosen = modes.chosen.slice();
    chosen[op] = modeOn(op, machine);
    return withModes(instance, chosen);
  };
  return {
    canMove: (op) => start[op] >= 0 && (frozen === null || frozen[op] < 0),
    machinesOf(op) {
      if (modes === null) return [instance.machine[op]];
      const able = modes.machine.slice(modes.offset[op], modes.offset[op + 1]);
      return [...new Set(able)].sort((a, b) => a - b);
    },
    durationOn: (op, machine) =>
      modes === null ? instance.duration[op] : modes.duration[modeOn(op, machine)],
    moveTo({ operation, machine, time }) {
      const middle = time + instance.duration[operation] / 2;
      const queue = queueWithout(schedule, machine, operation);
      const next = queue.findIndex((op) => (start[op] + end[op]) / 2 > middle);
      const rank = next < 0 ? queue.length : next;
      const key = `${operation} ${machine} ${rank}`;
      const known = outcomes.get(key);
      if (known !== undefined) return known;
      queue.splice(rank, 0, operation);
      const outcome = timeOrders(schedule, instanceWith(operation, machine), {
        operation,
        machine,
        queue,
      });
      outcomes.set(key, outcome);
      return outcome;
    },
  };
}

/** The queue of a machine without an operation. */
function queueWithout(schedule: Schedule, machine: number, operation: number): number[] {
  const { machineOffset } = schedule.instance;
  const queues = machineSequences(schedule);
  const queue = queues.subarray(machineOffset[machine], machineOffset[machine + 1]);
  return Array.from(queue).filter((op) => op !== operation);
}

/** The fastest mode of an operation on a machine. */
function modeOnMachine({ modes }: Instance, op: number, machine: number): number {
  if (modes === null) return op;
  let best = modes.chosen[op];
  for (let mode = modes.offset[op]; mode < modes.offset[op + 1]; mode++) {
    if (modes.machine[mode] !== machine) continue;
    if (modes.machine[best] !== machine || modes.duration[mode] < modes.duration[best]) best = mode;
  }
  return best;
}

/** A queue with the moved operation. */
interface NewQueue {
  readonly operation: number;
  readonly machine: number;
  readonly queue: readonly number[];
}

/** Times all machine orders, of which one is new. */
function timeOrders(schedule: Schedule, instance: Instance, changed: NewQueue): MoveOutcome {
  const sequences = new Int32Array(instance.operations);
  for (let k = 0; k < instance.machines; k++) {
    const isChanged = k === changed.machine;
    const queue = isChanged ? changed.queue : queueWithout(schedule, k, changed.operation);
    sequences.set(queue, instance.machineOffset[k]);
  }
  try {
    const moved = semiActive(instance, sequences);
    const by = moved.makespan - schedule.makespan;
    const change = by === 0 ? 'still' : by > 0 ? `${by} later,` : `${-by} earlier,`;
    return { schedule: moved, words: `the plan ends ${change} at ${moved.makespan}` };
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    return { schedule: null, words: `not possible: ${reasonOf(error, instance)}` };
  }
}

/** The number of operations of a circle that are named. */
const NAMED = 4;

function reasonOf(error: AlasError, instance: Instance): string {
  // The value of an error about a cycle is its operations.
  if (error.code !== 'cycle' || !Array.isArray(error.value)) return error.message;
  const names = error.value.slice(0, NAMED).map((op: number) => operationWords(instance, op));
  const more = error.value.length > NAMED ? ' … ' : ' ';
  return `${names[0]} would wait for itself: ${names.join(' before ')}${more}before ${names[0]}`;
}

/** `job 3, step 5`, or the names of the shop. */
export function operationWords(instance: Instance, op: number): string {
  const { names, jobOf, jobOffset } = instance;
  const job = names?.jobs?.[jobOf[op]] || `job ${jobOf[op] + 1}`;
  return `${job}, step ${op - jobOffset[jobOf[op]] + 1}`;
}

/** The state after an operation was moved by hand. */
export function movedState(state: PlayState, after: Schedule, operation: number): PlayState {
  const before = validSchedule(state);
  const words = operationWords(state.instance, operation);
  const view = viewSchedule(state.instance, state.candidate);
  const moves = before === null ? null : viewPlanMoves(view, before, after);
  const others = Math.max(0, (moves?.moved.length ?? 1) - 1);
  const also = others === 0 ? 'Nothing else moved.' : `${others} other operations moved with it.`;
  return {
    ...state,
    instance: after.instance,
    candidate: after,
    event: null,
    step: {
      kind: 'move',
      title: `Moved ${words}`,
      sentence: `You moved ${words}. ${also} The plan ends at ${after.makespan} (before: ${view.makespan}).`,
      figures: [],
      moves,
      milliseconds: null,
    },
  };
}
