import type { Instance } from '../../../jssp/instance.js';
import type { Schedule } from '../../../jssp/schedule.js';
import { type PlacedSetup, setupsOf } from '../../../jssp/setup-times.js';
import {
  chosenMode,
  eachPredecessor,
  type Resources,
  SETUP_PHASE,
  transportTime,
} from '../../../jssp/shop-parts.js';
import type { ModeColumns, ResourceColumns, SetupColumns } from './schedule-data.js';

/** The setups of a schedule; null if its machines need none. */
export function setupColumns(schedule: Schedule): SetupColumns | null {
  if (schedule.instance.setups === null) return null;
  const setups = setupsOf(schedule);
  return {
    operation: setups.map(({ operation }) => operation),
    from: setups.map(({ from }) => from),
    to: setups.map(({ to }) => to),
  };
}

/** The modes of the operations of an instance; null if each has one. */
export function modeColumns({ modes }: Instance): ModeColumns | null {
  if (modes === null) return null;
  return {
    offset: Array.from(modes.offset),
    machine: Array.from(modes.machine),
    duration: Array.from(modes.duration),
  };
}

/** Operators and tools with the times at which a schedule uses them; null if there are none. */
export function resourceColumns(schedule: Schedule): ResourceColumns | null {
  const { instance, start, end } = schedule;
  const { resources, operations } = instance;
  if (resources === null) return null;
  const { count, capacity, names, needOffset, needResource, needAmount, needPhase } = resources;
  const setups = new Map(setupsOf(schedule).map((setup) => [setup.operation, setup]));
  const uses: Use[] = [];
  for (let operation = 0; operation < operations; operation++) {
    if (start[operation] < 0 || end[operation] === start[operation]) continue;
    const mode = chosenMode(instance, operation);
    for (let i = needOffset[mode]; i < needOffset[mode + 1]; i++) {
      const setup = setups.get(operation);
      const isSetup = needPhase[i] === SETUP_PHASE;
      if (isSetup && setup === undefined) continue;
      const [from, to] =
        isSetup && setup ? [setup.from, setup.to] : [start[operation], end[operation]];
      const amount = needAmount[i];
      uses.push({ resource: needResource[i], operation, from, to, amount, isSetup });
    }
  }
  uses.sort((a, b) => a.resource - b.resource || a.from - b.from || a.operation - b.operation);
  const column = (key: Exclude<keyof Use, 'isSetup'>) => uses.map((use) => use[key]);
  return {
    names: Array.from({ length: count }, (_, r) => names?.[r] || `Resource${r}`),
    capacity: Array.from(capacity),
    reduced: reducedColumns(resources),
    uses: {
      resource: column('resource'),
      operation: column('operation'),
      from: column('from'),
      to: column('to'),
      amount: column('amount'),
      isSetup: uses.map(({ isSetup }) => isSetup),
    },
  };
}

/** The use of a resource by an operation. */
interface Use {
  readonly resource: number;
  readonly operation: number;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly isSetup: boolean;
}

/** The times at which there is less of a resource, in columns. */
function reducedColumns({ calendar, count, capacity }: Resources): ResourceColumns['reduced'] {
  const resource: number[] = [];
  const slots: number[] = [];
  for (let r = 0; calendar !== null && r < count; r++) {
    for (let slot = calendar.offset[r]; slot < calendar.offset[r + 1]; slot++) {
      if (calendar.amount[slot] >= capacity[r]) continue;
      resource.push(r);
      slots.push(slot);
    }
  }
  const column = (values: Int32Array | undefined) => slots.map((slot) => values?.[slot] ?? 0);
  return {
    resource,
    from: column(calendar?.from),
    to: column(calendar?.to),
    amount: column(calendar?.amount),
  };
}

/**
 * A chain of operations that determines the makespan of a feasible schedule of any shop, in order of time: each begins
 * when the one before it lets it, in its job, on its machine with the setup between them, or by the resources that both
 * need. It ends where an operation waits for something else, such as a downtime or a greatest waiting time.
 */
export function tightChain(schedule: Schedule): number[] {
  const { instance, end } = schedule;
  const setups = new Map(setupsOf(schedule).map((setup) => [setup.operation, setup]));
  const ending = endingAt(schedule);
  let op = end.indexOf(schedule.makespan);
  const chain: number[] = [];
  const seen = new Set<number>();
  while (op >= 0 && instance.operations > 0 && !seen.has(op)) {
    seen.add(op);
    chain.push(op);
    op = holderOf(schedule, op, setups.get(op), ending);
  }
  return chain.reverse();
}

/** The operations by the time of their end. */
function endingAt({ end }: Schedule): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [op, time] of end.entries()) {
    const list = found.get(time);
    if (list === undefined) found.set(time, [op]);
    else list.push(op);
  }
  return found;
}

/** An operation that keeps another one from starting earlier; −1 for none. */
function holderOf(
  { instance, start, end }: Schedule,
  op: number,
  setup: PlacedSetup | undefined,
  ending: ReadonlyMap<number, readonly number[]>,
): number {
  const { machine, duration } = instance;
  let holder = -1;
  eachPredecessor(instance, op, (predecessor, minLag) => {
    const arrival = end[predecessor] + transportTime(instance, predecessor, op) + minLag;
    // Some setups begin only when the job is there.
    if (arrival === start[op] || arrival === setup?.from) holder = predecessor;
  });
  if (holder >= 0) return holder;
  const begin = setup?.from ?? start[op];
  const before = ending.get(begin) ?? [];
  const isOther = (other: number) => other !== op && start[other] < start[op];
  const onMachine = before.find(
    (other) => isOther(other) && machine[other] === machine[op] && duration[other] > 0,
  );
  if (onMachine !== undefined) return onMachine;
  const sharing = [...before, ...(ending.get(start[op]) ?? [])].find(
    (other) => isOther(other) && shareResource(instance, op, other),
  );
  return sharing ?? -1;
}

function shareResource(instance: Instance, op: number, other: number): boolean {
  const own = new Set(needsOf(instance, op));
  return needsOf(instance, other).some((resource) => own.has(resource));
}

function needsOf(instance: Instance, op: number): Int32Array {
  const { resources } = instance;
  if (resources === null) return new Int32Array();
  const mode = chosenMode(instance, op);
  return resources.needResource.subarray(
    resources.needOffset[mode],
    resources.needOffset[mode + 1],
  );
}
