import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { GivenClaim, Json, WantedClaim } from 'alas-jssp/interpreter';

/** The wish of a run for a key, and the seconds for which it waits for who has it. */
export interface ClaimRequest extends Omit<WantedClaim, 'until' | 'onStop'> {
  readonly key: string;
  readonly runId: string;
  /** An id of this wish: it may be uttered by several workers, one after the other. */
  readonly wish: string;
  readonly seconds: number;
}

/** The run whose claim is meant, the wish that it has no more, and the output of its effect. */
export interface ClaimEnd {
  readonly runId: string;
  readonly wish?: string | undefined;
  readonly output?: Json | undefined;
}

/** Takes a key if it is free, or waits for that: gives the claim that there is then. */
export const takeClaim = defineUpdate<GivenClaim, [ClaimRequest]>('take');

/** Gives a key free. */
export const dropClaim = defineSignal<[ClaimEnd]>('drop');

/** Says that the effect is there for good, with its output: it is that of everybody with the same input. */
export const commitClaim = defineSignal<[ClaimEnd]>('commit');

/** A key of scope `resource`: who has claimed it, among all runs of a namespace. It ends when the key is free. */
export async function alasClaim(holder?: GivenClaim): Promise<void> {
  let claim = holder;
  /** Wishes of runs that want the key no more: they may be under way still. */
  const withdrawn = new Set<string>();
  setHandler(takeClaim, async ({ seconds, wish, ...wanted }) => {
    const isWithdrawn = () => withdrawn.has(wish);
    const settles = ({ runId, handler, inputHash, committed }: GivenClaim) =>
      runId === wanted.runId ||
      committed ||
      handler !== wanted.handler ||
      inputHash !== wanted.inputHash;
    const isSettled = () => claim === undefined || settles(claim) || isWithdrawn();
    if (!isSettled() && seconds > 0) await condition(isSettled, seconds * 1000);
    const own = { ...wanted, committed: false };
    if (isWithdrawn()) return claim ?? own;
    claim ??= own;
    return claim;
  });
  setHandler(dropClaim, ({ runId, wish }) => {
    if (wish !== undefined) withdrawn.add(wish);
    if (claim?.runId === runId) claim = undefined;
  });
  setHandler(commitClaim, ({ runId, output = null }) => {
    if (claim?.runId === runId) claim = { ...claim, committed: true, output };
  });
  // The first request is on its way.
  await condition(() => claim !== undefined);
  await condition(() => {
    const isFull = workflowInfo().continueAsNewSuggested;
    return (claim === undefined || isFull) && allHandlersFinished();
  });
  if (claim !== undefined) await continueAsNew<typeof alasClaim>(claim);
}
