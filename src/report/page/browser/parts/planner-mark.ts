/** The name of a planner, marked if it makes faulty, empty or random plans on purpose. */
export function plannerWithMark(planner: string, isSynthetic: boolean): string {
  return isSynthetic ? `${planner} (synthetic)` : planner;
}
