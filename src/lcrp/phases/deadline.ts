import { monotonicSeconds } from '@alas-jssp/core/clock';
import type { RepairPolicy } from '../policy/policy.js';
import type { Deadline, RepairContext } from '../task.js';

/** The budget in seconds below which the search of the fallback may not end in time. */
const NEAR = 0.5;

/** Time for the end of a repair, as a multiple of the time before its searches. */
const AFTERWARDS = 1.5;

/**
 * The deadline of a repair: `budget.seconds` of the policy after it began. The work after the searches, to realign and
 * to judge, takes a little longer than the work before them, so that much time is reserved.
 *
 * Call it after status and compensation, and pass the result in the context, so that later phases share it.
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
