import { AlasError } from '@alas-jssp/core/errors';

/** Refuses a proof with a reason; the caller adds the line. */
export function refuseProof(problem: string): never {
  throw new AlasError('bad_proof', problem);
}

/** Numbers of a proof: operations, and the numbers of clauses. */
const MAX_NUMBER = 2 ** 31 - 1;
const MAX_DIGITS = 10;

/** One step: a letter and its numbers. */
export interface ProofStep {
  readonly rule: string;
  readonly numbers: readonly number[];
}

/** A line of a proof: the letter of its kind, its own numbers, and the steps behind them. */
export interface ProofLine extends ProofStep {
  readonly steps: readonly ProofStep[];
}

/**
 * Splits a line into words with single spaces between them: letters that begin the line or a step, and whole numbers.
 * A colon ends the numbers of the line itself.
 */
export function parseProofLine(text: string): ProofLine {
  const words = text.split(' ');
  const own: number[] = [];
  const steps: ProofStep[] = [];
  let numbers = own;
  let isColonRead = false;
  if (!isLetter(words[0])) refuseProof(`a line begins with a letter, not "${shorten(words[0])}"`);
  for (let x = 1; x < words.length; x++) {
    const word = words[x];
    if (isLetter(word)) {
      numbers = [];
      steps.push({ rule: word, numbers });
    } else if (word === ':') {
      if (isColonRead || steps.length > 0) refuseProof('there is one colon, before all steps');
      isColonRead = true;
    } else if (isColonRead && steps.length === 0) {
      refuseProof(`a step begins with a letter, not "${shorten(word)}"`);
    } else numbers.push(numberOf(word));
  }
  if (isColonRead !== (words[0] === 'c')) {
    refuseProof('a clause has a colon before its steps, and no other line has one');
  }
  return { rule: words[0], numbers: own, steps };
}

function isLetter(word: string): boolean {
  return word.length === 1 && word >= 'a' && word <= 'z';
}

function numberOf(word: string): number {
  let value = 0;
  for (let x = 0; x < word.length; x++) {
    const digit = word.charCodeAt(x) - 48;
    if (digit < 0 || digit > 9) refuseProof(`"${shorten(word)}" is no whole number`);
    value = 10 * value + digit;
  }
  if (word.length === 0 || word.length > MAX_DIGITS || value > MAX_NUMBER) {
    refuseProof(word === '' ? 'there is a space too many' : `${shorten(word)} is too large`);
  }
  return value;
}

/** The beginning of a word, for messages. */
export function shorten(word: string): string {
  return word.length > 20 ? `${word.slice(0, 20)}…` : word;
}
