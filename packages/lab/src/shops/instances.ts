// Shops of the oracles as instances, and the other way round.
import { createCalendar } from 'alas-jssp/internal/lab';
import {
  createInstance,
  type Instance,
  type InstanceSpec,
  type Precedence,
  type Resources,
  SETUP_PHASE,
  type Setups,
} from 'alas-jssp/jssp';
import type { PlainEdge, PlainMode, PlainPlan, PlainShop } from './shop.js';

/** The instance of a shop; parts that a shop does not use are null. */
export function instanceOf(shop: PlainShop, name = 'random'): Instance {
  const { operations, jobs, machines } = shop;
  const chosen = operations.map((one) => one.modes[one.chosen]);
  const optional = (value: number | null) => value ?? -1;
  return createInstance({
    name,
    machines,
    jobOffset: offsetsOf(jobs.map((_, job) => operations.filter((one) => one.job === job).length)),
    machine: Int32Array.from(chosen, ({ machine }) => machine),
    duration: Int32Array.from(chosen, ({ duration }) => duration),
    release: Int32Array.from(operations, ({ release }) => release),
    frozen: Int32Array.from(operations, ({ frozen }) => optional(frozen)),
    due: Int32Array.from(jobs, ({ due }) => optional(due)),
    weight: Int32Array.from(jobs, ({ weight }) => weight),
    deadline: Int32Array.from(jobs, ({ deadline }) => optional(deadline)),
    calendar: createCalendar(machines, shop.downtimes),
    ...modesOf(shop),
    setups: setupsOf(shop),
    transport: shop.transport === null ? null : { time: Int32Array.from(shop.transport.flat()) },
    precedence: precedenceOf(shop),
    resources: resourcesOf(shop),
  });
}

/** The shop of an instance, in plain lists. */
export function plainOf(instance: Instance): PlainShop {
  const { machines, calendar, due, weight, deadline, release, frozen, setups } = instance;
  const optional = (value: number | undefined) => (value === undefined || value < 0 ? null : value);
  return {
    machines,
    jobs: range(instance.jobs).map((job) => ({
      due: optional(due?.[job]),
      weight: weight?.[job] ?? 1,
      deadline: optional(deadline?.[job]),
    })),
    operations: range(instance.operations).map((op) => {
      const first = instance.modes?.offset[op] ?? op;
      const stop = instance.modes?.offset[op + 1] ?? op + 1;
      return {
        job: instance.jobOf[op],
        modes: range(stop - first).map((i) => plainMode(instance, first + i)),
        chosen: (instance.modes?.chosen[op] ?? op) - first,
        family: setups?.family[op] ?? 0,
        release: release?.[op] ?? 0,
        after: plainEdges(instance, op),
        frozen: optional(frozen?.[op]),
      };
    }),
    setups: range(machines).map((machine) => plainSetups(setups, machine)),
    transport:
      instance.transport === null
        ? null
        : range(machines).map((from) =>
            range(machines).map((to) => instance.transport?.time[from * machines + to] ?? 0),
          ),
    downtimes: range(machines).flatMap((machine) =>
      between(calendar?.offset, machine).map((i) => ({
        machine,
        from: calendar?.from[i] ?? 0,
        to: calendar?.to[i] ?? 0,
        resumable: calendar?.resumable[i] === 1,
      })),
    ),
    resources: plainResources(instance.resources),
  };
}

/** Starts and, as positions among its operation's modes, the modes of a schedule. */
export function planOf(instance: Instance, start: Int32Array): PlainPlan {
  const { modes } = instance;
  return {
    start: Array.from(start, (time) => (time < 0 ? null : time)),
    mode: Array.from(start, (_, op) => (modes === null ? 0 : modes.chosen[op] - modes.offset[op])),
  };
}

/** The modes of a plan, as numbers of the instance. */
export function modeNumbers(shop: PlainShop, mode: readonly number[]): Int32Array {
  const offset = offsetsOf(shop.operations.map(({ modes }) => modes.length));
  return Int32Array.from(mode, (one, op) => offset[op] + one);
}

function modesOf({ operations }: PlainShop): Pick<InstanceSpec, 'modes'> {
  if (operations.every(({ modes }) => modes.length === 1)) return { modes: null };
  const offset = offsetsOf(operations.map(({ modes }) => modes.length));
  const all = operations.flatMap(({ modes }) => modes);
  return {
    modes: {
      offset,
      machine: Int32Array.from(all, ({ machine }) => machine),
      duration: Int32Array.from(all, ({ duration }) => duration),
      chosen: Int32Array.from(operations, ({ chosen }, op) => offset[op] + chosen),
    },
  };
}

