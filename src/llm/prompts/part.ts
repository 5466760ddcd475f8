import { horizonOf } from '../../jssp/bounds.js';
import {
  completionTime,
  createCalendar,
  listDowntimes,
  type MachineDowntime,
} from '../../jssp/calendar.js';
import { type Instance, MAX_TIME, replaceInstance } from '../../jssp/instance.js';
import { pickNames } from '../../jssp/instance-names.js';
import { type PlanEntry, scheduleFromPlan } from '../../jssp/plan.js';
import { selectParts } from '../../jssp/select-operations.js';
import { estimateTokens } from '../token-estimate.js';

/** Machine time taken by operations outside of a part. */
export interface TakenTimes {
  /** Their entries. Machines and durations are the instance's; entries that name no operation are ignored. */
  readonly entries: readonly PlanEntry[];
  /** Maximum tokens for the list of these times in a prompt. */
  readonly tokens: number;
}

/** The longest text for a taken time of a machine in a prompt. */
const LONGEST = `${MAX_TIME} to ${MAX_TIME}, `;

/** Tokens of the shortest list: one time for each machine. */
export function leastTakenTokens({ machines }: Instance): number {
  return machines * estimateTokens(`Machine${machines}: ${LONGEST}`);
}

/** Tokens of the longest list of times for a number of operations. */
export function mostTakenTokens(instance: Instance, operations: number): number {
  return leastTakenTokens(instance) + operations * estimateTokens(LONGEST);
}

/**
 * An instance with only some of the jobs. All jobs keep their numbers; the others have no operations, and the machine
 * times taken by their entries or frozen starts become downtimes. If the prompt has no room for all of them, the
 * smallest gaps between them are closed.
 */
export function partOf(instance: Instance, jobs: readonly number[], taken: TakenTimes): Instance {
  const isIn = new Set(jobs);
  const { jobOf, machine, duration, release, frozen } = instance;
  const kept = Array.from(jobOf.keys()).filter((op) => isIn.has(jobOf[op]));
  const pick = (numbers: Int32Array) => Int32Array.from(kept, (op) => numbers[op]);
  const jobOffset = new Int32Array(instance.jobs + 1);
  for (const op of kept) jobOffset[jobOf[op] + 1]++;
  for (let job = 0; job < instance.jobs; job++) jobOffset[job + 1] += jobOffset[job];
  return replaceInstance(instance, {
    jobOffset,
    machine: pick(machine),
    duration: pick(duration),
    release: release && pick(release),
    frozen: frozen && pick(frozen),
    ...selectParts(instance, kept),
    calendar: calendarWith(instance, takenTimes(instance, isIn, taken)),
    names: pickNames(instance.names, kept, jobOffset),
  });
}

/** A time that a machine works for others. */
interface MachineBlock {
  readonly machine: number;
  readonly from: number;
  to: number;
}

function takenTimes(
  instance: Instance,
  isIn: ReadonlySet<number>,
  taken: TakenTimes,
): MachineBlock[] {
  const { operations, jobOf, frozen } = instance;
  // The entries also say which of its machines does an operation.
  const { start, instance: assigned } = scheduleFromPlan(instance, taken);
  const { machine } = assigned;
  // Later than the end of any sensible schedule, but within the range of times.
  const work = instance.duration.reduce((sum, time) => sum + time, 0);
  const latest = Math.min(horizonOf(instance), MAX_TIME - work);
  const blocks: MachineBlock[] = [];
  for (let op = 0; op < operations; op++) {
    if (isIn.has(jobOf[op])) continue;
    const from = frozen !== null && frozen[op] >= 0 ? frozen[op] : start[op];
    const to = completionTime(assigned, op, from);
    if (from >= 0 && to > from && to <= latest) blocks.push({ machine: machine[op], from, to });
  }
  const room = Math.max(0, taken.tokens - leastTakenTokens(instance)) / estimateTokens(LONGEST);
  return closeGaps(merge(blocks), instance.machines + Math.floor(room));
}

/** Joins times of a machine that overlap or touch, in increasing order. */
function merge(blocks: readonly MachineBlock[]): MachineBlock[] {
  const merged: MachineBlock[] = [];
  for (const block of blocks.toSorted((a, b) => a.machine - b.machine || a.from - b.from)) {
    const last = merged.at(-1);
    if (last?.machine === block.machine && block.from <= last.to) {
      last.to = Math.max(last.to, block.to);
    } else merged.push({ ...block });
  }
  return merged;
}

/** Closes the smallest gaps between times of a machine until their number is within a limit. */
function closeGaps(blocks: readonly MachineBlock[], most: number): MachineBlock[] {
  const gaps = blocks
    .map(({ machine, from }, i) => {
      const isFirst = i === 0 || blocks[i - 1].machine !== machine;
      return { i, size: isFirst ? Number.POSITIVE_INFINITY : from - blocks[i - 1].to };
    })
    .filter(({ size }) => size < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.size - b.size || a.i - b.i);
  const closed = new Set(gaps.slice(0, Math.max(0, blocks.length - most)).map(({ i }) => i));
  const wider: MachineBlock[] = [];
  blocks.forEach((block, i) => {
    if (closed.has(i)) wider[wider.length - 1].to = block.to;
    else wider.push({ ...block });
  });
  return wider;
}

/** The calendar of an instance with times in which the machines work for others. */
function calendarWith(instance: Instance, blocks: readonly MachineBlock[]): Instance['calendar'] {
  if (blocks.length === 0) return instance.calendar;
  const own = instance.calendar === null ? [] : listDowntimes(instance.calendar);
  const left = own.flatMap((downtime) => outside(downtime, blocks));
  const others = blocks.map((block) => ({ ...block, resumable: false }));
  return createCalendar(instance.machines, [...left, ...others]);
}

/** The parts of a downtime outside the times that are already taken. */
function outside(downtime: MachineDowntime, blocks: readonly MachineBlock[]): MachineDowntime[] {
  const pieces: MachineDowntime[] = [];
  let { from } = downtime;
  for (const block of blocks) {
    if (block.machine !== downtime.machine || block.to <= from) continue;
    if (block.from >= downtime.to) break;
    if (block.from > from) pieces.push({ ...downtime, from, to: block.from });
    from = block.to;
  }
  if (from < downtime.to) pieces.push({ ...downtime, from });
  return pieces;
}
