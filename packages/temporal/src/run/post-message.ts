import { randomUUID } from 'node:crypto';
import { stderr } from 'node:process';
import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { AlasError } from 'alas-jssp';
import { parseAddress } from '../address.js';
import { connect } from '../connection.js';
import { patiently } from '../patience.js';
import { requireWorker, watchQueue } from '../watch-queue.js';
import type { RunMessage } from './protocol.js';

/**
 * Sends a message to a run or a shop on a Temporal server; resolves when its log holds the message.
 * Needs a worker: without one nothing is sent. If the worker goes away meanwhile, waits for one and
 * reports that in a line.
 *
 * @param address `temporal://HOST:PORT/NAMESPACE?queue=NAME`
 * @param message kind and data as the inbox of a log has them, such as `approve` with `name` and `by`
 * @returns the number of the message
 * @throws InputError `bad_address`; AlasError `no_server`, `no_worker`, `no_run`, `run_ended`, `no_approval`, `no_signal`, `bad_data`,
 *   `bad_message`
 */
export async function postMessageAt(
  address: string,
  runId: string,
  message: RunMessage,
  onNotice = (line: string) => void stderr.write(`${line}\n`),
): Promise<number> {
  const place = parseAddress(address);
  const client = await connect(place);
  const over = new AbortController();
  // The id is the same for all attempts: a message that arrived is not repeated.
  const sent: RunMessage = { ts: new Date().toISOString(), ...message };
  const settings = { args: [sent] as [RunMessage], updateId: randomUUID() };
  const run = client.workflow.getHandle(runId);
  try {
    await requireWorker(client, place);
    watchQueue(client, { address: place }, onNotice, over.signal).catch(() => {});
    return await patiently(() => run.executeUpdate<number, [RunMessage]>('post', settings));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw await whyNot(client, runId);
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) throw error;
    throw new AlasError(cause.type ?? 'bad_message', cause.message);
  } finally {
    over.abort();
    await client.connection.close();
  }
}

async function whyNot(client: Client, runId: string): Promise<AlasError> {
  try {
    const { status } = await client.workflow.getHandle(runId).describe();
    return new AlasError('run_ended', `the run ${runId} is closed (${status.name})`, runId);
  } catch {
    return new AlasError('no_run', `the server has no run ${runId}`, runId);
  }
}
