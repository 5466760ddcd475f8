import type { Instance } from '../../src/jssp/instance.js';
import { completion, firstStart } from './oracle.js';

/** What a rule may look at when it chooses an operation. */
interface Moment {
  /** When the predecessor is done and the operation released. */
  ready: number;
  /** When it could start. */
  earliest: number;
  /** When the first of the candidates could start. */
  now: number;
}

export type Key = (op: number, moment: Moment) => number;

/** Generates a schedule step by step, looking at every job in every step. */
export function generateByDefinition(
  instance: Instance,
  generation: 'non-delay' | 'active',
  key: Key,
): Int32Array {
  const { jobs, jobOffset, machine, duration } = instance;
  const start = new Int32Array(instance.operations).fill(-1);
  const end = new Int32Array(instance.operations);
  const machineFree = new Int32Array(instance.machines);
  const next = [...jobOffset.slice(0, jobs)];
  const place = (op: number, time: number): void => {
    start[op] = time;
    end[op] = completion(instance, op, time) ?? Number.NaN;
    if (duration[op] > 0) machineFree[machine[op]] = Math.max(machineFree[machine[op]], end[op]);
    next[instance.jobOf[op]]++;
  };
  for (let job = 0; job < jobs; job++) {
    while (next[job] < jobOffset[job + 1] && (instance.frozen?.[next[job]] ?? -1) >= 0) {
      place(next[job], instance.frozen?.[next[job]] ?? -1);
    }
  }
  const jobDone = (job: number): number => Math.max(0, ...end.slice(jobOffset[job], next[job]));

  for (;;) {
    const open = next.flatMap((op, job) => (op < jobOffset[job + 1] ? [{ op, job }] : []));
    if (open.length === 0) return start;
    const instant = open.find(({ op }) => duration[op] === 0);
    if (instant !== undefined) {
      place(instant.op, firstStart(instance, instant.op, jobDone(instant.job)));
      continue;
    }
    const candidates = open.map(({ op, job }) => {
      const ready = Math.max(jobDone(job), instance.release?.[op] ?? 0);
      const earliest = firstStart(instance, op, Math.max(ready, machineFree[machine[op]]));
      return { op, ready, earliest, done: completion(instance, op, earliest) ?? Number.NaN };
    });
    const decisive = (one: (typeof candidates)[number]) =>
      generation === 'active' ? one.done : one.earliest + 1;
    const limit = Math.min(...candidates.map(decisive));
    const k = machine[candidates.find((one) => decisive(one) === limit)?.op ?? -1];
    const choice = candidates.filter((one) => machine[one.op] === k && one.earliest < limit);
    const now = Math.min(...choice.map((one) => one.earliest));
    const keys = choice.map((one) => key(one.op, { ...one, now }));
    const best = choice[keys.indexOf(Math.min(...keys))];
    place(best.op, best.earliest);
  }
}

/** The rules as the papers define them: a new rule adds its definition, written from the paper and not from the code. */
export function keyByDefinition(instance: Instance, rule: string): Key {
  const { duration, jobOf, jobOffset, release, due } = instance;
  const sum = (from: number, to: number) =>
    duration.slice(from, to).reduce((total, time) => total + time, 0);
  const jobEnd = (op: number) => jobOffset[jobOf[op] + 1];
  const work = (op: number) => sum(op, jobEnd(op));
  const flowDue = (op: number): number =>
    duration[op] + Math.max(release?.[op] ?? 0, op > jobOffset[jobOf[op]] ? flowDue(op - 1) : 0);
  const keys: Record<string, Key> = {
    SPT: (op) => duration[op],
    LPT: (op) => -duration[op],
    MWKR: (op) => -work(op),
    LWKR: (op) => work(op),
    MOPNR: (op) => op - jobEnd(op),
    'FDD/MWKR': (op) => flowDue(op) / work(op),
    FIFO: (_, { ready }) => ready,
    EST: (_, { earliest }) => earliest,
    CR: (op, { now }) => {
      const date = due?.[jobOf[op]] ?? -1;
      return date < 0 ? Number.POSITIVE_INFINITY : (date - now) / work(op);
    },
  };
  if (Object.hasOwn(keys, rule)) return keys[rule];
  throw new Error(`keyByDefinition in test/search/reference-dispatch.ts lacks the rule ${rule}`);
}
