import { createReadStream } from 'node:fs';
import { refusePipe } from '@alas-jssp/core/bytes';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { type ProofHeader, proofLines, readProofHeader } from '../../validator/index.js';

const HEADER_LINES = 3;

/** The lines of a file with a proof, one after the other: it may be larger than the memory. */
export function readProofLines(file: string): AsyncGenerator<string> {
  refusePipe(file);
  return proofLines(createReadStream(file));
}

/** Whether a file begins like a proof; false for files that cannot be read, which other readers explain. */
export async function isProofFile(file: string): Promise<boolean> {
  try {
    for await (const line of readProofLines(file)) return line.startsWith('alas-jssp proof ');
  } catch {
    return false;
  }
  return false;
}

/**
 * Reads what a proof is about.
 *
 * @throws InputError `bad_proof` if the file does not begin like a proof
 */
export async function proofHeader(file: string): Promise<ProofHeader> {
  const head: string[] = [];
  try {
    for await (const line of readProofLines(file)) {
      head.push(line);
      if (head.length === HEADER_LINES) break;
    }
    return readProofHeader(head);
  } catch (error) {
    if (error instanceof InputError || !(error instanceof AlasError)) throw error;
    const hint = 'give a file that alas-jssp prove wrote';
    throw new InputError('bad_proof', error.message, hint, { file });
  }
}
