import type { AppliedEvents, EffectiveEvent } from '../../disruption/index.js';
import { resourceWord } from '../../disruption/resource-labels.js';
import type { Schedule } from '../../jssp/schedule.js';
import { english, type Sentences } from '../../jssp/sentences/english.js';
import { wordsOf } from '../../jssp/words.js';
import type { RepairResult } from '../repair-result.js';
import type { Edit } from './explain.js';

// The sentences about moves on the command line, in the service, for agents and on pages.

/** The parts of a repair that reasons need. */
interface ReasonSource {
  readonly applied: AppliedEvents;
  readonly schedule: Schedule;
}

/** The planned start of an operation, the current time, the reason of its move, and its planned machine. */
interface ExplainedMove {
  readonly was: number;
  readonly now: number;
  readonly why: string;
  readonly from?: number | undefined;
}

/** A move with its reason, in the words of the shop: `WO-4711, turning waits 12 min: Lathe 2 is down until 14:10`. */
export function explainMove(
  { instance, start }: Schedule,
  op: number,
  { was, now, why, from }: ExplainedMove,
  sentences: Sentences = english,
): string {
  const { operation, time, duration, machine } = wordsOf(instance, sentences);
  const { moves } = sentences;
  const shift = start[op] - was;
  const to = instance.machine[op];
  if (was >= 0 && from !== undefined && from !== to) {
    const when = time(start[op], now);
    return moves.reassigned(operation(op), machine(from), machine(to), when, why);
  }
  if (was < 0) return moves.starts(operation(op), time(start[op], now), why);
  if (shift > 0) return moves.waits(operation(op), duration(shift), why);
  return moves.earlier(operation(op), duration(-shift), why);
}

/**
 * An edit of a repair in a sentence: `job 2, step 3 waits 12: it follows job 2, step 2 in its job; machine 4 is down
 * until 30`.
 */
export function explainEdit(
  edit: Edit,
  repair: ReasonSource & Pick<RepairResult, 'before'>,
): string {
  const { before, applied, schedule } = repair;
  const was = before.start[edit.operation];
  const why = reasonOfEdit(edit, repair);
  const from = applied.instance.machine[edit.operation];
  return explainMove(schedule, edit.operation, { was, now: applied.now, why, from });
}

/**
 * The reason for an edit, in the words of the shop: `it follows WO-4712, boring on Lathe 2; Lathe 2 is down until
 * 14:10`.
 */
export function reasonOfEdit(
  { operation, cause, waitsFor, event }: Edit,
  { applied, schedule: { instance } }: ReasonSource,
  sentences: Sentences = english,
): string {
  const words = wordsOf(instance, sentences);
  const { causes } = sentences;
  const root = event === null ? '' : reasonOfEvent(applied.events[event], applied, sentences);
  if (cause === 'event') return root;
  const machine = words.machine(instance.machine[operation]);
  const other = waitsFor === null ? '' : words.operation(waitsFor);
  const reasons = {
    job: () => causes.job(other),
    machine: () => causes.machine(other, machine),
    reassigned: () => causes.reassigned(machine),
    place: () => causes.place(machine),
    earlier: () => causes.earlier,
    limit: () => causes.limit,
    later: () => causes.later,
  };
  const reason = reasons[cause]();
  return root === '' ? reason : `${reason}; ${root}`;
}

/** The effect of an event, as a reason: `Lathe 2 is down until 14:10`. */
export function reasonOfEvent(
  event: EffectiveEvent,
  { now, instance }: AppliedEvents,
  sentences: Sentences = english,
): string {
  const words = wordsOf(instance, sentences);
  const { effects } = sentences;
  const { jobOffset } = instance;
  const near = (time: number) => words.time(time, now);
  switch (event.kind) {
    case 'breakdown': {
      const machine = words.machine(event.machine);
      if (event.from <= now) return effects.down(machine, near(event.to));
      return effects.willBeDown(machine, near(event.from), near(event.to));
    }
    case 'restored':
      return effects.restored(words.machine(event.machine));
    case 'duration': {
      const operation = words.operation(jobOffset[event.job] + event.step);
      const { duration, factor } = event;
      if (duration === undefined) return effects.factor(operation, factor ?? 1);
      return effects.takes(operation, words.duration(duration));
    }
    case 'arrival':
      return effects.arrival(event.job.name ?? null);
    case 'cancellation':
      return effects.cancellation(words.job(event.job));
    case 'delay': {
      const operation = words.operation(jobOffset[event.job] + (event.step ?? 0));
      return effects.delay(operation, near(event.until));
    }
    case 'capacity': {
      const resource = resourceWord(instance, event.resource, sentences);
      return effects.capacity(resource, event.amount, near(event.from), near(event.to));
    }
    case 'alternative': {
      const operation = words.operation(jobOffset[event.job] + event.step);
      return effects.alternative(words.machine(event.machine), operation);
    }
  }
}
