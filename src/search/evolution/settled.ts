/** Iterations that bring nothing, after which the makespan of the least tardiness is left as it is. */
const TIE_PATIENCE = 10_000;

/**
 * Whether a search has nothing left to find: its cost is as small as it can be, or its tardiness is
 * and its makespan seems to be.
 *
 * @param goal a cost that cannot be less
 */
export function isSettled(
  { cost, idle }: { readonly cost: number; readonly idle: number },
  goal: number,
  leastTardiness: number | null,
): boolean {
  if (cost <= goal) return true;
  return leastTardiness !== null && cost < leastTardiness + 1 && idle >= TIE_PATIENCE;
}
