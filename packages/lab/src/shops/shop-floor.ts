// A shop floor with every feature that keeps its own account of what is known, and judges schedules by it.
import type { EffectiveEvent, EventInput } from 'alas-jssp/disruption';
import type { Schedule } from 'alas-jssp/jssp';
import { breakDown, type Downtimes, restore, type Stoppages } from '../repair-streams/floor.js';
import { doneAt, isInterrupted, judgePlain } from './plain-judge.js';
import type { PlainMode, PlainNeed, PlainOperation, PlainPlan, PlainShop } from './shop.js';

export interface ShopFloor {
  shop: PlainShop;
  stoppages: Stoppages;
  /** By resource, the capacity at times that events have changed. */
  capacity: Map<number, number>[];
}

/** A floor on which nothing has happened; no operation may have two modes on one machine. */
export function openShopFloor(shop: PlainShop): ShopFloor {
  const stoppages: Stoppages = {
    down: Array.from({ length: shop.machines }, (): Downtimes => new Map()),
    pieces: 0,
  };
  for (const { machine, from, to, resumable } of shop.downtimes) {
    const piece = ++stoppages.pieces;
    for (let time = from; time < to; time++) {
      stoppages.down[machine].set(time, { survives: resumable, isGuess: false, piece });
    }
  }
  return { shop: structuredClone(shop), stoppages, capacity: shop.resources.map(() => new Map()) };
}

/**
 * Takes a floor through what happened at `now`.
 *
 * @param followed the schedule that was followed until now
 * @returns faults of the events themselves
 */
export function advance(
  floor: ShopFloor,
  followed: Schedule,
  events: readonly EffectiveEvent[],
  now: number,
): string[] {
  const { operations } = floor.shop;
  operations.forEach((one, op) => {
    one.chosen = modeOn(one, followed.instance.machine[op]);
    if (one.frozen === null && followed.start[op] < now) one.frozen = followed.start[op];
    if (one.frozen === null) one.release = Math.max(one.release, now);
  });
  return events.flatMap((event) => {
    const faults = apply(floor, event, now);
    loseOverload(floor.shop, now);
    return faults;
  });
}

/** Faults of a schedule by what the floor knows. */
export function judgeFloor(floor: ShopFloor, schedule: Schedule): string[] {
  if (schedule.start.length !== floor.shop.operations.length) {
    return [`${schedule.start.length} starts of ${floor.shop.operations.length} operations`];
  }
  const plan = planOn(floor, schedule);
  const unable = plan.mode.flatMap((mode, op) => (mode < 0 ? [op] : []));
  if (unable.length > 0) {
    const machines = unable.map(
      (op) => `operation ${op} on machine ${schedule.instance.machine[op]}`,
    );
    return [`which cannot do it: ${machines.join(', ')}`];
  }
  return judgePlain(floor.shop, plan);
}

/** A schedule in the modes of the floor. */
export function planOn({ shop }: ShopFloor, { instance, start }: Schedule): PlainPlan {
  return {
    start: Array.from(start),
    mode: shop.operations.map((one, op) => modeOn(one, instance.machine[op])),
  };
}

/** The mode of an operation on a machine; −1 if it cannot do it. */
function modeOn({ modes }: PlainOperation, machine: number): number {
  return modes.findIndex((mode) => mode.machine === machine);
}

