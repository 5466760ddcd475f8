import type { ProvenBound } from '../../src/jssp/bounds.js';
import { type Instance, MAX_TIME } from '../../src/jssp/instance.js';
import type { Plan, PlanEntry } from '../../src/jssp/plan.js';
import type { Violation } from '../../src/validator/index.js';

/**
 * A second validator, slow and obvious: it looks at every pair and steps through time unit by
 * unit. It names each violation by a short key, such as `machine_overlap 3 7`.
 */
export function oracle(instance: Instance, plan: Plan, bound?: ProvenBound): string[] {
  const found: string[] = [];
  const { jobOffset, jobs, machines } = instance;
  const start: (number | undefined)[] = new Array(instance.operations).fill(undefined);
  const seen = new Set<number>();

  const judgeEntry = (entry: PlanEntry, index: number): string[] => {
    if (!isIndex(entry.job, jobs)) return [`unknown_job ${index}`];
    const steps = jobOffset[entry.job + 1] - jobOffset[entry.job];
    if (!isIndex(entry.step, steps)) return [`unknown_step ${index}`];
    const op = jobOffset[entry.job] + entry.step;
    if (seen.has(op)) return [`duplicate_operation ${op} ${index}`];
    seen.add(op);

    const faults: string[] = [];
    if (!isIndex(entry.machine, machines)) faults.push(`unknown_machine ${op}`);
    else if (entry.machine !== instance.machine[op]) faults.push(`wrong_machine ${op}`);
    const startFault = timeFault(entry.start);
    if (startFault !== null) faults.push(`${startFault} ${op} start`);
    else start[op] = entry.start;
    const end = startFault === null ? completion(instance, op, entry.start) : null;
    const endFault = end !== null && end > MAX_TIME ? 'absurd_time' : timeFault(entry.end);
    if (endFault !== null) faults.push(`${endFault} ${op} end`);
    else if (end !== null && entry.end !== end) faults.push(`wrong_duration ${op}`);
    return faults;
  };
  found.push(...plan.entries.flatMap(judgeEntry));
  for (const op of range(instance.operations)) {
    if (!seen.has(op)) found.push(`missing_operation ${op}`);
  }

  const timed = range(instance.operations).filter((op) => start[op] !== undefined);
  const startOf = (op: number) => start[op] as number;
  const endOf = start.map((time, op) =>
    time === undefined ? undefined : completion(instance, op, time),
  );
  const end = (op: number) => endOf[op] as number;
  for (const op of timed) {
    const frozen = instance.frozen?.[op] ?? -1;
    if (frozen >= 0 && startOf(op) !== frozen) found.push(`frozen_moved ${op}`);
    if (startOf(op) === frozen) continue;
    if (startOf(op) < (instance.release?.[op] ?? 0)) found.push(`release ${op}`);
    if (meetsDowntime(instance, op, startOf(op), end(op))) found.push(`downtime ${op}`);
  }
  for (const job of range(jobs)) {
    const steps = timed.filter((op) => instance.jobOf[op] === job);
    steps.slice(1).forEach((op, i) => {
      if (startOf(op) < end(steps[i])) found.push(`job_precedence ${op} ${steps[i]}`);
    });
    const latest = Math.max(0, ...steps.map(end));
    const deadline = instance.deadline?.[job] ?? -1;
    if (deadline >= 0 && latest > deadline) {
      found.push(`deadline ${steps.find((op) => end(op) === latest)}`);
    }
  }
  for (const machine of range(machines)) {
    const busy = timed.filter(
      (op) => instance.machine[op] === machine && instance.duration[op] > 0,
    );
    for (const [i, a] of busy.entries()) {
      for (const b of busy.slice(i + 1)) {
        if (Math.min(end(a), end(b)) > Math.max(startOf(a), startOf(b))) {
          found.push(`machine_overlap ${a} ${b}`);
        }
      }
    }
  }

  const latest = timed.reduce((most, op) => Math.max(most, end(op)), 0);
  const isComplete = timed.length === instance.operations;
  const claimed = plan.makespan ?? undefined;
  if (claimed !== undefined && claimed !== latest) {
    if (isComplete || !Number.isInteger(claimed) || claimed < latest) found.push('wrong_makespan');
  }
  // Only where something else is wrong does the validator look for a bound by itself.
  const own = found.length > 0 ? oneMachineBound(instance) : 0;
  const least = Math.max(bound?.value ?? own, ...workloads(instance));
  if (isComplete && latest < least) found.push('below_lower_bound computed');
  if (claimed !== undefined && claimed < least && !(isComplete && claimed === latest)) {
    found.push('below_lower_bound claimed');
  }
  return found.sort();
}

