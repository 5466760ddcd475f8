import {
  type Call,
  type CallAnswer,
  type Calling,
  decodeLogged,
  deriveSeedBy,
  type Workflow,
  withDefaults,
} from '@alas-jssp/workflow/interpreter';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ChildEnd, RunFunction, RunOutcome, RunStart } from './protocol.js';

type CallFor<Kind extends Call['kind']> = Extract<Call, { kind: Kind }>;

/** The child runs that steps of a run start, each a child workflow with its own log. */
export interface Children {
  /** Runs the child of a step, or joins it. */
  run(call: CallFor<'handler'>, workflow: Workflow): Calling & { answer: Promise<CallAnswer> };
  /** Undoes the effects of a step's child, even if it has completed. */
  undo(call: CallFor<'compensator'>): Calling & { answer: Promise<CallAnswer> };
  /** The children that have ended, by id. */
  readonly ends: ReadonlyMap<string, ChildEnd>;
}

/** Manages the children of a run; `known` are those of earlier histories. */
export function createChildren(
  parent: RunStart,
  digest: (text: string) => string,
  known: Iterable<readonly [string, ChildEnd]>,
): Children {
  const ends = new Map(known);
  const going = new Map<string, Promise<RunOutcome>>();
  /** Children whose progress is unknown. */
  const cutOff = new Set<string>();

  const execute = async (start: RunStart): Promise<RunOutcome> => {
    const outcome = await outcomeOf(start).catch((error: unknown) => {
      if (isCutOff(error)) cutOff.add(start.runId);
      throw error;
    });
    const { carried: _, ...again } = start;
    ends.set(start.runId, { start: again, outcome });
    return outcome;
  };

  return {
    ends,
    run(call, workflow) {
      const { path, attempt, seed, task } = call;
      const runId = childIdOf(parent.runId, path, call.key());
      const { leaseSeconds, unchecked, software, within } = parent;
      const start: RunStart = {
        runId,
        workflow,
        leaseSeconds,
        unchecked,
        software,
        approvals: {},
        openSeconds: 0,
        input: withDefaults(workflow, workflow.io.input, call.input).json(),
        seed: deriveSeedBy(digest, [seed, path, attempt]),
        within: [...within, task.handler ?? task.id],
      };
      const scope = new CancellationScope();
      const there = ends.get(runId);
      const before = going.get(runId) ?? (there && Promise.resolve(there.outcome));
      const outcome = before ?? scope.run(() => execute(start));
      going.set(runId, outcome);
      return { answer: outcome.then(toAnswer, toError), abort: () => scope.cancel() };
    },
    undo(call) {
      const runId = childIdOf(parent.runId, call.path, call.key);
      const by = `${parent.runId}:${call.path}`;
      const undone = async (): Promise<CallAnswer> => {
        await going.get(runId)?.catch(() => {});
        const { start, outcome } = ends.get(runId) ?? {};
        if (cutOff.has(runId)) {
          const message = `the run ${runId} was ended from outside: its effects are unknown`;
          return failed('ChildNotUndone', message);
        }
        // The child never began.
        if (start === undefined || outcome?.carried === undefined) return NOTHING;
        const { carried } = outcome;
        const id = carried.lastMessage + 1;
        const message = { kind: 'compensate', data: { by, evenCommitted: true } };
        const ts = new Date().toISOString();
        const inbox = [...carried.inbox, { id, runId, ts, ...message }];
        const again = { ...start, carried: { ...carried, inbox, lastMessage: id } };
        return undoneAnswer(await execute(again));
      };
      return { answer: undone().catch(toError), abort() {} };
    },
  };
}

/**
 * The id of the child of a step: equal for all attempts, different when the step starts again after
 * an undo.
 */
function childIdOf(runId: string, path: string, key: string): string {
  const [again = ''] = /~\d+$/.exec(key) ?? [];
  return `${runId}/${path}${again}`;
}

/** Executes a child to any of its ends. */
async function outcomeOf(start: RunStart): Promise<RunOutcome> {
  try {
    return await executeChild<RunFunction>('alasRun', {
      workflowId: start.runId,
      args: [start],
      // Its parent may have continued in a new history.
      parentClosePolicy: 'ABANDON',
      workflowIdReusePolicy: start.carried === undefined ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      staticSummary: start.workflow.name,
    });
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
    const outcome = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
    if (outcome === undefined) throw cause ?? error;
    return outcome as RunOutcome;
  }
}

/** Whether a child was ended from outside, or has another parent: its effects may exist. */
function isCutOff(error: unknown): boolean {
  return (
    error instanceof TerminatedFailure ||
    error instanceof TimeoutFailure ||
    error instanceof WorkflowExecutionAlreadyStartedError
  );
}

const NOTHING: CallAnswer = { status: 'value', value: decodeLogged(null) };

function toAnswer({ runId, status, output, error }: RunOutcome): CallAnswer {
  if (status === 'COMPLETED') return { status: 'value', value: decodeLogged(output) };
  const reason = error === undefined ? '' : `: ${error.code}, ${error.message}`;
  return failed(status, `the run ${runId} is ${status}${reason}`);
}

function undoneAnswer({ runId, status, remaining, inDoubt }: RunOutcome): CallAnswer {
  const left = [...remaining, ...inDoubt].map(({ nodeId }) => nodeId);
  if (left.length === 0) return NOTHING;
  const message = `${left.join(', ')} of the run ${runId} could not be undone (${status})`;
  return failed('ChildNotUndone', message);
}

function failed(code: string, message: string): CallAnswer {
  return { status: 'error', error: Object.assign(new Error(message), { code }) };
}

function toError(error: unknown): CallAnswer {
  const { message } = error as Error;
  const code = error instanceof ApplicationFailure ? (error.type ?? 'Error') : 'ChildFailed';
  return failed(code, message);
}
