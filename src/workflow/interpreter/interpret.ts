import { runBody } from './body.js';
import { brokenInvariant, checkOutput } from './checks.js';
import { type Datum, loggedDatum } from './datum.js';
import { armDeadline, passDeadlines, undoAll } from './effects.js';
import { doneEnd, isRevived, LATE, undoneEnd, withDoubts } from './ends.js';
import type { EffectSummary, Failure, Payloads, RunStatus } from './entries.js';
import { takeBackAfter } from './failure.js';
import type { Faults, Host } from './host.js';
import { breakOff, takeMessages } from './inbox.js';
import { planWorkflow } from './plan.js';
import { stopFailure } from './policies.js';
import { newScope, type Outcome, type Run, stopScope, write } from './run.js';
import { reachOf, summaryOf } from './saga.js';
import type { RunState, Stop } from './state.js';
import { restLater } from './waiting.js';

/** Settings of an interpretation. */
export interface InterpretOptions {
  /** The input of the run as handlers are to be given it. Default: as the log has it. */
  readonly input?: Datum | undefined;
  readonly faults?: Faults | undefined;
  /** Tasks that run at the same time. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Entries from one restore point to the next. Default: none are written. */
  readonly snapshotEvery?: number | undefined;
  /** Whether to stay when nothing but messages can bring the run on. Default false. */
  readonly stay?: boolean | undefined;
  /** Whether turns of loops that are over are forgotten as the run goes on. Default false. */
  readonly forgetful?: boolean | undefined;
}

/** Opens a run that has begun, to go on with it from where its log says it is. */
export function openRun(host: Host, state: RunState, options: InterpretOptions = {}): Run {
  const plan = planWorkflow(state.workflow);
  const {
    input = loggedDatum(state.input),
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
 * committed, back until nothing is left to undo. What came of it stands in its state: an end, or
 * none if it waits.
 *
 * @throws what broke it off: what the host threw
 */
export async function interpret(run: Run): Promise<void> {
  const { state } = run;
  try {
    if (state.end !== undefined) return;
    for (const path of state.effects.keys()) armDeadline(run, path);
    while (state.end === undefined) {
      passDeadlines(run);
      if (run.broken !== undefined) throw run.broken.error;
      if (state.stop === undefined && (await goForward(run)) === 'waiting') return;
      if (state.stop !== undefined) await goBack(run, state.stop);
    }
  } catch (error) {
    // What broke the run off tells more than what followed from it.
    throw run.broken === undefined ? error : run.broken.error;
  } finally {
    run.over = true;
    for (const callOff of run.deadlines) callOff();
    stopScope(run.root, stopFailure('Cancelled', 'the run is over'));
  }
}

/** Runs a body that is not done to its end, and commits it if its invariants hold. */
async function goForward(run: Run): Promise<'waiting' | 'on'> {
  const { state } = run;
  // What was committed before it broke off may not have been looked at.
  const broken = await brokenInvariant(run);
  const outcome: Outcome =
    broken === undefined ? await runBody(run, run.root) : { status: 'failed', failure: broken };
  const { seen } = run;
  // Whoever was told that the owner takes a message up may rely on it.
  takeMessages(run);
  if (run.broken !== undefined) throw run.broken.error;
  // It may have been cancelled meanwhile.
  if (state.stop !== undefined) return 'on';
  if (outcome.status === 'waiting') {
    if (run.seen > seen) return 'on';
    // What is sent from here on is for who goes on with it.
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

/** Ends a run whose body is done; gives the failure that keeps it from completing. */
async function complete(run: Run): Promise<Failure | undefined> {
  const { state } = run;
  const checked = checkOutput(run);
  if ('failure' in checked) return checked.failure;
  const { output } = checked;
  const failure = await brokenInvariant(run, undefined, output);
  if (failure !== undefined) return failure;
  // Effects of steps that failed and were caught may have come about after they were undone.
  await undoAll(run, 'manual', LATE, (path) => isRevived(state, path));
  if (state.stop !== undefined) return undefined;
  await end(run, doneEnd(run, output.json()));
  return undefined;
}

/** Undoes a run as far as its stop says; then it ends, or goes on from the node that it goes back to. */
async function goBack(run: Run, stop: Stop): Promise<void> {
  const { kind, error, within, backTo, by } = stop;
  const { state, root } = run;
  if (backTo !== undefined) {
    const problem = await takeBackAfter(run, root, backTo, error, by);
    if (problem === undefined) {
      run.root = newScope('', root.plan, root.input);
      return;
    }
  }
  const reached = reachOf(run, within);
  await undoAll(run, kind, error, reached);
  // Meanwhile somebody may have asked for more.
  if (state.stop !== stop) return;
  await end(run, undoneEnd(run, stop));
}

/**
 * Writes the end of a run; with effects in doubt it is an end for the time being. It does not end yet
 * if something happened while people were told.
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

/** Claims are committed with the run, or given up where no effect is left. */
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

/** The effects of a run by what became of them. */
export function effectsOf({ effects, end }: RunState): {
  readonly committed: readonly EffectSummary[];
  readonly undone: readonly EffectSummary[];
} {
  const all = [...effects.values()];
  const { output, remaining = [], inDoubt = [] } = end ?? {};
  const others = new Set([...remaining, ...inDoubt].map(({ nodeId }) => nodeId));
  // A run whose body is done has an output, even if something is left that should not be there.
  const there = output === undefined ? [] : all.filter(({ status }) => status === 'held');
  const committed = there.filter(({ nodeId }) => !others.has(nodeId));
  const undone = all.filter(({ status }) => status === 'undone');
  return { committed: committed.map(summaryOf), undone: undone.map(summaryOf) };
}

/** Stops a run because somebody says so: what it did is undone. */
export function cancel(run: Run, payload: Payloads['Cancel']): void {
  const { state, root } = run;
  passDeadlines(run);
  if (run.over || state.end !== undefined || state.stop !== undefined) return;
  try {
    write(run, '', 'Cancel', payload);
  } catch {
    // The run breaks off with that error.
  }
  stopScope(root, stopFailure('Cancelled', payload.reason));
}

/**
 * Lets a run come to rest: no attempt begins any more, and when those in flight have ended it breaks off with
 * an error, to be gone on with elsewhere from its state. What is being undone is undone first.
 */
export function drain(run: Run, error: unknown): void {
  if (run.over || run.drained !== undefined) return;
  run.drained = () => {
    breakOff(run, error);
    for (const go of run.slots.waiting.splice(0)) go();
  };
  restLater(run);
}
