import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { systemClock } from '@alas-jssp/core/clock';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { once } from '@alas-jssp/core/once';
import { packageVersion } from '@alas-jssp/core/package-version';
import { schemaViolations, violationText } from '../interpreter/checks.js';
import { withDefaults } from '../interpreter/defaults.js';
import { decodeLogged, encodeLive } from '../interpreter/encoded-value.js';
import type { Payloads } from '../interpreter/entries.js';
import { applyEntry } from '../interpreter/fold.js';
import { requireApproval } from '../interpreter/known-names.js';
import { planWorkflow } from '../interpreter/plan.js';
import { codeOf } from '../interpreter/policies.js';
import { checkRegistry } from '../interpreter/registry.js';
import { emptyState, type RunState } from '../interpreter/state.js';
import type { Workflow } from '../ir/workflow.js';
import type { Json, NewEntry } from '../log/entry.js';
import { isRedacted } from '../log/secrets.js';
import type { LogStore } from '../log/store.js';
import type { Lease } from '../log/tables.js';
import { requireUnchanged } from '../log/verify.js';
import { checksFor, loadChecker } from './checks.js';
import { approve } from './messages.js';
import { execute, type OwnedRun, releaseQuietly } from './owned-run.js';
import { isOwnerGone, newOwner } from './owner.js';
import { type RunResult, resultOf } from './result.js';
import {
  fillWorkflow,
  type NewRunOptions,
  type RunOptions,
  requireRunOptions,
  requireWorld,
} from './run-options.js';
import { stateOfRun } from './run-state.js';

/** How often a run of another owner is polled, in milliseconds. */
const LOOK = 200;

/** A run in progress in this process. */
interface LiveRun {
  readonly result: Promise<RunResult>;
}

/** The runs of this process, by store and id: a second caller joins. */
const live = new WeakMap<LogStore, Map<string, LiveRun>>();

/**
 * Runs a workflow from its start. If the log has a run of that id, that run is resumed, or its
 * result returned: starting a run is idempotent. The workflow is frozen, since its prepared plan is
 * cached.
 *
 * @throws AlasError `run_exists` if the run of that id has another workflow or another input;
 *   `run_owned` if it has another owner and `whenOwned` is `refuse`; `bad_input` for an input that
 *   does not match `io`; `bad_workflow` and `bad_registry` for workflows that cannot run; errors of
 *   the store, or `InjectedCrash`: the run was interrupted and can be resumed
 */
export async function runWorkflow(
  given: Workflow,
  input: unknown,
  options: NewRunOptions,
): Promise<RunResult> {
  const { store, registry, runId, seed = 0, attach = true } = options ?? {};
  requireWorld(store, registry);
  requireRunOptions(options);
  const workflow = fillWorkflow(given);
  for (const [name, by] of Object.entries(options.approvals ?? {})) {
    requireApproval(workflow, name, by);
  }
  checkRegistry(planWorkflow(workflow), registry);
  if (!options.unchecked) (await loadChecker()).requireSoundWorkflow(workflow, registry);
  const check = await checksFor(workflow, store);
  const data = encodeLive(input, registry.input);
  const violations = schemaViolations({ check }, workflow, 'input', data);
  if (violations.length > 0) {
    const problem = `${workflow.name} cannot begin: ${violationText('input', violations)}`;
    throw new InputError('bad_input', problem, 'give an input that fits', {}, data.json());
  }
  const filled = withDefaults(workflow, workflow.io.input, data);
  const json = filled.json();
  const datum = filled === data ? data : decodeLogged(json, registry.input);
  const begin = (id: string) => {
    const start = { workflow, input: json, seed, software: software() };
    return startRun(id, start, options, { check, input: datum });
  };
  if (runId === undefined) {
    for (let number = store.runs().length + 1; ; number++) {
      const result = begin(`${workflow.name}-${number}`);
      if (result !== undefined) return result;
    }
  }
  const result = begin(runId);
  if (result !== undefined) return result;
  if (!attach) throw runExists(runId, 'there is a run of that id');
  requireSame(stateOfRun(store, runId), workflow, json);
  return resumeRun(store, runId, options);
}

/**
 * Resumes an interrupted or waiting run from its log. A run that has ended returns its result.
 * Verifies the hash chain of the run first. Joins a run in progress in this process, and waits for
 * a run of another owner, or takes it over when that owner is gone.
 *
 * @throws AlasError `no_run`, `run_owned`; InputError `changed_log`; `redacted_value` if it needs a
 *   secret that its log does not hold; and as {@link runWorkflow}
 */
export async function resumeRun(
  store: LogStore,
  runId: string,
  options: RunOptions,
): Promise<RunResult> {
  requireWorld(store, options?.registry);
  requireRunOptions(options);
  const joined = live.get(store)?.get(runId);
  if (joined !== undefined) {
    sendApprovals(store, runId, options);
    return joined.result;
  }
  return keepLive(store, runId, continueRun(store, runId, options));
}

/** Starts a run, unless one of that id exists. */
function startRun(
  runId: string,
  start: Payloads['StartRun'],
  options: NewRunOptions,
  prepared: Pick<OwnedRun, 'check' | 'input'>,
): Promise<RunResult> | undefined {
  const { store, clock = systemClock } = options;
  const ts = isoTime(clock.now());
  const owner = options.owner ?? newOwner();
  const first = (token: number): NewEntry[] => {
    const payload = { ...start, owner, token } as unknown as Json;
    return [{ runId, ts, nodeId: '', eventType: 'StartRun', payload, correlationId: runId }];
  };
  const answer = store.acquire({ ...requestOf(runId, owner, options), first });
  if (answer.status !== 'owned') return undefined;
  const { lease, entries } = answer;
  const state = emptyState(runId);
  for (const entry of entries) applyEntry(state, entry);
  const owned = { store, state, lease, before: undefined, begun: entries, ...prepared };
  const run = execute(owned, options).catch((error) => {
    if (!isLost(error, owned, options)) throw error;
    return continueRun(store, runId, options);
  });
  return keepLive(store, runId, run);
}

