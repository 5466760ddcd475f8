// A judge of shops with every feature, written from docs/reference/model.md alone: slow and obvious, unit of time by unit
// of time. It shares nothing with the validator.
import {
  modeOf,
  type PlainDowntime,
  type PlainMode,
  type PlainPlan,
  type PlainShop,
  wayBetween,
} from './shop.js';

/** A planned operation with its times. */
interface Placed {
  op: number;
  mode: PlainMode;
  start: number;
  end: number;
}

/** A setup before an operation: where it would lie, and whether it may lie there. */
interface PlacedSetup {
  op: number;
  machine: number;
  start: number;
  length: number;
  fits: boolean;
}

/** Every violation of a plan by a short key such as `machine_overlap 3 7`, sorted; unplanned operations are passed over. */
export function judgePlain(shop: PlainShop, plan: PlainPlan): string[] {
  const placed = placeAll(shop, plan);
  const setups = setupsOf(shop, placed);
  return [
    ...placed.flatMap((one) => faultsOfOne(shop, one)),
    ...placed.flatMap((one) => faultsOfEdges(shop, placed, one)),
    ...overlaps(placed),
    ...setups.filter(({ fits }) => !fits).map(({ op }) => `setup ${op}`),
    ...lateJobs(shop, placed),
    ...overloads(shop, placed, setups),
  ].sort();
}

/** The latest end of all operations. */
export function plainMakespan(shop: PlainShop, plan: PlainPlan): number {
  return Math.max(0, ...placeAll(shop, plan).map(({ end }) => end));
}

/** The total weighted tardiness. */
export function plainTardiness(shop: PlainShop, plan: PlainPlan): number {
  const placed = placeAll(shop, plan);
  return shop.jobs.reduce((sum, { due, weight }, job) => {
    const end = jobEnd(shop, placed, job);
    return due === null ? sum : sum + weight * Math.max(0, end - due);
  }, 0);
}

/** When work on a machine that begins at a time is done, worked off unit by unit. */
export function doneAt(shop: PlainShop, machine: number, start: number, length: number): number {
  let time = start;
  for (let left = length; left > 0; time++) if (!isInterrupted(shop, machine, time)) left--;
  return time;
}

/** Whether work of some length may begin on a machine at a time. */
function mayBegin(shop: PlainShop, machine: number, start: number, length: number): boolean {
  if (length === 0) return true;
  const end = doneAt(shop, machine, start, length);
  return downtimesOf(shop, machine).every(
    ({ from, to, resumable }) =>
      !(from <= start && start < to) && (resumable || to <= start || end <= from),
  );
}

/** The latest time, if need be before 0, at which a setup may begin so that it is done by a time. */
function latestBegin(shop: PlainShop, machine: number, by: number, length: number): number {
  let start = by - length;
  while (!mayBegin(shop, machine, start, length) || doneAt(shop, machine, start, length) > by) {
    start--;
  }
  return start;
}

function downtimesOf(shop: PlainShop, machine: number): PlainDowntime[] {
  return shop.downtimes.filter((downtime) => downtime.machine === machine);
}

export function isInterrupted(shop: PlainShop, machine: number, time: number): boolean {
  return downtimesOf(shop, machine).some(
    ({ from, to, resumable }) => resumable && from <= time && time < to,
  );
}

function placeAll(shop: PlainShop, plan: PlainPlan): Placed[] {
  return shop.operations.flatMap((_, op) => {
    const start = plan.start[op];
    if (start === null) return [];
    const mode = modeOf(shop, plan, op);
    return [{ op, mode, start, end: doneAt(shop, mode.machine, start, mode.duration) }];
  });
}

/** Frozen start and mode, release, downtimes: an operation that keeps both is excused from the last two. */
function faultsOfOne(shop: PlainShop, { op, mode, start }: Placed): string[] {
  const { frozen, release, modes, chosen } = shop.operations[op];
  const faults: string[] = [];
  if (frozen !== null && mode !== modes[chosen]) faults.push(`frozen_reassigned ${op}`);
  if (frozen !== null && start !== frozen) faults.push(`frozen_moved ${op}`);
  if (start === frozen && mode === modes[chosen]) return faults;
  if (start < release) faults.push(`release ${op}`);
  if (!mayBegin(shop, mode.machine, start, mode.duration)) faults.push(`downtime ${op}`);
  return faults;
}

