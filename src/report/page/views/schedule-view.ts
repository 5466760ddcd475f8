import { latestStart } from '../../../jssp/calendar.js';
import type { Instance } from '../../../jssp/instance.js';
import { operationLabels } from '../../../jssp/operation-labels.js';
import { asSchedule, type Candidate } from '../../../jssp/plan.js';
import { machineSequences, type Schedule } from '../../../jssp/schedule.js';
import { isPlain } from '../../../jssp/shop-parts.js';
import { criticalPath, machineNeighbours } from '../../../jssp/timing.js';
// Not from the entry, whose proofs need Node: browsers make views, too.
import { isFeasible } from '../../../validator/judge.js';
import { type ValidationReport, validate } from '../../../validator/validate.js';
import type { Violation } from '../../../validator/violation.js';
import type { DowntimeColumns, ScheduleView, ViolationView } from './schedule-data.js';
import { modeColumns, resourceColumns, setupColumns, tightChain } from './shop-view.js';

/** Maximum number of violations listed in a view; `counts` has all. */
const MOST_VIOLATIONS = 500;

/**
 * The view of a schedule or plan: its start times with the validator's report. O(N log N).
 *
 * @throws as `validate` and `createSchedule` do
 */
export function viewSchedule(instance: Instance, candidate: Candidate): ScheduleView {
  const schedule = asSchedule(instance, candidate);
  const report = validate(instance, candidate, { limit: MOST_VIOLATIONS });
  // The instance of the schedule has the modes of the plan.
  const { start, end, makespan, instance: assigned } = schedule;
  const missing = start.reduce((count, time) => count + (time < 0 ? 1 : 0), 0);
  const isSound = missing === 0 && isFeasible(assigned, start);
  return {
    instance: instance.name,
    names: instance.names && { ...instance.names, operations: operationLabels(instance) },
    timeScale: instance.timeScale,
    jobs: instance.jobs,
    machines: instance.machines,
    jobOffset: Array.from(instance.jobOffset),
    machine: Array.from(assigned.machine),
    start: Array.from(start),
    end: Array.from(end),
    slack: isSound && isPlain(instance) ? Array.from(slackOf(schedule)) : null,
    critical: isSound ? criticalOf(schedule) : [],
    due: instance.due && Array.from(instance.due),
    weight: instance.weight && Array.from(instance.weight),
    release: instance.release && Array.from(instance.release),
    fixed: fixedOperations(instance),
    downtimes: downtimeColumns(instance),
    isPlain: isPlain(instance),
    setups: setupColumns(schedule),
    modes: modeColumns(instance),
    resources: resourceColumns(schedule),
    makespan,
    missing,
    valid: report.valid,
    violations: violationsOf(report, schedule),
    counts: Object.fromEntries(Object.entries(report.counts).filter(([, count]) => count > 0)),
    busy: busyTimes(schedule),
    down: downBefore(instance, makespan),
  };
}

function criticalOf(schedule: Schedule): number[] {
  return isPlain(schedule.instance) ? Array.from(criticalPath(schedule)) : tightChain(schedule);
}

/**
 * The slack of each operation of a feasible schedule (N entries): the maximum delay of its start that keeps the
 * makespan, with the machine orders, releases and downtimes kept. Operations with a fixed start have none. O(N log N)
 * if there are few downtimes.
 */
export function slackOf(schedule: Schedule): Int32Array {
  const { instance, start, end, makespan } = schedule;
  const { operations, jobOf, frozen } = instance;
  const { successor } = machineNeighbours(instance, machineSequences(schedule));
  const latest = new Int32Array(operations);
  const byTime = Uint32Array.from({ length: operations }, (_, op) => op);
  byTime.sort((a, b) => start[a] - start[b] || end[a] - end[b] || a - b);
  for (let i = operations - 1; i >= 0; i--) {
    const op = byTime[i];
    let by = makespan;
    const next = op + 1;
    if (next < operations && jobOf[next] === jobOf[op]) by = latest[next];
    if (successor[op] >= 0) by = Math.min(by, latest[successor[op]]);
    const isFixed = frozen !== null && frozen[op] >= 0;
    latest[op] = isFixed ? start[op] : Math.max(start[op], latestStart(instance, op, by));
  }
  return latest.map((time, op) => time - start[op]);
}

