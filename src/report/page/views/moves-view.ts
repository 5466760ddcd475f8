import { earliestStart } from '../../../jssp/calendar.js';
import { machineSequences, type Schedule } from '../../../jssp/schedule.js';
import { english } from '../../../jssp/sentences/english.js';
import { machineNeighbours } from '../../../jssp/timing.js';
import { wordsOf } from '../../../jssp/words.js';
import { reasonOfEdit } from '../../../lcrp/metrics/edit-words.js';
import { explainRepair } from '../../../lcrp/metrics/explain.js';
import { sequenceDeviation } from '../../../lcrp/metrics/sequence-deviation.js';
import type { RepairResult } from '../../../lcrp/repair-result.js';
import type { MoveCause, MovesView, MoveView, ScheduleView } from './schedule-data.js';

/** The parts of a repair after events that explain its moves. */
export type ExplainedRepair = Pick<
  RepairResult,
  'task' | 'schedule' | 'policy' | 'before' | 'previous' | 'applied'
>;

/** The moves of a repair after events, with the causes that `explainRepair` finds; they include new operations. */
export function viewRepairMoves(result: ExplainedRepair): MovesView {
  const { task, schedule, before, previous, applied } = result;
  const { instance } = task;
  const moved = explainRepair(result as RepairResult).map((edit) => ({
    operation: edit.operation,
    machine: previous.instance.machine[applied.oldOf[edit.operation]] ?? -1,
    start: before.start[edit.operation],
    end: before.end[edit.operation],
    cause: edit.cause,
    waitsFor: edit.waitsFor ?? -1,
    why: reasonOfEdit(edit, result),
  }));
  const arrived: MoveView[] = [];
  applied.oldOf.forEach((old, operation) => {
    if (old >= 0) return;
    const cause = { cause: 'new', waitsFor: -1, why: english.causes.new } as const;
    arrived.push({ operation, machine: -1, start: -1, end: -1, ...cause });
  });
  const { start } = schedule;
  return {
    moved: [...moved, ...arrived].sort((a, b) => start[a.operation] - start[b.operation]),
    makespan: previous.makespan,
    gone: previous.instance.operations - instance.operations + arrived.length,
  };
}

/**
 * The moves from a plan to the schedule derived from it, for the same instance. Causes: no start in the plan
 * (`missing`), part of a violation (`fault`), delayed by the operation before it in its job or on its machine (`job`,
 * `machine`), another position in its queue (`place`), or just earlier or later. O(N log N).
 *
 * @param plan the view of the plan with its violations
 */
export function viewPlanMoves(plan: ScheduleView, before: Schedule, after: Schedule): MovesView {
  const { instance, start } = after;
  const faults = faultsOf(plan);
  const { machine: nameMachine } = wordsOf(instance);
  const places = new Set(sequenceDeviation(instance, before, after, () => true).moved);
  const heldUpBy = createHoldUp(before, after);
  const moved: MoveView[] = [];
  const explain = (op: number): [MoveCause, number, string] => {
    const fault = faults.get(op);
    if (before.start[op] < 0) return ['missing', -1, 'the plan had no usable start for it'];
    if (fault !== undefined) return ['fault', -1, fault];
    const other = heldUpBy(op);
    if (other >= 0) {
      const isOfJob = other === op - 1 && instance.jobOf[other] === instance.jobOf[op];
      const { machine, operation } = wordsOf(instance);
      const place = isOfJob ? 'in its job' : `on ${machine(instance.machine[op])}`;
      const why = `it follows ${operation(other)} ${place}`;
      return [isOfJob ? 'job' : 'machine', other, why];
    }
    if (places.has(op)) return ['place', -1, 'it has another place in the queue of its machine'];
    return start[op] < before.start[op]
      ? ['earlier', -1, 'in its old place, it can start earlier']
      : ['later', -1, 'it was moved to a later start'];
  };
  for (let op = 0; op < instance.operations; op++) {
    const machine = machineBefore(before, op);
    const isElsewhere = machine >= 0 && machine !== instance.machine[op];
    if (start[op] === before.start[op] && !isElsewhere) continue;
    const [cause, waitsFor, why] = explain(op);
    const times = { machine, start: before.start[op], end: before.end[op] };
    const moves = isElsewhere
      ? `it moved from ${nameMachine(machine)} to ${nameMachine(instance.machine[op])}`
      : '';
    const reason = moves === '' ? why : cause === 'fault' ? `${why}; ${moves}` : moves;
    moved.push({ operation: op, ...times, cause, waitsFor, why: reason });
  }
  moved.sort((a, b) => start[a.operation] - start[b.operation] || a.operation - b.operation);
  return { moved, makespan: before.makespan, gone: 0 };
}

/** The machine of an operation in an earlier schedule; −1 if it had no start. */
function machineBefore({ instance, start }: Schedule, op: number): number {
  return start[op] < 0 ? -1 : instance.machine[op];
}

/** The first violation of each operation, in words. */
function faultsOf({ violations }: ScheduleView): Map<number, string> {
  const faults = new Map<number, string>();
  for (const { operation, other, message } of violations) {
    for (const op of [operation, other]) {
      if (op >= 0 && !faults.has(op)) faults.set(op, message);
    }
  }
  return faults;
}

/** Finds the predecessor, in the job or on the machine, that delays an operation; −1 for none. */
function createHoldUp(before: Schedule, after: Schedule): (op: number) => number {
  const { instance, start, end } = after;
  const { predecessor } = machineNeighbours(instance, machineSequences(after));
  const holdsUp = (op: number, other: number) =>
    other >= 0 &&
    end[other] > before.start[op] &&
    earliestStart(instance, op, end[other]) === start[op];
  return (op) => {
    const step = op > 0 && instance.jobOf[op - 1] === instance.jobOf[op] ? op - 1 : -1;
    if (holdsUp(op, step)) return step;
    return holdsUp(op, predecessor[op]) ? predecessor[op] : -1;
  };
}
