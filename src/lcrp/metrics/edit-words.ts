import type { EffectiveEvent } from '../../disruption/event.js';
import type { AppliedEvents } from '../../disruption/index.js';
import { kindOf } from '../../disruption/kind-of.js';
import { changedNeeds } from '../../jssp/need-words.js';
import type { Schedule } from '../../jssp/schedule.js';
import { english, type Sentences } from '../../jssp/sentences/english.js';
import { chosenMode, modeMachine } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';
import type { RepairResult } from '../repair-result.js';
import type { Edit } from './explain.js';

// The sentences about moves on the command line, in the service, for agents and on pages.

/** The parts of a repair that reasons need. */
interface ReasonSource {
  readonly applied: AppliedEvents;
  readonly schedule: Schedule;
}

/** The planned start of an operation, the current time, the reason of its move, and its planned mode. */
interface ExplainedMove {
  readonly was: number;
  readonly now: number;
  readonly why: string;
  readonly fromMode?: number | undefined;
}

/** A move with its reason, in the words of the shop: `WO-4711, turning waits 12 min: Lathe 2 is down until 14:10`. */
export function explainMove(
  { instance, start }: Schedule,
  op: number,
  { was, now, why, fromMode }: ExplainedMove,
  sentences: Sentences = english,
): string {
  const { operation, time, duration } = wordsOf(instance, sentences);
  const { moves } = sentences;
  const shift = start[op] - was;
  const other =
    was < 0 || fromMode === undefined ? null : modeChange(instance, op, fromMode, sentences);
  if (other !== null) {
    return moves.reassigned(operation(op), other.from, other.to, time(start[op], now), why);
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
  const fromMode = chosenMode(applied.instance, edit.operation);
  return explainMove(schedule, edit.operation, { was, now: applied.now, why, fromMode });
}

/**
 * The difference of a planned mode from the chosen one, in words: `Lathe 1` and `Lathe 2`, `Lathe 1 (Ana)` and `Lathe 2
 * (Ben)`, or, on the same machine, `Ana` and `Ben`.
 *
 * @returns null if they are on the same machine and need the same
 */
function modeChange(
  instance: Schedule['instance'],
  op: number,
  fromMode: number,
  sentences: Sentences,
): Readonly<Record<'from' | 'to', string>> | null {
  const { machine } = wordsOf(instance, sentences);
  const toMode = chosenMode(instance, op);
  const needs = changedNeeds(instance, fromMode, toMode, sentences);
  const isSame = modeMachine(instance, fromMode) === modeMachine(instance, toMode);
  const isHandedOver = needs.from.length > 0 && needs.to.length > 0;
  if (isSame && !isHandedOver) return null;
  const side = (mode: number, names: readonly string[]) => {
    if (isSame) return names.join(' + ');
    const name = machine(modeMachine(instance, mode));
    return names.length === 0 ? name : `${name} (${names.join(' + ')})`;
  };
  return { from: side(fromMode, needs.from), to: side(toMode, needs.to) };
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
    reassigned: () => reasonToReassign(applied.instance, instance, operation, sentences),
    place: () => causes.place(machine),
    earlier: () => causes.earlier,
    limit: () => causes.limit,
    later: () => causes.later,
  };
  const reason = reasons[cause]();
  return root === '' ? reason : `${reason}; ${root}`;
}

/** Why the chosen mode can do an operation: its machine, or on the same machine its operators and tools. */
function reasonToReassign(
  before: Schedule['instance'],
  instance: Schedule['instance'],
  op: number,
  sentences: Sentences,
): string {
  const { causes } = sentences;
  const [fromMode, toMode] = [chosenMode(before, op), chosenMode(instance, op)];
  const name = wordsOf(instance, sentences).machine(instance.machine[op]);
  if (modeMachine(instance, fromMode) !== instance.machine[op]) return causes.reassigned(name);
  const { to } = changedNeeds(instance, fromMode, toMode, sentences);
  return to.length === 0 ? causes.otherMode(name) : causes.handedOver(to.join(' + '));
}

/** The effect of an event, as a reason: `Lathe 2 is down until 14:10`. */
export function reasonOfEvent(
  event: EffectiveEvent,
  { now, instance }: AppliedEvents,
  sentences: Sentences = english,
): string {
  return kindOf(event).reason(event, wordsOf(instance, sentences), now, instance);
}
