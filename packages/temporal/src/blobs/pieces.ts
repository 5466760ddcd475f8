import { createHash } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { AlasError } from 'alas-jssp';
import { Encryption } from '../codec/encryption.js';
import { isNotFound } from '../patience.js';

/** Days that a piece is kept after it was last stored. */
const DAYS_KEPT = 30;

const DAY = 86_400_000;

/**
 * Stores a piece on the server, as the input of a workflow whose id is made from its hash.
 *
 * @returns the id of the workflow
 */
export async function putPiece(client: Client, queue: string, piece: Uint8Array): Promise<string> {
  const { workflow } = bare(client);
  const name = encryptionOf(client)?.keys?.nameOf(piece);
  const workflowId = `alas-blob-${name ?? createHash('sha256').update(piece).digest('hex')}`;
  if (!(await isFresh(client, workflowId))) {
    await workflow.start('alasBlob', {
      workflowId,
      taskQueue: queue,
      args: [piece],
      startDelay: DAYS_KEPT * DAY,
      // Without a worker the server ends it by itself.
      workflowRunTimeout: DAY,
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    });
  }
  return workflowId;
}

/** Reads a piece from the history of its workflow, open or closed. */
export async function getPiece(client: Client, workflowId: string): Promise<Uint8Array> {
  try {
    const { events } = await bare(client).workflow.getHandle(workflowId).fetchHistory();
    const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    if (payload?.data == null)
      throw new AlasError('bad_blob', `${workflowId} holds no piece of a blob`, workflowId);
    return await decrypted(client, payload);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new AlasError(
      'no_blob',
      `${workflowId} is not on the server: its time is over, or it was never there`,
      workflowId,
    );
  }
}

/**
 * Releases a piece: its history can still be read as long as the server keeps closed ones. A closed
 * piece is unchanged.
 */
export async function dropPiece(client: Client, workflowId: string): Promise<void> {
  try {
    await bare(client).workflow.getHandle(workflowId).terminate('dropped');
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Whether a piece exists, open, with half of its time left. */
async function isFresh(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status, startTime } = await bare(client).workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' && Date.now() - startTime.getTime() < (DAYS_KEPT / 2) * DAY;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function decrypted(client: Client, payload: Payload): Promise<Uint8Array> {
  const [plain] = (await encryptionOf(client)?.decode([payload])) ?? [payload];
  return plain.data ?? new Uint8Array();
}

/** The same connection and encryption without the other codecs. */
function bare(client: Client): Client {
  const { connection, options } = client;
  const { namespace, identity } = options;
  const encryption = encryptionOf(client);
  const payloadCodecs = encryption === undefined ? [] : [encryption];
  return new Client({ connection, namespace, identity, dataConverter: { payloadCodecs } });
}

function encryptionOf({ options }: Client): Encryption | undefined {
  return options.loadedDataConverter.payloadCodecs.find((codec) => codec instanceof Encryption);
}
