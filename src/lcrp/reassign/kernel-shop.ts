import { completionTime } from '../../jssp/calendar.js';
import { createInstance, type Instance, isFree } from '../../jssp/instance.js';
import { isPlain, modeDuration, modeMachine, modesOf } from '../../jssp/shop-parts.js';
import { type KernelShop, kernelShopWithParts } from './kernel-parts.js';

/**
 * Describes the free operations of a shop for the kernel: without releases if possible, which is faster.
 *
 * @param horizon a time after which downtimes do not matter
 * @returns null if that shop would differ: downtimes that begin after free operations could start, modes without
 *   duration, resources, greatest lags
 */
export function kernelShopOf(instance: Instance, horizon: number): KernelShop | null {
  const simple = isPlain(instance) ? simpleShopOf(instance, horizon) : null;
  return simple ?? kernelShopWithParts(instance, horizon);
}

/** Plain shops without releases, whose times count from the first free start; null if operations inside jobs have releases. */
function simpleShopOf(instance: Instance, horizon: number): KernelShop | null {
  const ready = readyJobs(instance);
  if (ready === null) return null;
  const begins = ready.filter((time) => time >= 0);
  if (begins.length === 0) return null;
  const base = begins.reduce((least, time) => Math.min(least, time));
  const open = machinesOpen(instance, base, horizon);
  if (open === null) return null;
  return assembleShop(instance, ready, open, base);
}

/** n entries: the earliest start of the first free operation of each job; −1 for jobs that have none. */
function readyJobs(instance: Instance): Int32Array | null {
  const { jobs, jobOffset, release, frozen } = instance;
  const ready = new Int32Array(jobs).fill(-1);
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (!isFree(instance, op)) {
        if (ready[job] >= 0) return null;
        continue;
      }
      const earliest = release?.[op] ?? 0;
      if (ready[job] >= 0) {
        if (earliest > ready[job]) return null;
        continue;
      }
      const isFirst = op === jobOffset[job] || frozen === null;
      const before = isFirst ? 0 : completionTime(instance, op - 1, frozen[op - 1]);
      ready[job] = Math.max(earliest, before);
    }
  }
  return ready;
}

/** m entries: the time from which each machine is free for good. */
function machinesOpen(instance: Instance, base: number, horizon: number): Int32Array | null {
  const { machines, machine, duration, operations, frozen, calendar } = instance;
  const open = new Int32Array(machines).fill(base);
  for (let op = 0; op < operations && frozen !== null; op++) {
    if (frozen[op] < 0 || duration[op] === 0) continue;
    open[machine[op]] = Math.max(open[machine[op]], completionTime(instance, op, frozen[op]));
  }
  if (calendar === null) return open;
  const { offset, from, to } = calendar;
  for (let k = 0; k < machines; k++) {
    for (let i = offset[k]; i < offset[k + 1]; i++) {
      if (to[i] <= open[k] || from[i] >= horizon) continue;
      if (from[i] > open[k]) return null;
      open[k] = to[i];
    }
  }
  return open;
}

function assembleShop(
  whole: Instance,
  ready: Int32Array,
  open: Int32Array,
  base: number,
): KernelShop | null {
  const operation: number[] = [];
  const mode: number[] = [];
  const [modeOffset, machine, duration, jobOffset] = [[0], [] as number[], [] as number[], [0]];
  let machines = whole.machines;
  const add = (op: number, own: number, k: number, length: number) => {
    mode.push(own);
    machine.push(k);
    duration.push(length);
    if (op < 0) endOperation(op);
  };
  const endOperation = (op: number) => {
    operation.push(op);
    modeOffset.push(mode.length);
  };
  for (let k = 0; k < open.length; k++) {
    if (open[k] <= base) continue;
    add(-1, -1, k, open[k] - base);
    jobOffset.push(operation.length);
  }
  for (let job = 0; job < ready.length; job++) {
    if (ready[job] < 0) continue;
    if (ready[job] > base) add(-1, -1, machines++, ready[job] - base);
    for (let op = whole.jobOffset[job]; op < whole.jobOffset[job + 1]; op++) {
      if (!isFree(whole, op)) continue;
      const [first, stop] = modesOf(whole, op);
      for (let one = first; one < stop; one++) {
        const length = modeDuration(whole, one);
        if (length === 0 && stop - first > 1) return null;
        add(op, one, modeMachine(whole, one), length);
      }
      endOperation(op);
    }
    jobOffset.push(operation.length);
  }
  const offset = Int32Array.from(modeOffset);
  const chosen = offset.slice(0, -1);
  const instance = createInstance({
    name: whole.name,
    machines,
    jobOffset: Int32Array.from(jobOffset),
    machine: chosen.map((one) => machine[one]),
    duration: chosen.map((one) => duration[one]),
    modes: {
      offset,
      machine: Int32Array.from(machine),
      duration: Int32Array.from(duration),
      chosen,
    },
  });
  return { instance, operation: Int32Array.from(operation), mode: Int32Array.from(mode), base };
}