/** When the job of an operation is at its machine after each of its planned predecessors. */
function arrivals(shop: PlainShop, placed: Placed[], { op, mode }: Placed) {
  return shop.operations[op].after.flatMap((edge) => {
    const before = placed.find((other) => other.op === edge.from);
    if (before === undefined) return [];
    const arrival = before.end + wayBetween(shop, before.mode, mode);
    return [{ before, arrival, edge }];
  });
}

function faultsOfEdges(shop: PlainShop, placed: Placed[], one: Placed): string[] {
  return arrivals(shop, placed, one).flatMap(({ before, arrival, edge }) => {
    const pair = `${one.op} ${before.op}`;
    if (one.start < before.end) return [`job_precedence ${pair}`];
    if (one.start < arrival + edge.minLag) return [`lag_too_short ${pair}`];
    const isLate = edge.maxLag !== null && one.start > arrival + edge.maxLag;
    return isLate ? [`lag_too_long ${pair}`] : [];
  });
}

/** The operations that occupy a machine, in the order of their starts. */
function occupants(placed: Placed[], machine: number): Placed[] {
  return placed
    .filter(({ mode }) => mode.machine === machine && mode.duration > 0)
    .sort((a, b) => a.start - b.start || a.end - b.end || a.op - b.op);
}

function overlaps(placed: Placed[]): string[] {
  return placed.flatMap((a) =>
    placed
      .filter(
        (b) =>
          a.op < b.op &&
          a.mode.machine === b.mode.machine &&
          Math.min(a.mode.duration, b.mode.duration) > 0 &&
          Math.max(a.start, b.start) < Math.min(a.end, b.end),
      )
      .map((b) => `machine_overlap ${a.op} ${b.op}`),
  );
}

/** The setups between neighbours that do not overlap, and before the first operation of a machine. */
function setupsOf(shop: PlainShop, placed: Placed[]): PlacedSetup[] {
  return shop.setups.flatMap((setups, machine) => {
    if (setups === null) return [];
    const row = occupants(placed, machine);
    return row.flatMap((one, i) => {
      const before = row[i - 1];
      const family = shop.operations[one.op].family;
      const length =
        before === undefined
          ? setups.first[family]
          : setups.time[shop.operations[before.op].family][family];
      if (length === 0 || (before !== undefined && before.end > one.start)) return [];
      const least = [
        0,
        before?.end ?? 0,
        ...(setups.anticipatory
          ? []
          : [
              shop.operations[one.op].release,
              ...arrivals(shop, placed, one).map(({ arrival, edge }) => arrival + edge.minLag),
            ]),
      ];
      const start = latestBegin(shop, machine, one.start, length);
      const fits = start >= Math.max(...least);
      return [{ op: one.op, machine, start, length, fits }];
    });
  });
}

function jobEnd(shop: PlainShop, placed: Placed[], job: number): number {
  return Math.max(
    0,
    ...placed.filter(({ op }) => shop.operations[op].job === job).map(({ end }) => end),
  );
}

function lateJobs(shop: PlainShop, placed: Placed[]): string[] {
  return shop.jobs.flatMap(({ deadline }, job) =>
    deadline !== null && jobEnd(shop, placed, job) > deadline ? [`deadline job ${job}`] : [],
  );
}

/** One for each resource and each longest run of time in which more of it is used than there is. */
function overloads(shop: PlainShop, placed: Placed[], setups: PlacedSetup[]): string[] {
  const until = Math.max(0, ...placed.map(({ end }) => end));
  return shop.resources.flatMap(({ capacity, less }, resource) => {
    const use = new Array<number>(until).fill(0);
    const take = (machine: number, start: number, end: number, amount: number) => {
      for (let time = Math.max(0, start); time < end; time++) {
        if (!isInterrupted(shop, machine, time)) use[time] += amount;
      }
    };
    const needed = (mode: PlainMode, phase: string) =>
      mode.needs
        .filter((need) => need.resource === resource && need.phase === phase)
        .reduce((sum, { amount }) => sum + amount, 0);
    for (const { mode, start, end } of placed) take(mode.machine, start, end, needed(mode, 'work'));
    for (const { op, machine, start, length } of setups) {
      const { mode } = placed.find((one) => one.op === op) as Placed;
      take(machine, start, doneAt(shop, machine, start, length), needed(mode, 'setup'));
    }
    const isOver = use.map((amount, time) => {
      const other = less.find(({ from, to }) => from <= time && time < to);
      return amount > (other?.amount ?? capacity);
    });
    return isOver.flatMap((over, time) =>
      over && !isOver[time - 1] ? [`resource_overload ${resource} ${time}`] : [],
    );
  });
}
