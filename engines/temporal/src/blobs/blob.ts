import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { AlasError } from 'alas-jssp';
import { dropPiece, getPiece, putPiece } from './pieces.js';

/** Bytes that stand on the server, outside of payloads; plain JSON. */
export interface BlobRef {
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  /** Their number. */
  readonly bytes: number;
  /** Ids of the workflows whose inputs hold them, in order. */
  readonly pieces: readonly string[];
}

/** Bytes of a piece at most: the server refuses payloads of more than 2 MB. */
const PIECE = 1_500_000;

/** Bytes that a process remembers of what it has read. */
const REMEMBERED = 256_000_000;

/**
 * Puts bytes on the server, compressed and in pieces; what is there is not sent again. They are kept for 30 days
 * from the last time somebody put them, and after that as long as the server keeps histories.
 *
 * @param queue task queue whose workers put the pieces away at their end
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
 * Gets the bytes of a blob, from the memory of this process where it has them. Do not write into them.
 *
 * @throws AlasError `no_blob`: it is not on the server, `bad_blob`: what is there is something else
 */
export async function getBlob(client: Client, ref: BlobRef): Promise<Uint8Array> {
  const key = `${client.options.namespace}/${ref.sha256}`;
  const known = remembered.get(key);
  if (known !== undefined) {
    // The last one used is forgotten last.
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

/** Gives the place of a blob free; the server puts it away with its other closed histories. */
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
    // One that could not be read is the business of whoever reads it.
    const bytes = await reading.catch(() => undefined);
    rememberedBytes -= bytes?.length ?? 0;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
