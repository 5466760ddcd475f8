import { monotonicSeconds } from '../../core/clock.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { Deadline, RepairContext } from '../task.js';

/** Seconds of a budget with which the search of the fallback can come to its end in time. */
const NEAR = 0.5;

/** Time for the end of a repair, as a multiple of what was taken before its searches. */
const AFTERWARDS = 1.5;

/**
 * The deadline of a repair: `budget.seconds` of the policy after it began. What is left of the repair
 * when its searches end, to realign and to judge, takes a little longer than what is done before they
 * begin, so that much is kept for it.
 *
 * Call it when status and compensation are done, and hand it on in the context: phases that come
 * later then share it.
 */
export function deadlineOf({ budget }: RepairPolicy, context: RepairContext): Deadline {
  if (context.deadline !== undefined) return context.deadline;
  const { signal } = context;
  if (budget.seconds === null) {
    return {
      isNear: false,
      secondsLeft: () => Number.POSITIVE_INFINITY,
      isOver: () => signal?.aborted === true,
    };
  }
  const now = monotonicSeconds();
  const began = context.began ?? now;
  const stop = began + budget.seconds - AFTERWARDS * (now - began);
  const secondsLeft = () => stop - monotonicSeconds();
  const isNear = budget.seconds < NEAR;
  return { isNear, secondsLeft, isOver: () => signal?.aborted === true || secondsLeft() <= 0 };
}
