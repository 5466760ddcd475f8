import { runBody } from './body.js';
import { brokenInvariant, checkOutput } from './checks.js';
import { armDeadline, checkDeadlines, undoAll } from './effects.js';
import { decodeLogged, type EncodedValue } from './encoded-value.js';
import { doneEnd, isLateSuccess, LATE, undoneEnd, withDoubts } from './ends.js';
import type { EffectSummary, Failure, Payloads, RunStatus } from './entries.js';
import { revertAfter } from './failure.js';
import type { Faults, Host } from './host.js';
import { breakOff, receiveMessages } from './inbox.js';
import { planWorkflow } from './plan.js';
import { stopFailure } from './policies.js';
import { newScope, type Outcome, type Run, stopScope, write } from './run.js';
import { reachOf, summaryOf } from './saga.js';
import type { RunState, Stop } from './state.js';
import { notifyDrained } from './waiting.js';

/** Settings of an interpretation. */
export interface InterpretOptions {
  /** The input of the run for its handlers. Default: the logged input. */
  readonly input?: EncodedValue | undefined;
  readonly faults?: Faults | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Entries from one restore point to the next. Default: none are written. */
  readonly snapshotEvery?: number | undefined;
  /** Whether to stay when only messages can make progress. Default false. */
  readonly stay?: boolean | undefined;
  /**
   * Whether finished loop iterations are dropped from the state as the run proceeds. Default false.
   */
  readonly forgetful?: boolean | undefined;
}

/** Opens a run that has begun, to continue it from its logged state. */
export function openRun(host: Host, state: RunState, options: InterpretOptions = {}): Run {
  const plan = planWorkflow(state.workflow);
  const {
    input = decodeLogged(state.input),
    faults,
    snapshotEvery,
    stay = false,
    forgetful = false,
  } = options;
  return {
    host,
    plan,
    state,
    faults,
    snapshotEvery,
    stay,
    forgetful,
    outputs: new Map(),
    inputs: new Map(),
    busyKeys: new Map(),
    holding: new Map(),
    slots: { free: options.maxConcurrency ?? 16, waiting: [] },
    waiters: new Set(),
    listeners: new Set(),
    deadlines: [],
    nextDeadline: Number.POSITIVE_INFINITY,
    active: 0,
    seen: state.inbox,
    root: newScope('', plan.root, input),
    broken: undefined,
    over: false,
    drained: undefined,
  };
}

/**
 * Interprets a run: forward until it is done, waits or has failed, and then, if it was not
 * committed, back until nothing is left to undo. The result is in its state: an end, or none if it
 * waits.
 *
 * @throws the error of the host that interrupted it
 */
export async function interpret(run: Run): Promise<void> {
  const { state } = run;
  try {
    if (state.end !== undefined) return;
    for (const path of state.effects.keys()) armDeadline(run, path);
    while (state.end === undefined) {
      checkDeadlines(run);
      if (run.broken !== undefined) throw run.broken.error;
      if (state.stop === undefined && (await goForward(run)) === 'waiting') return;
      if (state.stop !== undefined) await goBack(run, state.stop);
    }
  } catch (error) {
    // The error that interrupted the run explains more than its consequences.
    throw run.broken === undefined ? error : run.broken.error;
  } finally {
    run.over = true;
    for (const callOff of run.deadlines) callOff();
    stopScope(run.root, stopFailure('Cancelled', 'the run is over'));
  }
}

/** Runs an unfinished body to its end, and commits it if its invariants hold. */
async function goForward(run: Run): Promise<'waiting' | 'on'> {
  const { state } = run;
  // Values committed before an interruption may not have been checked.
  const broken = await brokenInvariant(run);
  const outcome: Outcome =
    broken === undefined ? await runBody(run, run.root) : { status: 'failed', failure: broken };
  const { seen } = run;
  // Senders may rely on it that the owner processes a message.
  receiveMessages(run);
  if (run.broken !== undefined) throw run.broken.error;
  // It may have been cancelled meanwhile.
  if (state.stop !== undefined) return 'on';
  if (outcome.status === 'waiting') {
    if (run.seen > seen) return 'on';
    // Messages sent from here on are for the next owner.
    run.over = true;
    return 'waiting';
  }
  const error = outcome.status === 'done' ? await complete(run) : failureOfOutcome(outcome);
  if (error !== undefined && state.stop === undefined) {
    write(run, '', 'Trigger', { kind: 'failure', error });
  }
  return 'on';
}

