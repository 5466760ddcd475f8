import { createHash, hash } from 'node:crypto';

/** The SHA-256 of bytes, or of a text in UTF-8, in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The SHA-256 of a text that is given in pieces. */
export interface TextHash {
  update(text: string): void;
  /** In lower-case hexadecimal; ends it. */
  digest(): string;
}

/** Begins the SHA-256 of a text that is too long to be built in memory. */
export function createTextHash(): TextHash {
  const all = createHash('sha256');
  return { update: (text) => void all.update(text), digest: () => all.digest('hex') };
}
