import { InputError } from '@alas-jssp/core/errors';
import { refuseProof, shorten } from './proof-line.js';

/** The first line of every proof; the number is that of the format. */
const PROOF_FORMAT = 'alas-jssp proof 1';

/** The beginning of a proof: its instance and its claim. */
export interface ProofHeader {
  /** SHA-256 of the canonical text of the instance, in hexadecimal digits, and its name. */
  readonly sha256: string;
  readonly instance: string;
  /** No schedule ends before it. */
  readonly bound: number;
}

/**
 * Reads the first three lines of a proof.
 *
 * @throws AlasError `bad_proof`
 */
export function readProofHeader([format, instance, bound]: readonly string[]): ProofHeader {
  checkProofFormat(format ?? '');
  return { ...readProofInstance(instance ?? ''), bound: readProofBound(bound ?? '') };
}

/** Checks the first line. @throws AlasError `bad_proof` */
export function checkProofFormat(line: string): void {
  if (line === PROOF_FORMAT) return;
  const version = /^alas-jssp proof (\d{1,9})$/.exec(line)?.[1];
  if (version !== undefined) {
    const hint = 'this alas-jssp reads version 1: update it';
    throw new InputError('bad_proof', `it is of version ${version}`, hint);
  }
  refuseProof(`the first line is not "${PROOF_FORMAT}" but ${JSON.stringify(shorten(line))}`);
}

/** Reads the second line. @throws AlasError `bad_proof` */
export function readProofInstance(line: string): Omit<ProofHeader, 'bound'> {
  const named = /^instance ([0-9a-f]{64}) (.+)$/.exec(line);
  if (named !== null) return { sha256: named[1], instance: named[2] };
  return refuseProof('the second line is not "instance", a checksum and a name');
}

/** Reads the third line. @throws AlasError `bad_proof` */
export function readProofBound(line: string): number {
  const stated = /^bound (\d{1,10})$/.exec(line);
  if (stated !== null) return Number(stated[1]);
  return refuseProof('the third line is not "bound" and a whole number');
}
