import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError, InputError } from '../../core/errors.js';
import { once } from '../../core/once.js';
import { packageVersion } from '../../core/package-version.js';
import { requireSoundWorkflow } from '../ir/check/sound.js';
import type { Workflow } from '../ir/workflow.js';
import { isWithin } from '../log/slice.js';
import type { LogStore } from '../log/store.js';
import { hasRun } from '../log/store.js';
import { requireUnchanged } from '../log/verify.js';
import { checkRegistry } from './check-registry.js';
import { type Run, write } from './context.js';
import { liveDatum, loggedDatum } from './datum.js';
import { drive } from './drive.js';
import { checksFor, misfits, sayMisfits } from './fit.js';
import { createFaults, type FaultsSpec } from './inject.js';
import { planWorkflow } from './plan.js';
import type { Registry } from './registry.js';
import { readState } from './restore-point.js';
import type { RunResult } from './result.js';
import { newScope } from './scope.js';
import { emptyState, type RunState } from './state.js';

/** With what a run is run, again and again if need be. */
export interface RunOptions {
  readonly registry: Registry;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Cancels the run: what it did is undone, and that is waited for. */
  readonly signal?: AbortSignal | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Faults to inject. */
  readonly inject?: FaultsSpec | undefined;
  /**
   * Entries after which the state is written as a restore point, so that resuming folds no more than
   * these. Each holds all of the state: choose thousands for long runs. Default: none are written.
   */
  readonly snapshotEvery?: number | undefined;
  /** Approvals that are given beforehand: by whom, by name. */
  readonly approvals?: Readonly<Record<string, string>> | undefined;
}

/** Options of a new run. */
export interface NewRunOptions extends RunOptions {
  readonly store: LogStore;
  /** Runs a workflow although the checker finds errors in it. */
  readonly unchecked?: boolean | undefined;
  /** Default: the name of the workflow and a number. */
  readonly runId?: string | undefined;
  /** The seed from which all randomness of the run derives. Default 0. */
  readonly seed?: number | undefined;
}

/**
 * Runs a workflow from its start. The workflow is frozen, since what is prepared for its runs is kept.
 *
 * @throws InputError `unsound_workflow` if the checker finds errors; AlasError `run_exists`; `bad_input` for one that does not fit `io`; `bad_workflow` and
 *   `bad_registry` for what cannot be run; what the store throws, or `InjectedCrash`: the run then
 *   broke off and can be resumed
 */
export async function runWorkflow(
  workflow: Workflow,
  input: unknown,
  options: NewRunOptions,
): Promise<RunResult> {
  const { store, seed = 0 } = options;
  const runId = options.runId ?? `${workflow.name}-${store.runs().length + 1}`;
  const run = await prepare(workflow, emptyState(runId), input, store, options);
  if (!options.unchecked) requireSoundWorkflow(workflow, options.registry);
  // Not sooner: while this one was prepared, another may have begun.
  if (hasRun(store, runId)) {
    throw new AlasError('run_exists', `the log has a run ${runId}; resume it`, runId);
  }
  requireInput(run);
  const json = run.root.input.json();
  write(run, '', 'StartRun', { workflow, input: json, seed, software: software() });
  return drive(run, options);
}

/**
 * Goes on with a run that broke off or that waits, from where its log says it is. Of a run that has
 * ended it tells how. The hash chain of the run is verified first.
 *
 * @throws AlasError `no_run`; InputError `changed_log`; and as {@link runWorkflow}
 */
export async function resumeRun(
  store: LogStore,
  runId: string,
  options: RunOptions,
): Promise<RunResult> {
  const run = await reopen(store, runId, options);
  if (run.state.end === undefined) write(run, '', 'Resume', {});
  return drive(run, options);
}

/**
 * Undoes what a run did and what is still there, because a person says so: of a run that waits or
 * broke off, or that could not be undone before.
 *
 * @param by who says so
 * @param options with `nodeId` only what that node did (and what runs inside it) is undone, after
 *   what builds on it; all else stays, and is listed as `declared`
 * @throws AlasError `committed` for a run that completed, `no_effect` for a node that did nothing,
 *   and as {@link resumeRun}
 */
export async function compensateRun(
  store: LogStore,
  runId: string,
  by: string,
  options: RunOptions & { readonly nodeId?: string | undefined },
): Promise<RunResult> {
  const { nodeId = '' } = options;
  const run = await reopen(store, runId, options);
  if (run.state.end?.status === 'COMPLETED') {
    throw new AlasError('committed', `the run ${runId} has completed: nothing is held`, runId);
  }
  if (nodeId !== '' && ![...run.state.effects.keys()].some((path) => isWithin(path, nodeId))) {
    throw new AlasError('no_effect', `${nodeId} has registered no effect in ${runId}`, nodeId);
  }
  write(run, nodeId, 'Trigger', { kind: 'manual', by });
  return drive(run, options);
}

/**
 * The state of a run, folded from its log, after its last entry or that of a version.
 *
 * @throws AlasError `no_run`, `damaged_log` if its entries do not follow from each other
 */
export function stateOfRun(store: LogStore, runId: string, version?: number): RunState {
  const state = readState(store, runId, version);
  if (state.versions === 0) throw new AlasError('no_run', `the log has no run ${runId}`, runId);
  if (state.workflow !== undefined) return state;
  throw new AlasError('damaged_log', `the run ${runId} does not begin with a workflow`, runId);
}

/** The name and version of the software that writes the logs of this process. */
const software = once(() => `alas-jssp ${packageVersion()}`);

function requireInput({ checks, plan: { workflow }, root }: Run): void {
  const errors = misfits(checks, workflow, 'input', root.input);
  if (errors.length === 0) return;
  const problem = `${workflow.name} cannot begin: ${sayMisfits('input', errors)}`;
  throw new InputError('bad_input', problem, 'give an input that fits', {}, root.input.json());
}

function reopen(store: LogStore, runId: string, options: RunOptions): Promise<Run> {
  requireUnchanged(store, runId);
  const state = stateOfRun(store, runId);
  const input = loggedDatum(state.input, options.registry.input).value();
  return prepare(state.workflow, state, input, store, options);
}

async function prepare(
  workflow: Workflow,
  state: RunState,
  input: unknown,
  store: LogStore,
  { registry, clock = systemClock, maxConcurrency = 16, inject, snapshotEvery }: RunOptions,
): Promise<Run> {
  const plan = planWorkflow(workflow);
  checkRegistry(workflow, plan, registry);
  return {
    runId: state.runId,
    plan,
    state,
    registry,
    store,
    clock,
    checks: await checksFor(workflow, store),
    faults: inject === undefined ? undefined : createFaults(inject, registry),
    outputs: new Map(),
    pending: new Map(),
    holding: new Map(),
    late: new Set(),
    slots: { free: maxConcurrency, waiting: [] },
    snapshotEvery,
    ended: undefined,
    crash: undefined,
    root: newScope('', plan.root, liveDatum(input, registry.input)),
  };
}
