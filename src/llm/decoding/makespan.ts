import type { MakespanClaim } from './found.js';
import type { Token } from './tokens.js';
import { isOtherUnit } from './vocabulary.js';

const BETWEEN = new Set([':', '=', '(', '-', 'is', 'of', 'value', 'calculated', 'to', 'be']);

/**
 * The makespan that a line claims for a schedule: `FINAL MAKESPAN: 1,300`, or a line that begins
 * with the word. What it may be, what others reached, and placeholders are no claims.
 */
export function readMakespan(tokens: readonly Token[]): MakespanClaim | undefined {
  const word = tokens.findIndex(({ text }) => text === 'makespan');
  if (word < 0) return undefined;
  const isFinal = tokens.slice(0, word).some(({ text }) => text === 'final');
  const isTitle = word < 3 && [':', '='].includes(tokens[word + 1]?.text ?? '');
  if (!isFinal && !isTitle) return undefined;
  let at = word + 1;
  while (at < tokens.length && BETWEEN.has(tokens[at].text)) at++;
  const value = tokens[at];
  if (value?.kind !== 'number' || at === word + 1) return undefined;
  const next = tokens[at + 1];
  const isRange = next?.text === '-' && tokens[at + 2]?.kind === 'number';
  if (isRange || (isOtherUnit(next) && next.glued)) return undefined;
  return { value: value.value, offset: value.from, isFinal };
}