function requestOf(runId: string, owner: string, options: RunOptions) {
  const { clock = systemClock, leaseSeconds = 30, isGone = isOwnerGone } = options;
  const now = clock.now();
  return { runId, owner, now, until: now + leaseSeconds * 1000, isGone };
}

function keepLive(store: LogStore, runId: string, result: Promise<RunResult>): Promise<RunResult> {
  const runs = live.get(store) ?? new Map<string, LiveRun>();
  live.set(store, runs);
  const one = { result };
  runs.set(runId, one);
  const leave = () => {
    if (runs.get(runId) === one) runs.delete(runId);
  };
  result.then(leave, leave);
  return result;
}

/** Sends approvals to a run with an owner: it may wait for them. */
function sendApprovals(
  store: LogStore,
  runId: string,
  { approvals = {}, clock = systemClock }: RunOptions,
): void {
  for (const [name, by] of Object.entries(approvals)) {
    const state = stateOfRun(store, runId);
    if (state.end !== undefined || state.approvals.has(name)) continue;
    approve(store, runId, name, by, clock);
  }
}

/** Whether a run has another owner now, for whom the caller waits. */
function isLost(
  error: unknown,
  { store, lease: { runId, token } }: Pick<OwnedRun, 'store' | 'lease'>,
  { whenOwned }: RunOptions,
): boolean {
  if (codeOf(error) !== 'not_owner' || whenOwned === 'refuse') return false;
  return store.leaseOf(runId)?.token !== token;
}

/** Continues a run as soon as it can be owned, or returns its result when it has ended. */
async function continueRun(
  store: LogStore,
  runId: string,
  options: RunOptions,
): Promise<RunResult> {
  const { clock = systemClock, whenOwned = 'wait', signal } = options;
  requireUnchanged(store, runId);
  let sent = false;
  for (;;) {
    const held = heldLease(store, runId, options);
    const ended = held === undefined ? endedResult(store, runId, options) : undefined;
    if (ended !== undefined) return ended;
    const answer =
      held === undefined
        ? store.acquire(requestOf(runId, options.owner ?? newOwner(), options))
        : ({ status: 'held', lease: held } as const);
    if (answer.status === 'held') {
      if (whenOwned === 'refuse') throw runOwned(answer.lease);
      if (!sent) sendApprovals(store, runId, options);
      sent = true;
      await clock.sleep(LOOK, signal);
      continue;
    }
    if (answer.status !== 'owned')
      throw new AlasError('no_run', `the log has no run ${runId}`, runId);
    const { lease, before } = answer;
    let begun = false;
    try {
      const state = stateOfRun(store, runId);
      const plan = planWorkflow(state.workflow);
      for (const [name, by] of Object.entries(options.approvals ?? {}))
        requireApproval(state.workflow, name, by);
      checkRegistry(plan, options.registry);
      const check = await checksFor(state.workflow, store);
      begun = true;
      return await execute({ store, state, lease, before, check }, options);
    } catch (error) {
      if (isLost(error, { store, lease }, options)) continue;
      if (!begun) releaseQuietly(store, runId, lease.token, { ...lease, wakeAt: clock.now() });
      throw error;
    }
  }
}

/** The lease of a run with an owner; waiting callers ask for nothing else. */
export function heldLease(
  store: LogStore,
  runId: string,
  { clock = systemClock, isGone = isOwnerGone }: RunOptions,
): Lease | undefined {
  const lease = store.leaseOf(runId);
  if (lease === undefined || lease.owner === null || lease.until <= clock.now()) return undefined;
  return isGone(lease.owner) ? undefined : lease;
}

/** The result of an ended run that no message opens again. */
function endedResult(
  store: LogStore,
  runId: string,
  { registry }: RunOptions,
): RunResult | undefined {
  const state = stateOfRun(store, runId);
  if (state.end === undefined) return undefined;
  const taken = Math.max(state.inbox, store.leaseOf(runId)?.taken ?? 0);
  if (store.messages(runId, taken).length > 0) return undefined;
  return resultOf(state, registry);
}

function requireSame(state: RunState, workflow: Workflow, input: Json): void {
  const { runId } = state;
  const isOther = (a: unknown, b: unknown) => canonicalJson(a) !== canonicalJson(b);
  const part =
    (isOther(state.workflow, workflow) && 'workflow') ||
    // The log does not hold secrets to compare.
    (!isRedacted(state.input) && isOther(state.input, input) && 'input');
  if (part) throw runExists(runId, `it has another ${part}`);
}

/** A run with another owner. */
export function runOwned(lease: Lease): AlasError {
  const message = `run ${lease.runId} is owned by ${lease.owner} until ${isoTime(lease.until)}`;
  return new AlasError('run_owned', message, lease);
}

function runExists(runId: string, why: string): AlasError {
  return new AlasError('run_exists', `the log has a run ${runId} (${why}); give another id`, runId);
}

/** The name and version of the software that writes the logs of this process. */
const software = once(() => `alas-jssp ${packageVersion()}`);
