/** What one task may use before it is stopped. */
export interface TaskLimits {
  /** Wall-clock time of the planner; neither starting a thread nor judging counts. Default: any. */
  readonly seconds?: number | undefined;
  /** JavaScript heap of its thread. Default: a share of the machine's memory, 1 GB to 2 GB. */
  readonly megabytes?: number | undefined;
}
