/** Iterations without improvement after which a search ends if the tardiness is minimal, whatever the makespan. */
const TIE_PATIENCE = 10_000;

/**
 * Whether a search can end: its cost is minimal, or its tardiness is minimal and its makespan has not improved for long.
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
