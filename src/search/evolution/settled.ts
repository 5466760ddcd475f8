/** Iterations without improvement after which the makespan of the least tardiness is accepted. */
const TIE_PATIENCE = 10_000;

/**
 * Whether a search has nothing left to find: its cost is minimal, or its tardiness is and its makespan seems to be.
 *
 * @param goal a lower bound of the cost
 */
export function isSettled(
  { cost, idle }: { readonly cost: number; readonly idle: number },
  goal: number,
  leastTardiness: number | null,
): boolean {
  if (cost <= goal) return true;
  return leastTardiness !== null && cost < leastTardiness + 1 && idle >= TIE_PATIENCE;
}
