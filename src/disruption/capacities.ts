import { downtimesOf } from '../jssp/calendar.js';
import type { Instance } from '../jssp/instance.js';
import { type ResourceCalendar, type Resources, WORK_PHASE } from '../jssp/shop-parts.js';
import type { ModeList } from './draft-parts.js';

/** A time in which a resource has another capacity than usual. */
export interface CapacityTime {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/** The times in which a resource has another capacity than usual, in order. */
export function capacityTimes({ calendar }: Resources, resource: number): CapacityTime[] {
  const times: CapacityTime[] = [];
  if (calendar === null) return times;
  const { offset, from, to, amount, estimated } = calendar;
  for (let i = offset[resource]; i < offset[resource + 1]; i++) {
    const known = { from: from[i], to: to[i], amount: amount[i] };
    times.push(estimated?.[i] === 1 ? { ...known, estimated: true } : known);
  }
  return times;
}

/** Sets the capacity of a time, whatever it was; the rest of an estimated time in progress then ends. */
export function setCapacity(
  times: readonly CapacityTime[],
  usual: number,
  added: CapacityTime,
): CapacityTime[] {
  const { from, to } = added;
  const outside: CapacityTime[] = [];
  for (const one of times) {
    const isEnded = one.estimated && one.from <= from && from < one.to;
    if (one.to <= from) outside.push(one);
    else if (one.from < from) outside.push({ from: one.from, to: from, amount: one.amount });
    if (one.to > to && !isEnded) outside.push({ ...one, from: Math.max(one.from, to) });
  }
  const all = added.amount === usual ? outside : [...outside, added];
  return all.sort((a, b) => a.from - b.from);
}

/** Resources in which one has other capacities. */
export function replaceCapacities(
  resources: Resources,
  resource: number,
  times: readonly CapacityTime[],
): Resources {
  const all = Array.from({ length: resources.count }, (_, r) =>
    r === resource ? times : capacityTimes(resources, r),
  );
  const flat = all.flat();
  if (flat.length === 0) return { ...resources, calendar: null };
  const offset = new Int32Array(resources.count + 1);
  all.forEach((list, r) => {
    offset[r + 1] = offset[r] + list.length;
  });
  const calendar: ResourceCalendar = {
    offset,
    from: Int32Array.from(flat, ({ from }) => from),
    to: Int32Array.from(flat, ({ to }) => to),
    amount: Int32Array.from(flat, ({ amount }) => amount),
    ...(flat.some(({ estimated }) => estimated) && {
      estimated: Uint8Array.from(flat, ({ estimated }) => (estimated ? 1 : 0)),
    }),
  };
  return { ...resources, calendar };
}

/** An operation in progress, with its start and its chosen mode. */
export interface RunningOperation {
  readonly op: number;
  readonly start: number;
  readonly end: number;
  readonly list: ModeList;
}

/**
 * The operations in progress that must stop because a resource is not enough for them from `now` on: of those that need
 * it at the first such time, the last ones started.
 *
 * @param facts the durations and downtimes at this moment
 */
export function overloaded(
  facts: Instance,
  running: readonly RunningOperation[],
  now: number,
): number[] {
  const { resources } = facts;
  if (resources === null) return [];
  const stopped: number[] = [];
  let left = [...running];
  for (let resource = 0; resource < resources.count; resource++) {
    for (;;) {
      const uses = left.flatMap((one) => usesOf(facts, one, resource));
      const last = lastOfOverload(uses, resources, resource, now);
      if (last === undefined) break;
      stopped.push(last);
      left = left.filter(({ op }) => op !== last);
    }
  }
  return stopped;
}

/** A time in which an operation in progress uses some of a resource. */
interface RunningUse {
  readonly op: number;
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

function usesOf(
  facts: Instance,
  { op, start, end, list }: RunningOperation,
  resource: number,
): RunningUse[] {
  const need = list.modes[list.chosen].needs.find(
    (one) => one.resource === resource && one.phase === WORK_PHASE,
  );
  if (need === undefined) return [];
  const { amount } = need;
  const uses: RunningUse[] = [];
  let from = start;
  for (const down of downtimesOf(facts.calendar, facts.machine[op])) {
    if (!down.resumable || down.to <= from || down.from >= end) continue;
    if (down.from > from) uses.push({ op, start, from, to: down.from, amount });
    from = down.to;
  }
  if (from < end) uses.push({ op, start, from, to: end, amount });
  return uses;
}

/** The operation that started last of those that overload a resource at the first time from `now` on. */
function lastOfOverload(
  uses: readonly RunningUse[],
  resources: Resources,
  resource: number,
  now: number,
): number | undefined {
  const times = capacityTimes(resources, resource);
  const capacityAt = (time: number) =>
    times.find(({ from, to }) => from <= time && time < to)?.amount ?? resources.capacity[resource];
  const edges = [...uses, ...times].flatMap(({ from, to }) => [from, to]);
  const moments = [now, ...edges.filter((time) => time > now)].sort((a, b) => a - b);
  for (const time of moments) {
    const here = uses.filter(({ from, to }) => from <= time && time < to);
    const used = here.reduce((sum, { amount }) => sum + amount, 0);
    if (used <= capacityAt(time)) continue;
    return here.reduce((last, one) =>
      one.start > last.start || (one.start === last.start && one.op > last.op) ? one : last,
    ).op;
  }
  return undefined;
}
