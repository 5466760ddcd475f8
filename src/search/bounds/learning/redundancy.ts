import { type Clauses, LENGTH } from './clauses.js';
import type { Disjunctions } from './disjunctions.js';
import { Reason, type Trail } from './trail.js';

/**
 * Whether a literal of a learned clause follows from its other literals, by one clause or by transitivity, and can be
 * removed (Sörensson and Biere 2009, doi:10.1007/978-3-642-02777-2_23).
 *
 * @param literal a literal that is false in the state where the clause was learned, at a level before the last
 * @param seen 1 for the variables of the clause
 */
export function isRedundant(
  literal: number,
  seen: Uint8Array,
  { eventOf, kind, ref }: Trail,
  { data }: Clauses,
  { from, to, literalOf }: Disjunctions,
): boolean {
  const isCovered = (other: number): boolean => seen[other >> 1] === 1 || eventOf[other >> 1] < 0;
  const event = eventOf[literal >> 1];
  const fact = literal ^ 1;
  if (kind[event] === Reason.transitivity) {
    const between = ref[event];
    return isCovered(literalOf(from[fact], between)) && isCovered(literalOf(between, to[fact]));
  }
  if (kind[event] !== Reason.clause) return false;
  const clause = ref[event];
  for (let at = clause; at < clause + data[clause - LENGTH]; at++) {
    if (data[at] !== fact && !isCovered(data[at])) return false;
  }
  return true;
}
