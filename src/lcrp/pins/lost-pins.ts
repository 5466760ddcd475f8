import { wordsOf } from '../../jssp/words.js';
import type { RepairLimits } from '../policy/policy.js';
import type { LostPin, MethodResult, RepairTask } from '../task.js';
import { heldOperations, holdsStarts } from './held-operations.js';

/** The pins that a result does not keep: as its method says, or all that moved if it does not heed pins. */
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

/** The result of a method, with the pins that it had to give up. */
export function withLostPins(
  made: MethodResult | Promise<MethodResult>,
  lostPins: readonly LostPin[],
): MethodResult | Promise<MethodResult> {
  if (made instanceof Promise) return made.then((one) => ({ ...one, lostPins }));
  return { ...made, lostPins };
}

/** Why a pin is lost, by the words of the shop: `the start of WO-4711, turning at 10:00 is not kept: it cannot start before 10:20`. */
export function describeLostPin(
  { operation, reason, earliest, with: others }: LostPin,
  { instance, planned }: RepairTask,
  method: string,
): string {
  const words = wordsOf(instance);
  const pin = (op: number) => `${words.operation(op)} at ${words.time(planned[op])}`;
  const lost = `the start of ${pin(operation)} is not kept`;
  switch (reason) {
    case 'earliest':
      return `${lost}: it cannot start before ${words.time(earliest ?? 0)}`;
    case 'conflict':
      return `${lost}: no schedule keeps it together with ${others.map(pin).join(', ')}`;
    case 'queue':
      return `${lost}: no schedule keeps it and the queues of the untouchable machines`;
    case 'not-found':
      return `${lost}: no schedule was found that keeps it, and whether there is one is not known`;
    case 'method':
      return `${lost}: the method ${method} does not heed pins`;
  }
}
