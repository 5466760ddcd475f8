import { completionTime, earliestStart, endOfWork } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { eachPredecessor, setupTime, transportTime } from '../../jssp/shop-parts.js';
import { earliestBegin } from '../../jssp/shop-timing/machine-work.js';

/** Times operations one after the other, in the order in which they are appended. */
export interface ListTimes {
  /** @returns its start */
  append(op: number): number;
}

/**
 * The earliest starts of operations behind those that were appended before, on their machines and in their jobs, with
 * setups, transport and least waiting times. Frozen starts are kept. The modes are those of the instance.
 */
export function createListTimes(instance: Instance): ListTimes {
  const { operations, machines, jobs, duration, machine, jobOf, frozen, precedence, calendar } =
    instance;
  const ends = new Float64Array(operations).fill(-1);
  const jobEnd = new Float64Array(jobs);
  const lastIn = new Int32Array(jobs).fill(-1);
  const machineEnd = new Float64Array(machines);
  const lastOn = new Int32Array(machines).fill(-1);

  /** The arrival of the job at the machine of an operation. */
  function arrivalOf(op: number): number {
    const job = jobOf[op];
    if (precedence === null) {
      const before = lastIn[job];
      return jobEnd[job] + (before < 0 ? 0 : transportTime(instance, before, op));
    }
    let arrival = 0;
    eachPredecessor(instance, op, (predecessor, minLag) => {
      if (ends[predecessor] < 0) return;
      const there = ends[predecessor] + transportTime(instance, predecessor, op) + minLag;
      if (there > arrival) arrival = there;
    });
    return arrival;
  }

  function earliest(op: number): number {
    const arrival = arrivalOf(op);
    if (duration[op] === 0) return earliestStart(instance, op, arrival);
    const k = machine[op];
    const from = earliestStart(instance, op, Math.max(arrival, machineEnd[k]));
    const setup = setupTime(instance, k, lastOn[k], op);
    if (setup === 0) return from;
    const isEarly = instance.setups?.anticipatory[k] === 1;
    const isReadyAt = isEarly ? 0 : Math.max(arrival, instance.release?.[op] ?? 0);
    const begin = earliestBegin(calendar, k, setup, Math.max(machineEnd[k], isReadyAt));
    const done = endOfWork(calendar, k, setup, begin);
    return done <= from ? from : earliestStart(instance, op, done);
  }

  return {
    append(op) {
      const taken = frozen?.[op] ?? -1;
      const start = taken >= 0 ? taken : earliest(op);
      const end = completionTime(instance, op, start);
      ends[op] = end;
      lastIn[jobOf[op]] = op;
      jobEnd[jobOf[op]] = Math.max(jobEnd[jobOf[op]], end);
      if (duration[op] > 0) {
        machineEnd[machine[op]] = Math.max(machineEnd[machine[op]], end);
        lastOn[machine[op]] = op;
      }
      return start;
    },
  };
}
