import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { AlasError } from 'alas-jssp';
import { dropPiece, getPiece, putPiece } from './pieces.js';

/** Bytes stored on the server outside of payloads; plain JSON. */
export interface BlobRef {
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** The number of bytes. */
  readonly bytes: number;
  /** Ids of the workflows whose inputs contain the bytes, in order. */
  readonly pieces: readonly string[];
}

/** Maximum bytes of a piece: the server rejects payloads of more than 2 MB. */
const PIECE = 1_500_000;

/** Size of the read cache of a process, in bytes. */
const REMEMBERED = 256_000_000;

/**
 * Stores bytes on the server, compressed and in pieces; existing pieces are not sent again. They
 * are kept for 30 days after they were last stored, and then as long as the server keeps histories.
 *
 * @param queue task queue whose workers end the pieces
 */
export async function putBlob(client: Client, queue: string, bytes: Uint8Array): Promise<BlobRef> {
  const packed = gzipSync(bytes);
  const pieces: string[] = [];
  for (let at = 0; at < packed.length; at += PIECE)
    pieces.push(await putPiece(client, queue, packed.subarray(at, at + PIECE)));
  return { sha256: sha256(bytes), bytes: bytes.length, pieces };
}

const remembered = new Map<string, Promise<Uint8Array>>();
let rememberedBytes = 0;

/**
 * Reads the bytes of a blob, from the cache of this process if possible. Callers must not modify
 * them.
 *
 * @throws AlasError `no_blob`: it is not on the server, `bad_blob`: its content differs
 */
export async function getBlob(client: Client, ref: BlobRef): Promise<Uint8Array> {
  const key = `${client.options.namespace}/${ref.sha256}`;
  const known = remembered.get(key);
  if (known !== undefined) {
    // The cache drops the least recently used first.
    remembered.delete(key);
    remembered.set(key, known);
    return known;
  }
  const reading = readBlob(client, ref);
  remembered.set(key, reading);
  try {
    rememberedBytes += (await reading).length;
  } catch (error) {
    remembered.delete(key);
    throw error;
  }
  await forgetOldest();
  return reading;
}

/** Releases a blob; the server deletes it with its other closed histories. */
export async function dropBlob(client: Client, ref: BlobRef): Promise<void> {
  await Promise.all(ref.pieces.map((piece) => dropPiece(client, piece)));
}

async function readBlob(client: Client, ref: BlobRef): Promise<Uint8Array> {
  const pieces = await Promise.all(ref.pieces.map((piece) => getPiece(client, piece)));
  const bytes = gunzipSync(Buffer.concat(pieces));
  if (sha256(bytes) !== ref.sha256)
    throw new AlasError('bad_blob', `blob ${ref.sha256} is not what its pieces hold`, ref);
  return bytes;
}

async function forgetOldest(): Promise<void> {
  for (const [key, reading] of remembered) {
    if (rememberedBytes <= REMEMBERED || remembered.size === 1) return;
    remembered.delete(key);
    // A failed read is reported to its reader.
    const bytes = await reading.catch(() => undefined);
    rememberedBytes -= bytes?.length ?? 0;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
