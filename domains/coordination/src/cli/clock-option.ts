import { InputError } from 'alas-jssp';
import { InvalidArgumentError } from 'alas-jssp/command-line';
import { parseClock } from '../model/clock.js';

/** A parser for options that are clock times. */
export function clock(text: string): number {
  try {
    return parseClock(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InvalidArgumentError(`${error.problem}: ${error.cure}.`);
  }
}
