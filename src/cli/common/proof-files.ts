import { createReadStream } from 'node:fs';
import { cannotRead, refusePipe } from '@alas-jssp/core/bytes';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { type ProofHeader, proofLines, readProofHeader } from '../../validator/index.js';

const HEADER_LINES = 3;

/** The lines of a file with a proof, one after the other: it may be larger than the memory. */
export async function* readProofLines(file: string): AsyncGenerator<string> {
  try {
    refusePipe(file);
    yield* proofLines(createReadStream(file));
  } catch (error) {
    throw error instanceof AlasError ? error : cannotRead(file, error);
  }
}

/** Whether a file begins like a proof; false for files that cannot be read, which other readers explain. */
export async function isProofFile(file: string): Promise<boolean> {
  try {
    for await (const line of readProofLines(file))
      return line.trimStart().startsWith('alas-jssp proof ');
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
    if (!(error instanceof AlasError)) throw error;
    if (!(error instanceof InputError)) {
      const hint = 'give a file that alas-jssp prove wrote';
      throw new InputError('bad_proof', error.message, hint, { file });
    }
    if (error.code !== 'bad_proof') throw error;
    throw new InputError('bad_proof', error.problem, error.hint, { file });
  }
}
