import { expect } from 'vitest';
import type { Instance } from '../../../src/jssp/instance.js';
import { proveBound } from '../../../src/search/bounds/prove-bound.js';
import { strongLowerBound } from '../../../src/search/bounds/strong-lower-bound.js';

/** The lines of the proof of a bound. */
export async function proofOf(instance: Instance, bound: number): Promise<string[]> {
  const parts: string[] = [];
  const { verdict } = await proveBound(instance, { bound, write: (text) => parts.push(text) });
  expect(verdict).toBe('proven');
  return parts.join('').split('\n').slice(0, -1);
}

/** The optimum of a shop without its calendar and frozen starts, by branching without learning. */
export function leastOf(instance: Instance): number {
  return strongLowerBound(instance, { maxNodes: Infinity }).value;
}

/** A change of a line. */
export interface Change {
  readonly place: number;
  readonly kind: number;
  readonly word: number;
  readonly to: number;
}

/** Drops, repeats or changes a line: a number, or a letter. */
export function tamper(lines: string[], { place, kind, word, to }: Change): void {
  if (lines.length <= 3) return;
  const x = 3 + (place % (lines.length - 3));
  const words = lines[x].split(' ');
  const y = word % words.length;
  if (kind === 0) lines.splice(x, 1);
  else if (kind === 1) lines.splice(x, 0, lines[x]);
  else {
    const isNumber = /^\d/.test(words[y]);
    words[y] = isNumber ? String(to) : 'pstcolfhq'[to % 9];
    lines[x] = words.join(' ');
  }
}
