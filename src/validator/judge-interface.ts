/**
 * A judge of start times for one instance, for hot loops: it allocates nothing after its first use and caches the
 * machine orders of the last schedule, so that judging a similar one is fast. The cache never changes a verdict. Its
 * input is N start times, −1 for none, and optionally N modes, numbered as in `instance.modes`; without them the
 * operations are judged in the modes that are chosen in the instance.
 */
export interface Judge {
  /**
   * Whether the start times violate no rule; stops at the first violation.
   *
   * @throws AlasError `bad_modes` if the modes are not one of each operation
   */
  isFeasible(starts: Int32Array, modes?: Int32Array): boolean;
  /**
   * The number of violations: the same as `validate` counts for these start times, except for `below_lower_bound`,
   * which is about bounds and not about start times.
   */
  countViolations(starts: Int32Array, modes?: Int32Array): number;
}