/** Operations whose start is fixed, ascending. */
export function fixedOperations({ frozen }: Instance): number[] {
  if (frozen === null) return [];
  return Array.from(frozen.keys()).filter((op) => frozen[op] >= 0);
}

/** The downtimes of all machines, in columns. */
export function downtimeColumns({ calendar, machines }: Instance): DowntimeColumns {
  if (calendar === null) return { machine: [], from: [], to: [], resumable: [] };
  const { offset, from, to, resumable } = calendar;
  const machine = Array.from({ length: machines }, (_, k) => k).flatMap((k) =>
    new Array<number>(offset[k + 1] - offset[k]).fill(k),
  );
  return {
    machine,
    from: Array.from(from),
    to: Array.from(to),
    resumable: Array.from(resumable, (flag) => flag === 1),
  };
}

/** The working time of each machine. */
function busyTimes({ instance, start }: Schedule): number[] {
  const busy = new Array<number>(instance.machines).fill(0);
  start.forEach((time, op) => {
    if (time >= 0) busy[instance.machine[op]] += instance.duration[op];
  });
  return busy;
}

/** The downtime of each machine before an instant. */
function downBefore({ machines, calendar }: Instance, time: number): number[] {
  const down = new Array<number>(machines).fill(0);
  if (calendar === null) return down;
  const { offset, from, to } = calendar;
  for (let k = 0; k < machines; k++) {
    for (let i = offset[k]; i < offset[k + 1]; i++) {
      down[k] += Math.max(0, Math.min(to[i], time) - from[i]);
    }
  }
  return down;
}

function violationsOf(
  { violations, groups }: ValidationReport,
  schedule: Schedule,
): ViolationView[] {
  const place = new Map(violations.map((violation, i) => [violation, i]));
  const roots = new Map<Violation, { readonly root: number; readonly explanation: string }>();
  for (const { root, cascades, explanation } of groups) {
    const group = { root: place.get(root) ?? -1, explanation };
    for (const violation of [root, ...cascades]) roots.set(violation, group);
  }
  return violations.map((violation, i) => {
    const { code, message, scope } = violation;
    const { root, explanation } = roots.get(violation) ?? { root: i, explanation: message };
    return {
      code,
      message,
      operation: scope.op ?? -1,
      other: 'other' in violation ? violation.other : -1,
      machine: scope.machine ?? -1,
      stretch: stretchOf(violation, schedule),
      root,
      explanation,
    };
  });
}

/** The span of time in which a rule is violated. */
function stretchOf(violation: Violation, { start, end }: Schedule): [number, number] | null {
  switch (violation.code) {
    case 'release':
      return [violation.start, violation.release];
    case 'deadline':
      return [violation.deadline, violation.end];
    case 'job_precedence':
      return [violation.start, violation.otherEnd];
    case 'lag_too_short':
      return [violation.start, violation.earliest];
    case 'lag_too_long':
      return [violation.latest, violation.start];
    case 'setup':
      return [violation.begin, violation.start];
    case 'resource_overload':
      return [violation.from, violation.to];
    case 'machine_overlap': {
      const { start: from, otherStart, end: to, otherEnd } = violation;
      return [Math.max(from, otherStart), Math.min(to, otherEnd)];
    }
    case 'downtime':
      return [Math.max(violation.start, violation.from), Math.min(violation.end, violation.to)];
    case 'wrong_duration':
      return [violation.end, violation.claimedEnd].sort((a, b) => a - b) as [number, number];
    default: {
      const { op } = violation.scope;
      return op === undefined || start[op] < 0 ? null : [start[op], end[op]];
    }
  }
}
