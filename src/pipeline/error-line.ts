import { inspect } from 'node:util';
import { printableLine } from '../core/errors.js';

/** What was thrown, as one line of text, be it an error or not. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : error;
  const words = typeof text === 'string' && text !== '' ? text : `${inspect(text)} was thrown`;
  return printableLine(words.trim().replaceAll(/\s*\n\s*/g, ' '));
}
