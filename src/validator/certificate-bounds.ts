import type { LowerBound } from '../jssp/bounds.js';
import type { KnownBound } from './guard.js';

/** Bounds on the optimal makespan of an instance that are known from elsewhere. */
export interface KnownBounds {
  /** A proven lower bound. */
  readonly lowerBound?: KnownBound | undefined;
  /** The best makespan known. */
  readonly upperBound?: KnownBound | undefined;
}

/** Both bounds as a certificate claims them. */
interface ClaimedBounds {
  readonly lower_bound: KnownBound | null;
  readonly upper_bound: KnownBound | null;
}

/**
 * The faults of the bounds that a certificate claims: a bound by an argument of ours that
 * comes to something else, one from the literature that is not there, or bounds that contradict
 * each other or what is proven and known. One line for each.
 *
 * @param proofs every lower bound that can be computed here
 */
export function checkBounds(
  { lower_bound: lower, upper_bound: upper }: ClaimedBounds,
  proofs: readonly LowerBound[],
  { lowerBound: knownLower, upperBound: knownUpper }: KnownBounds,
): string[] {
  const problems: string[] = [];
  const refuse = (isFalse: boolean, problem: () => string): void => {
    if (isFalse) problems.push(problem());
  };
  if (lower !== null) {
    const proof = proofs.find(({ source }) => source === lower.source);
    refuse(
      proof !== undefined && proof.value !== lower.value,
      () => `the lower bound by ${lower.source} is ${proof?.value}, not ${lower.value}`,
    );
    refuse(
      isMisquoted(lower, knownLower, (claimed, known) => claimed <= known),
      () => `the lower bound of ${lower.value} (${lower.source}) is not ${describe(knownLower)}`,
    );
    const least = [upper, knownUpper].find((bound) => bound && lower.value > bound.value);
    refuse(
      least !== undefined,
      () => `the lower bound of ${lower.value} is above the upper bound of ${describe(least)}`,
    );
  }
  if (upper !== null) {
    refuse(
      isMisquoted(upper, knownUpper, (claimed, known) => claimed >= known),
      () => `the upper bound of ${upper.value} (${upper.source}) is not ${describe(knownUpper)}`,
    );
    const proven = [...proofs, ...(knownLower === undefined ? [] : [knownLower])];
    const most = proven.reduce((a, b) => (b.value > a.value ? b : a));
    refuse(
      upper.value < most.value,
      () => `the upper bound of ${upper.value} is below the lower bound of ${describe(most)}`,
    );
  }
  return problems;
}

/**
 * Whether a bound that is said to be from the literature is not what is known from there. What
 * the literature knew at another time may have been weaker, but not better.
 */
function isMisquoted(
  claimed: KnownBound,
  known: KnownBound | undefined,
  isNoBetter: (claimed: number, known: number) => boolean,
): boolean {
  if (known === undefined || !/^literature\b/i.test(claimed.source)) return false;
  if (claimed.source === known.source) return claimed.value !== known.value;
  return !isNoBetter(claimed.value, known.value);
}

function describe(bound: KnownBound | null | undefined): string {
  return `${bound?.value} (${bound?.source})`;
}