function failureOfOutcome(outcome: Outcome): Failure {
  if (outcome.status === 'failed') return outcome.failure;
  return stopFailure('Cancelled', 'the run was stopped');
}

/** Ends a run whose body is done; returns the failure that keeps it from completing. */
async function complete(run: Run): Promise<Failure | undefined> {
  const { state } = run;
  const checked = checkOutput(run);
  if ('failure' in checked) return checked.failure;
  const { output } = checked;
  const failure = await brokenInvariant(run, undefined, output);
  if (failure !== undefined) return failure;
  // Effects of failed steps whose failure was caught may appear after they were undone.
  await undoAll(run, 'manual', LATE, (path) => isLateSuccess(state, path));
  if (state.stop !== undefined) return undefined;
  await end(run, doneEnd(run, output.json()));
  return undefined;
}

/**
 * Undoes a run as far as its stop requires; then it ends, or continues from the node to which it
 * returns.
 */
async function goBack(run: Run, stop: Stop): Promise<void> {
  const { kind, error, within, backTo, by } = stop;
  const { state, root } = run;
  if (backTo !== undefined) {
    const problem = await revertAfter(run, root, backTo, error, by);
    if (problem === undefined) {
      run.root = newScope('', root.plan, root.input);
      return;
    }
  }
  const reached = reachOf(run, within);
  await undoAll(run, kind, error, reached);
  // Meanwhile a person may have asked for more.
  if (state.stop !== stop) return;
  await end(run, undoneEnd(run, stop));
}

/**
 * Logs the end of a run; with effects in doubt the end is provisional. The run does not end yet if
 * an entry arrived during the alert.
 */
async function end(run: Run, end: Payloads['EndRun']): Promise<void> {
  const { state, host } = run;
  const ending = withDoubts(state, end);
  const { versions } = state;
  if (NEEDS_PEOPLE.includes(ending.status)) await host.alert(ending);
  if (run.broken !== undefined) throw run.broken.error;
  if (state.versions !== versions) return;
  write(run, '', 'EndRun', ending, claimsAtEnd(state, ending.status));
}

const NEEDS_PEOPLE: readonly RunStatus[] = ['COMPENSATION_FAILED', 'IN_DOUBT'];

/** Claims are committed with the run, or dropped where no effect is left. */
function claimsAtEnd({ keys, effects }: RunState, status: RunStatus) {
  const isClaim = (key: string) => key.startsWith('resource|');
  const all = [...effects.values()].filter(({ key }) => isClaim(key));
  const standing = all.filter(({ status: now, open }) => {
    return open.length > 0 || (now !== 'undone' && now !== 'absent');
  });
  const claimed = [...keys.keys()].filter(isClaim).concat(all.map(({ key }) => key));
  if (claimed.length === 0) return undefined;
  const dropClaims = claimed.filter((key) => !standing.some((effect) => effect.key === key));
  return status === 'COMPLETED' ? { dropClaims, commitClaims: true } : { dropClaims };
}

/** The effects of a run by outcome. */
export function effectsOf({ effects, end }: RunState): {
  readonly committed: readonly EffectSummary[];
  readonly undone: readonly EffectSummary[];
} {
  const all = [...effects.values()];
  const { output, remaining = [], inDoubt = [] } = end ?? {};
  const others = new Set([...remaining, ...inDoubt].map(({ nodeId }) => nodeId));
  // A run whose body is done has an output, even if an unwanted effect is left.
  const there = output === undefined ? [] : all.filter(({ status }) => status === 'held');
  const committed = there.filter(({ nodeId }) => !others.has(nodeId));
  const undone = all.filter(({ status }) => status === 'undone');
  return { committed: committed.map(summaryOf), undone: undone.map(summaryOf) };
}

/** Stops a run on request: its effects are undone. */
export function cancel(run: Run, payload: Payloads['Cancel']): void {
  const { state, root } = run;
  checkDeadlines(run);
  if (run.over || state.end !== undefined || state.stop !== undefined) return;
  try {
    write(run, '', 'Cancel', payload);
  } catch {
    // This error interrupts the run.
  }
  stopScope(root, stopFailure('Cancelled', payload.reason));
}

/**
 * Drains a run: no attempt begins any more, and when those in flight have ended the run is
 * interrupted with an error, so that another host can resume it from its state. Undoing in progress
 * is finished first.
 */
export function drain(run: Run, error: unknown): void {
  if (run.over || run.drained !== undefined) return;
  run.drained = () => {
    breakOff(run, error);
    for (const go of run.slots.waiting.splice(0)) go();
  };
  notifyDrained(run);
}
