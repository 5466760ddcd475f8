import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type { BlobStore } from './compensation.js';

/** The key by which a value in a log refers to contents beside it. */
const BLOB = '$blob';

/** Larger values, in characters of JSON, lie beside the log. */
const MOST_CHARACTERS = 64 * 1024;

/** A value as the log holds it: itself, or a reference to contents beside the log. */
export async function packJson(blobs: BlobStore, value: Json): Promise<Json> {
  const text = JSON.stringify(value);
  const isLike = isObject(value) && Object.hasOwn(value, BLOB);
  if (text.length <= MOST_CHARACTERS && !isLike) return value;
  const bytes = new TextEncoder().encode(text);
  return { [BLOB]: await blobs.put(bytes), bytes: bytes.length };
}

/**
 * The value that the log holds or refers to.
 *
 * @throws InputError `no_blob` if its contents are missing
 */
export async function unpackJson(blobs: BlobStore, packed: Json): Promise<Json> {
  if (!isObject(packed) || typeof packed[BLOB] !== 'string') return packed;
  return JSON.parse(new TextDecoder().decode(await blobs.get(packed[BLOB]))) as Json;
}
