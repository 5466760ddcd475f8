import { InputError } from '../../browser/index.js';

/** Limits of the page, which works in the memory of a browser tab; the command line has none of them. */
export const LIMITS = {
  /** Characters of a pasted or dropped text. */
  text: 4_000_000,
  operations: 20_000,
  /** Operations up to which the insertion heuristic, whose time grows quadratically, does not block the page. */
  insertion: 2500,
  /** Operations up to which changes are animated. */
  animated: 2500,
  /** Characters of a link. */
  link: 16_000,
};

const ELSEWHERE = 'use the command line, which has no such limit';

/**
 * Refuses a text that is too long to be read in a page.
 *
 * @throws InputError `too_large`
 */
export function refuseLongText(text: string): void {
  if (text.length <= LIMITS.text) return;
  const problem = `the text has ${withThousands(text.length)} characters, the limit of this page is ${withThousands(LIMITS.text)}`;
  throw new InputError('too_large', problem, ELSEWHERE);
}

/**
 * Refuses a shop that is too large for a page.
 *
 * @throws InputError `too_large`
 */
export function refuseLargeShop(operations: number): void {
  if (operations <= LIMITS.operations) return;
  const problem = `the instance has ${withThousands(operations)} operations, the limit of this page is ${withThousands(LIMITS.operations)}`;
  throw new InputError('too_large', problem, ELSEWHERE);
}

/** A number with separators of thousands. */
export function withThousands(value: number): string {
  return value.toLocaleString('en-US');
}
