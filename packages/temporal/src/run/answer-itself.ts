import { stderr } from 'node:process';
import type { Json } from '@alas-jssp/workflow/interpreter';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  encodeErrorToFailure,
  encodeToPayloads,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { isNotFound, patiently } from '../patience.js';
import type { RunMessage, RunOutcome, StepAnswer } from './protocol.js';

/** The parts of an attempt that its answer depends on. */
interface Attempt {
  readonly runId: string;
  readonly path: string;
  readonly attempt: number;
  readonly key: string;
}

/**
 * Does the work of this activity, and sends its answer to the server directly, to learn whether the server still waits
 * for it. If the worker was unreachable for too long, the attempt counts as lost, and its answer is rejected: then it
 * goes to the run as a message, so that its effect is known.
 *
 * @throws CompleteAsyncError always: the SDK must not answer
 */
export async function answerItself(
  client: Client,
  step: Attempt,
  work: () => Promise<StepAnswer>,
): Promise<never> {
  const context = Context.current();
  const { info, cancellationSignal } = context;
  const { namespace, loadedDataConverter: converter } = client.options;
  const about = { namespace, identity: client.options.identity, taskToken: info.taskToken };
  let give: () => Promise<unknown>;
  let late: { readonly [name: string]: Json };
  try {
    const answer = await work();
    const { json, unfit, externalRef } = answer;
    const payloads = (await encodeToPayloads(converter, answer)) ?? [];
    const request = { ...about, result: { payloads } };
    give = () => client.workflowService.respondActivityTaskCompleted(request);
    // A value that no log can store is not an output, but the handler has ended.
    late = { output: unfit === undefined ? json : null, ...(externalRef && { externalRef }) };
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    const request = { ...about, failure: await encodeErrorToFailure(converter, error) };
    give = () => client.workflowService.respondActivityTaskFailed(request);
    late = { failed: error.type ?? 'Error' };
  }
  const leaving = new AbortController();
  const isLeaving = () => context.cancellationDetails?.workerShutdown === true;
  const leave = () => {
    if (isLeaving()) leaving.abort();
  };
  cancellationSignal.addEventListener('abort', leave);
  try {
    await (isLeaving() ? give() : patiently(give, leaving.signal));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await notifyRun(client, info.workflowExecution?.workflowId ?? step.runId, step, late);
  } finally {
    cancellationSignal.removeEventListener('abort', leave);
  }
  throw new CompleteAsyncError();
}

/** Sends a run the answer of an attempt that it counts as lost. */
async function notifyRun(
  client: Client,
  workflowId: string,
  { runId, path, attempt, key }: Attempt,
  late: { readonly [name: string]: Json },
): Promise<void> {
  const run = client.workflow.getHandle(workflowId);
  const message: RunMessage = { kind: 'answer', data: { nodeId: path, attempt, ...late } };
  try {
    await patiently(() => run.signal<[RunMessage]>('message', message));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    // Another attempt under the same key made the same effect.
    if (await isCommitted(client, workflowId, key)) return;
    const end = 'failed' in late ? `failed with ${late.failed}` : 'made its effect';
    stderr.write(
      `warning: attempt ${attempt} at ${path} of the run ${runId} ${end} after the run was closed; ` +
        `check by hand whether the effect of key ${key} exists\n`,
    );
  }
}

async function isCommitted(client: Client, workflowId: string, key: string): Promise<boolean> {
  try {
    const { committed } = (await client.workflow.getHandle(workflowId).result()) as RunOutcome;
    return committed.some(({ idempotencyKey }) => idempotencyKey === key);
  } catch {
    return false;
  }
}