/** The oracle's key of a violation that the validator reports. */
export function keyOf(violation: Violation): string {
  const { code, scope } = violation;
  switch (code) {
    case 'wrong_makespan':
      return code;
    case 'below_lower_bound':
      return `${code} ${violation.claimed ? 'claimed' : 'computed'}`;
    case 'unknown_job':
    case 'unknown_step':
      return `${code} ${violation.entry}`;
    case 'duplicate_operation':
      return `${code} ${scope.op} ${violation.entry}`;
    case 'negative_time':
    case 'fractional_time':
    case 'absurd_time':
      return `${code} ${scope.op} ${violation.field}`;
    case 'job_precedence':
      return `${code} ${scope.op} ${violation.other}`;
    case 'machine_overlap': {
      const pair = [scope.op as number, violation.other].sort((a, b) => a - b);
      return `${code} ${pair.join(' ')}`;
    }
    default:
      return `${code} ${scope.op}`;
  }
}

/** The completion time, found by working one unit of time after the other. */
export function completion(instance: Instance, op: number, start: number): number {
  let left = instance.duration[op];
  const interruptions = downtimes(instance, op).filter(({ resumable }) => resumable);
  let time = start;
  for (; left > 0; time++) {
    if (!interruptions.some(({ from, to }) => from <= time && time < to)) left--;
  }
  return time;
}

function meetsDowntime(instance: Instance, op: number, start: number, end: number): boolean {
  if (end === start) return false;
  return downtimes(instance, op).some(
    ({ from, to, resumable }) =>
      (from <= start && start < to) || (!resumable && from < end && start < to),
  );
}

function downtimes({ calendar, machine }: Instance, op: number) {
  if (calendar === null) return [];
  const { offset, from, to, resumable } = calendar;
  return range(offset[machine[op] + 1] - offset[machine[op]])
    .map((i) => offset[machine[op]] + i)
    .map((i) => ({ from: from[i], to: to[i], resumable: resumable[i] === 1 }));
}

function timeFault(value: number): string | null {
  if (!(Math.abs(value) <= MAX_TIME)) return 'absurd_time';
  if (!Number.isInteger(value)) return 'fractional_time';
  return value < 0 ? 'negative_time' : null;
}

/** When each job could be done at the earliest, and the work of each machine. */
function workloads(instance: Instance): number[] {
  const { operations, machines, duration, machine } = instance;
  const completions = range(operations).map((op) => earliest(instance, op) + duration[op]);
  const ofMachine = range(machines).map(() => 0);
  duration.forEach((work, op) => {
    ofMachine[machine[op]] += work;
  });
  return [0, ...completions, ...ofMachine];
}

/** When an operation could start at the earliest if no machine were ever busy or down. */
function earliest(instance: Instance, op: number): number {
  const { jobOf, duration, frozen, release } = instance;
  if (frozen !== null && frozen[op] >= 0) return frozen[op];
  const isFirst = op === 0 || jobOf[op - 1] !== jobOf[op];
  const before = isFirst ? 0 : earliest(instance, op - 1) + duration[op - 1];
  return Math.max(before, release?.[op] ?? 0);
}

const knownBounds = new WeakMap<Instance, number>();

/**
 * When all could be done if the machines did not have to wait for each other and could interrupt
 * their work: each does at any time what has the most work of its job behind it.
 */
function oneMachineBound(instance: Instance): number {
  const known = knownBounds.get(instance);
  if (known !== undefined) return known;
  const { operations, machines, machine, duration, jobOf } = instance;
  const head = range(operations).map((op) => earliest(instance, op));
  const tail = range(operations).map(() => 0);
  for (const op of range(operations - 1).reverse()) {
    if (jobOf[op + 1] === jobOf[op]) tail[op] = tail[op + 1] + duration[op + 1];
  }
  let bound = 0;
  const left = Array.from(duration);
  for (const k of range(machines)) {
    let waiting = range(operations).filter((op) => machine[op] === k && left[op] > 0);
    waiting.sort((a, b) => tail[b] - tail[a]);
    for (let time = 0; waiting.length > 0; time++) {
      const op = waiting.find((x) => head[x] <= time);
      if (op === undefined || --left[op] > 0) continue;
      bound = Math.max(bound, time + 1 + tail[op]);
      waiting = waiting.filter((x) => x !== op);
    }
  }
  knownBounds.set(instance, bound);
  return bound;
}

function isIndex(value: number, length: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < length;
}

function range(length: number): number[] {
  return Array.from({ length: Math.max(0, length) }, (_, i) => i);
}
