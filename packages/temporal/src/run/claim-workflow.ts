import type { GivenClaim, Json, WantedClaim } from '@alas-jssp/workflow/interpreter';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';

/** The request of a run for a key, and how long it waits for the present owner, in seconds. */
export interface ClaimRequest extends Omit<WantedClaim, 'until' | 'onStop'> {
  readonly key: string;
  readonly runId: string;
  /** The id of this request: several workers may send it, one after the other. */
  readonly wish: string;
  readonly seconds: number;
}

/** The run of the claim, the withdrawn request, and the output of the effect. */
export interface ClaimEnd {
  readonly runId: string;
  readonly wish?: string | undefined;
  readonly output?: Json | undefined;
}

/** Requests a key: takes it if it is free, or waits for that; returns the present claim. */
export const takeClaim = defineUpdate<GivenClaim, [ClaimRequest]>('take');

/** Releases a key. */
export const dropClaim = defineSignal<[ClaimEnd]>('drop');

/** Commits a claim with its output: all steps with the same input share it. */
export const commitClaim = defineSignal<[ClaimEnd]>('commit');

/**
 * A key of scope `resource` and its owner among all runs of a namespace. It ends when the key is
 * free.
 */
export async function alasClaim(holder?: GivenClaim): Promise<void> {
  let claim = holder;
  /** Withdrawn requests, which may still be in flight. */
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
