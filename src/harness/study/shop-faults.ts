import type { Random } from '@alas-jssp/core/random';
import { type Instance, isFree } from '../../jssp/instance.js';
import { eachPredecessor, modesOf, transportTime } from '../../jssp/shop-parts.js';
import { changeEntry, moveStarts, type PlanFault, pick } from './faults.js';

/**
 * Classes of faults that only shops beyond the classic job shop have, by name; as `planFaults` otherwise. The instance
 * has the modes of the plan chosen.
 */
export const shopFaults: Readonly<Record<string, PlanFault>> = {
  'moved without its duration': (instance, valid, random) => {
    const { op, mode } = otherMode(instance, random);
    const machine = instance.modes?.machine[mode] ?? instance.machine[op];
    return {
      plan: changeEntry(valid, op, { machine, mode: undefined }),
      expected: [`wrong_duration ${op}`],
    };
  },

  'duration of another machine': (instance, valid, random) => {
    const { op, mode } = otherMode(instance, random);
    const difference = (instance.modes?.duration[mode] ?? 0) - instance.duration[op];
    const end = valid.entries[op].end + difference;
    return {
      plan: changeEntry(valid, op, { end, mode: undefined }),
      expected: [`wrong_duration ${op}`],
    };
  },

  'mode that does not exist': (instance, valid, random) => {
    const op = pick(random, instance);
    const [first, stop] = modesOf(instance, op);
    return {
      plan: changeEntry(valid, op, { mode: stop - first }),
      expected: [`unknown_mode ${op}`],
    };
  },

  'start before the job is there': (instance, valid, random) => {
    const waits = (op: number) => waitBefore(instance, op);
    const op = pick(random, instance, (op) => waits(op).wait > 0 && isFree(instance, op));
    const { other } = waits(op);
    const start = valid.entries[other].end;
    return {
      plan: moveStarts(instance, valid, { [op]: start }),
      expected: [`lag_too_short ${op} ${other}`],
    };
  },
};

/** An operation with a mode on another machine and of another duration, which no mode on its own machine has. */
function otherMode(instance: Instance, random: Random): { op: number; mode: number } {
  const { modes, machine, duration, frozen } = instance;
  const differs = (op: number) => {
    if (modes === null || (frozen !== null && frozen[op] >= 0)) return -1;
    const [first, stop] = modesOf(instance, op);
    const all = Array.from({ length: stop - first }, (_, i) => first + i);
    const here = all.filter((mode) => modes.machine[mode] === machine[op]);
    return (
      all.find((mode) => {
        const there = all.filter((one) => modes.machine[one] === modes.machine[mode]);
        const isElsewhere = modes.machine[mode] !== machine[op];
        const has = (list: number[], work: number) =>
          list.some((one) => modes.duration[one] === work);
        return isElsewhere && !has(here, modes.duration[mode]) && !has(there, duration[op]);
      }) ?? -1
    );
  };
  const op = pick(random, instance, (one) => differs(one) >= 0);
  return { op, mode: differs(op) };
}

/** The predecessor after which an operation has to wait longest, for transport and the least lag. */
function waitBefore(instance: Instance, op: number): { other: number; wait: number } {
  let longest = { other: -1, wait: 0 };
  eachPredecessor(instance, op, (other, minLag) => {
    const wait = transportTime(instance, other, op) + minLag;
    if (wait > longest.wait) longest = { other, wait };
  });
  return longest;
}