function apply(floor: ShopFloor, event: EffectiveEvent, now: number): string[] {
  const { shop } = floor;
  switch (event.kind) {
    case 'breakdown':
      breakDown(floor.stoppages, event);
      shop.downtimes = downtimesOf(floor.stoppages);
      return lose(shop, now);
    case 'restored':
      restore(floor.stoppages.down[event.machine], event.at);
      shop.downtimes = downtimesOf(floor.stoppages);
      return [];
    case 'cancellation':
      return cancel(shop, event.job);
    case 'delay': {
      const one = stepOf(shop, event.job, event.step ?? 0);
      one.release = Math.max(one.release, event.until);
      return one.frozen === null ? [] : ['a delay of what has started'];
    }
    case 'duration':
      changeDuration(stepOf(shop, event.job, event.step), event);
      return lose(shop, now);
    case 'alternative':
      return addMode(stepOf(shop, event.job, event.step), event, now, shop);
    case 'capacity':
      changeCapacity(floor, event);
      return [];
    case 'arrival':
      shop.operations.push(...arriving(shop, event, now));
      shop.jobs.push({ due: event.job.due ?? null, weight: event.job.weight ?? 1, deadline: null });
      return [];
  }
}

function stepOf({ operations }: PlainShop, job: number, step: number): PlainOperation {
  return operations.filter((one) => one.job === job)[step];
}

/** What runs now, and meets a downtime before it is done that it does not survive, has not started. */
function lose(shop: PlainShop, now: number): string[] {
  for (const one of shop.operations) {
    const { machine, duration } = one.modes[one.chosen];
    if (one.frozen === null) continue;
    const end = doneAt(shop, machine, one.frozen, duration);
    const isHit = shop.downtimes.some(
      (down) =>
        down.machine === machine &&
        !down.resumable &&
        Math.max(down.from, one.frozen ?? 0, now) < Math.min(down.to, end),
    );
    if (end <= now || !isHit) continue;
    one.frozen = null;
    one.release = Math.max(one.release, now);
  }
  return [];
}

/** Of what runs now, the last started have not started while they need more of a resource than there will be. */
function loseOverload(shop: PlainShop, now: number): void {
  const { operations } = shop;
  const endOf = ({ modes, chosen, frozen }: PlainOperation) =>
    frozen === null ? 0 : doneAt(shop, modes[chosen].machine, frozen, modes[chosen].duration);
  const latest = Math.max(0, ...operations.map(endOf));
  shop.resources.forEach(({ capacity, less }, resource) => {
    const needOf = ({ modes, chosen }: PlainOperation) =>
      modes[chosen].needs.find((need) => need.resource === resource && need.phase === 'work')
        ?.amount ?? 0;
    for (let time = now; time < latest; ) {
      const users = operations.filter(
        (one) =>
          one.frozen !== null &&
          one.frozen <= time &&
          time < endOf(one) &&
          needOf(one) > 0 &&
          !isInterrupted(shop, one.modes[one.chosen].machine, time),
      );
      const amount = less.find(({ from, to }) => from <= time && time < to)?.amount ?? capacity;
      if (users.reduce((sum, one) => sum + needOf(one), 0) <= amount) {
        time++;
        continue;
      }
      const last = users.reduce((a, b) => ((b.frozen ?? 0) >= (a.frozen ?? 0) ? b : a));
      last.frozen = null;
      last.release = Math.max(last.release, now);
    }
  });
}

/** Downtimes of the same kind without a gap between them are one. */
function downtimesOf({ down }: Stoppages): PlainShop['downtimes'] {
  return down.flatMap((times, machine) => {
    const found: PlainShop['downtimes'] = [];
    for (const time of [...times.keys()].sort((a, b) => a - b)) {
      const resumable = times.get(time)?.survives === true;
      const last = found.at(-1);
      if (last?.to === time && last.resumable === resumable) last.to = time + 1;
      else found.push({ machine, from: time, to: time + 1, resumable });
    }
    return found;
  });
}

/**
 * Removes the steps after the last one that has started; numbers above move down. One before it that has not started
 * keeps its number, and is no work any more.
 */
