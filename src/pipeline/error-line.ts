import { inspect } from 'node:util';
import { printableLine } from '../core/errors.js';

/** Anything that was thrown, an error or not, as one line of text. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error;
  const words = typeof text === 'string' && text !== '' ? text : `${inspect(text)} was thrown`;
  return printableLine(words.trim().replaceAll(/\s*\n\s*/g, ' '));
}
