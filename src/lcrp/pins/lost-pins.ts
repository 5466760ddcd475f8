import { english, type Sentences } from '../../jssp/sentences/english.js';
import { wordsOf } from '../../jssp/words.js';
import type { RepairLimits } from '../policy/policy.js';
import type { LostPin, MethodResult, RepairTask } from '../task.js';
import { heldOperations, holdsStarts } from './held-operations.js';

/** The pins that a result does not keep: as reported by its method, or all that moved if it ignores pins. */
export function lostPinsOf(
  task: RepairTask,
  limits: RepairLimits,
  { schedule, lostPins }: Pick<MethodResult, 'schedule' | 'lostPins'>,
): readonly LostPin[] {
  if (lostPins !== undefined || !holdsStarts(limits)) return lostPins ?? [];
  return [...heldOperations(task, limits)]
    .filter((op) => schedule.start[op] !== task.planned[op])
    .sort((a, b) => a - b)
    .map((operation) => ({ operation, reason: 'method', earliest: null, with: [] }));
}

/** The result of a method, with the pins that it had to drop. */
export function withLostPins(
  made: MethodResult | Promise<MethodResult>,
  lostPins: readonly LostPin[],
): MethodResult | Promise<MethodResult> {
  if (made instanceof Promise) return made.then((one) => ({ ...one, lostPins }));
  return { ...made, lostPins };
}

/**
 * Why a pin is lost, in the words of the shop: `the start of WO-4711, turning at 10:00 is not kept: it cannot start
 * before 10:20`.
 */
export function describeLostPin(
  { operation, reason, earliest, with: others }: LostPin,
  { instance, planned }: Pick<RepairTask, 'instance' | 'planned'>,
  method: string,
  sentences: Sentences = english,
): string {
  const { operation: nameOf, time } = wordsOf(instance, sentences);
  const { pins } = sentences;
  const pin = (op: number) => pins.pin(nameOf(op), time(planned[op]));
  const reasons = {
    earliest: () => pins.earliest(time(earliest ?? 0)),
    conflict: () => pins.conflict(others.map(pin).join(', ')),
    queue: () => pins.queue,
    'not-found': () => pins['not-found'],
    method: () => pins.method(method),
  };
  return pins.lost(pin(operation), reasons[reason]());
}