function cancel(shop: PlainShop, job: number): string[] {
  const last = shop.operations.findLastIndex((one) => one.job === job && one.frozen !== null);
  const kept = shop.operations.flatMap((one, op) => (one.job !== job || op <= last ? [op] : []));
  shop.operations = kept.map((op) => {
    const old = shop.operations[op];
    const { machine } = old.modes[old.chosen];
    const isVoid = old.job === job && old.frozen === null;
    const none = { modes: [{ machine, duration: 0, needs: [] }], chosen: 0 };
    const one = isVoid ? { ...old, ...none } : old;
    const after = one.after.filter(({ from }) => kept.includes(from));
    return { ...one, after: after.map((edge) => ({ ...edge, from: kept.indexOf(edge.from) })) };
  });
  shop.jobs[job] = { ...shop.jobs[job], due: null, deadline: null };
  return [];
}

function changeDuration(
  one: PlainOperation,
  { machine, duration, factor }: EventInput & { kind: 'duration' },
) {
  const planned = one.modes[one.chosen];
  const scaled = (mode: PlainMode, by: number) =>
    mode.duration === 0 ? 0 : Math.max(1, Math.round(mode.duration * by));
  const by = factor ?? (duration ?? 0) / planned.duration;
  for (const mode of one.modes) {
    const isNamed = machine === undefined ? mode === planned : mode.machine === machine;
    if (machine !== undefined && !isNamed) continue;
    if (isNamed && duration !== undefined) continue;
    mode.duration = scaled(mode, by);
  }
  if (duration === undefined) return;
  const named = one.modes.find((mode) => mode.machine === machine) ?? planned;
  named.duration = duration;
}

function needsOf(needs: readonly EventNeed[]): PlainNeed[] {
  return needs.map(({ resource, amount = 1, during = 'work' }) => ({
    resource,
    amount,
    phase: during,
  }));
}

interface EventNeed {
  resource: number;
  amount?: number | undefined;
  during?: 'work' | 'setup' | undefined;
}

function addMode(
  one: PlainOperation,
  { machine, duration, needs }: Extract<EffectiveEvent, { kind: 'alternative' }>,
  now: number,
  shop: PlainShop,
): string[] {
  const given = needs === undefined ? undefined : needsOf(needs);
  const known = one.modes.find((mode) => mode.machine === machine);
  if (known === undefined) {
    const planned = one.modes[one.chosen].needs;
    one.modes.push({ machine, duration, needs: given ?? structuredClone(planned) });
    return [];
  }
  known.duration = duration;
  if (given !== undefined) known.needs = given;
  return lose(shop, now);
}

function changeCapacity(
  { shop, capacity }: ShopFloor,
  { resource, from, to, amount }: Extract<EffectiveEvent, { kind: 'capacity' }>,
) {
  const times = capacity[resource];
  const { less, capacity: usual } = shop.resources[resource];
  const until = Math.max(to, ...less.map((one) => one.to), ...[...times.keys()].map((t) => t + 1));
  const at = (time: number) =>
    times.get(time) ?? less.find((one) => one.from <= time && time < one.to)?.amount ?? usual;
  for (let time = from; time < to; time++) times.set(time, amount);
  const all: PlainShop['resources'][number]['less'] = [];
  for (let time = 0; time < until; time++) {
    const now = at(time);
    const last = all.at(-1);
    if (now === usual) continue;
    if (last?.to === time && last.amount === now) last.to++;
    else all.push({ from: time, to: time + 1, amount: now });
  }
  shop.resources[resource] = { capacity: usual, less: all };
}

function arriving(
  shop: PlainShop,
  { job }: Extract<EffectiveEvent, { kind: 'arrival' }>,
  now: number,
): PlainOperation[] {
  const first = shop.operations.length;
  return job.operations.map((one, step) => ({
    job: shop.jobs.length,
    modes: [one, ...(one.alternatives ?? [])].map(({ machine, duration, needs }) => ({
      machine,
      duration,
      needs: needsOf(needs ?? []),
    })),
    chosen: 0,
    family: one.family ?? 0,
    release: step === 0 ? Math.max(now, job.release) : now,
    after: step === 0 ? [] : [{ from: first + step - 1, minLag: 0, maxLag: null }],
    frozen: null,
  }));
}
