import type { Maybe, Outcome, Run, RunBody } from './context.js';
import { stopFailure } from './failures.js';
import type { Failure } from './payloads.js';
import { enterScope, type Scope, stopScope } from './scope.js';
import type { RunState } from './state.js';

/** How bodies are run together. */
export interface Together {
  readonly count: number;
  /** Bodies at the same time. */
  readonly limit: number;
  /** The scope of the body, or why it must not begin. */
  scopeOf(index: number): Scope | Failure;
  /** Whether the others need not go on when one has failed so. */
  stops(failure: Failure): boolean;
}

/**
 * Runs several bodies within a scope. If one fails, the others are stopped if `stops` says so: when
 * nothing catches the failure, they will be undone anyway.
 *
 * @returns their outcomes in order; undefined for those that were not begun
 */
export async function runTogether(
  run: Run,
  parent: Scope,
  { count, limit, scopeOf, stops }: Together,
  runBody: RunBody,
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = Array.from({ length: count });
  const inside = new Set<Scope>();
  let next = 0;
  let halted = false;
  const runOne = async (index: number): Promise<void> => {
    const scope = scopeOf(index);
    if (!('plan' in scope)) {
      outcomes[index] = { status: 'failed', failure: scope };
    } else {
      enterScope(parent, scope);
      inside.add(scope);
      try {
        outcomes[index] = await runBody(run, scope);
      } finally {
        inside.delete(scope);
        parent.children.delete(scope);
      }
    }
    const outcome = outcomes[index];
    if (outcome?.status !== 'failed' || !stops(outcome.failure)) return;
    halted = true;
    const reason = stopFailure('Cancelled', `${outcome.failure.nodeId} failed`);
    for (const other of inside) stopScope(other, reason);
  };
  const worker = async (): Promise<void> => {
    while (next < count && !halted && parent.stopped === undefined) await runOne(next++);
  };
  await allSettled(Array.from({ length: Math.min(limit, count) }, worker));
  return outcomes;
}

/** Waits for all, also if some are rejected, and then is rejected as the first of them. */
async function allSettled(work: readonly Maybe<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/**
 * The failure that stands for all of those of bodies that ran together: of those that stopped the
 * others the first in the log; if all went on to their ends, that of the first body, so that it does
 * not depend on who was faster.
 */
export function decisiveFailure(
  { nodes }: RunState,
  outcomes: readonly (Outcome | undefined)[],
  stops: Together['stops'],
): Failure | undefined {
  const failures = outcomes.flatMap((outcome) =>
    outcome?.status === 'failed' ? [outcome.failure] : [],
  );
  const place = ({ nodeId }: Failure) => nodes.get(nodeId)?.ended ?? Number.POSITIVE_INFINITY;
  const stopping = failures.filter(stops).sort((a, b) => place(a) - place(b));
  return stopping[0] ?? failures[0];
}
