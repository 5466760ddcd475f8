import type { TextHash } from '@alas-jssp/core/sha256';
import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const ENCODER = new TextEncoder();

/** The SHA-256 of bytes, or of a text in UTF-8, in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(hash(typeof data === 'string' ? ENCODER.encode(data) : data));
}

/** Begins the SHA-256 of a text that is given in pieces. */
export function createTextHash(): TextHash {
  const all = hash.create();
  return {
    update: (text) => void all.update(ENCODER.encode(text)),
    digest: () => bytesToHex(all.digest()),
  };
}
