import { sha256 } from '@alas-jssp/core/sha256';
import { decodeLogged } from '../interpreter/encoded-value.js';
import type {
  Doubt,
  EffectSummary,
  Failure,
  Remaining,
  RunStatus,
} from '../interpreter/entries.js';
import { effectsOf } from '../interpreter/interpret.js';
import { planWorkflow } from '../interpreter/plan.js';
import { bodyOutput, outputOf, type Sources } from '../interpreter/references.js';
import type { Registry } from '../interpreter/registry.js';
import { newScope, type Scope } from '../interpreter/run.js';
import { type PendingWait, type RunState, waitsOf } from '../interpreter/state.js';
import { decodeWith } from './call-registered.js';

/** The end of a run, or its state while it waits. */
export interface RunResult {
  readonly runId: string;
  readonly status: RunStatus;
  /** Null unless the status is COMPLETED. */
  readonly output: unknown;
  /** The failure that ended it; undefined for runs that completed or wait. */
  readonly error?: Failure | undefined;
  /** Effects of a run that completed. */
  readonly committed: readonly EffectSummary[];
  /** Effects that were undone. */
  readonly undone: readonly EffectSummary[];
  /** Effects that still exist after a run that did not complete. */
  readonly remaining: readonly Remaining[];
  /** Effects that may exist or not; `settleEffect` settles a doubt. */
  readonly inDoubt: readonly Doubt[];
  /** The approvals and messages for which it waits: none once it has ended. */
  readonly waitsFor: readonly PendingWait[];
  /** Entries in its log. */
  readonly versions: number;
  /** The output of a node of the workflow itself; undefined if the node did not end. */
  outputOf(nodeId: string): unknown;
}

/**
 * The result of a run that has ended or waits.
 *
 * @param run as it was interpreted here; without it values are decoded from the log
 */
export function resultOf(
  state: RunState,
  registry: Registry,
  run: Sources & { readonly root: Scope } = fromLog(state, registry),
): RunResult {
  const { runId, versions } = state;
  const end = state.end ?? { status: 'WAITING' as const };
  const { status, error, remaining = [], inDoubt = [] } = end;
  const output = status === 'COMPLETED' ? bodyOutput(run, run.root).value() : null;
  const { committed, undone } = effectsOf(state);
  return {
    runId,
    status,
    output,
    error,
    committed,
    undone,
    remaining,
    inDoubt,
    waitsFor: waitsOf(state),
    versions,
    outputOf: (nodeId) => outputOf(run, run.root, nodeId)?.value(),
  };
}

function fromLog(state: RunState, registry: Registry): Sources & { readonly root: Scope } {
  const plan = planWorkflow(state.workflow);
  const host = { digest: sha256, decode: decodeWith.bind(undefined, registry) };
  const root = newScope('', plan.root, decodeLogged(state.input, registry.input));
  return { plan, state, host, root, outputs: new Map() };
}