function setupsOf({ setups, operations }: PlainShop): Setups | null {
  const used = setups.filter((one) => one !== null);
  if (used.length === 0) return null;
  let matrix = 0;
  return {
    families: used[0].first.length,
    family: Int32Array.from(operations, ({ family }) => family),
    matrixOf: Int32Array.from(setups, (one) => (one === null ? -1 : matrix++)),
    time: Int32Array.from(used.flatMap(({ time }) => time.flat())),
    first: Int32Array.from(used.flatMap(({ first }) => first)),
    anticipatory: Uint8Array.from(setups, (one) => (one?.anticipatory === false ? 0 : 1)),
  };
}

/** Null if each operation follows the one before it, without lags. */
function precedenceOf({ operations }: PlainShop): Precedence | null {
  const isChain = operations.every(({ after, job }, op) =>
    op > 0 && operations[op - 1].job === job
      ? after.length === 1 && isPlainEdge(after[0], op - 1)
      : after.length === 0,
  );
  if (isChain) return null;
  const edges = operations.flatMap(({ after }) => after);
  return {
    offset: offsetsOf(operations.map(({ after }) => after.length)),
    pred: Int32Array.from(edges, ({ from }) => from),
    minLag: Int32Array.from(edges, ({ minLag }) => minLag),
    maxLag: Int32Array.from(edges, ({ maxLag }) => maxLag ?? -1),
  };
}

function isPlainEdge({ from, minLag, maxLag }: PlainEdge, before: number): boolean {
  return from === before && minLag === 0 && maxLag === null;
}

function resourcesOf({ resources, operations }: PlainShop): Resources | null {
  if (resources.length === 0) return null;
  const needs = operations.flatMap(({ modes }) => modes.map((mode) => mode.needs));
  const all = needs.flat();
  const less = resources.flatMap((resource) => resource.less);
  return {
    count: resources.length,
    capacity: Int32Array.from(resources, ({ capacity }) => capacity),
    names: null,
    calendar:
      less.length === 0
        ? null
        : {
            offset: offsetsOf(resources.map((resource) => resource.less.length)),
            from: Int32Array.from(less, ({ from }) => from),
            to: Int32Array.from(less, ({ to }) => to),
            amount: Int32Array.from(less, ({ amount }) => amount),
          },
    needOffset: offsetsOf(needs.map((some) => some.length)),
    needResource: Int32Array.from(all, ({ resource }) => resource),
    needAmount: Int32Array.from(all, ({ amount }) => amount),
    needPhase: Uint8Array.from(all, ({ phase }) => (phase === 'setup' ? SETUP_PHASE : 0)),
  };
}

function plainMode({ modes, machine, duration, resources }: Instance, mode: number): PlainMode {
  return {
    machine: (modes?.machine ?? machine)[mode],
    duration: (modes?.duration ?? duration)[mode],
    needs: between(resources?.needOffset, mode).map((i) => ({
      resource: resources?.needResource[i] ?? 0,
      amount: resources?.needAmount[i] ?? 0,
      phase: resources?.needPhase[i] === SETUP_PHASE ? 'setup' : 'work',
    })),
  };
}

function plainEdges({ precedence, jobOf }: Instance, op: number): PlainEdge[] {
  if (precedence === null) {
    const isFirst = op === 0 || jobOf[op - 1] !== jobOf[op];
    return isFirst ? [] : [{ from: op - 1, minLag: 0, maxLag: null }];
  }
  return between(precedence.offset, op).map((i) => ({
    from: precedence.pred[i],
    minLag: precedence.minLag[i],
    maxLag: precedence.maxLag[i] < 0 ? null : precedence.maxLag[i],
  }));
}

function plainSetups(setups: Setups | null, machine: number): PlainShop['setups'][number] {
  const matrix = setups?.matrixOf[machine] ?? -1;
  if (setups === null || matrix < 0) return null;
  const { families, time, first, anticipatory } = setups;
  const row = (from: number, numbers: Int32Array) =>
    Array.from(numbers.subarray(from * families, (from + 1) * families));
  return {
    time: range(families).map((before) => row(matrix * families + before, time)),
    first: row(matrix, first),
    anticipatory: anticipatory[machine] === 1,
  };
}

function plainResources(resources: Resources | null): PlainShop['resources'] {
  return range(resources?.count ?? 0).map((resource) => ({
    capacity: resources?.capacity[resource] ?? 0,
    less: between(resources?.calendar?.offset, resource).map((i) => ({
      from: resources?.calendar?.from[i] ?? 0,
      to: resources?.calendar?.to[i] ?? 0,
      amount: resources?.calendar?.amount[i] ?? 0,
    })),
  }));
}

function between(offset: Int32Array | undefined, index: number): number[] {
  if (offset === undefined) return [];
  return range(offset[index + 1] - offset[index]).map((i) => offset[index] + i);
}

function offsetsOf(lengths: readonly number[]): Int32Array {
  const offset = new Int32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) offset[i + 1] = offset[i] + length;
  return offset;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
