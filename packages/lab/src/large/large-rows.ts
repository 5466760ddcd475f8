// What a solve of a large shop is asked, and what is recorded of it.
import type { SolveRow } from '../search/rows.js';

/** A solve of an instance of a set; `keep` is the folder of the best schedules. */
export interface LargeTask {
  set: string;
  name: string;
  seconds: number;
  threads: number;
  seed: number;
  keep: string;
  /** The code that solves, as the campaign found it when it began. */
  commit: string | null;
}

/** A recorded solve. Times are seconds since the search began. */
export interface LargeRow extends SolveRow {
  suite: string;
  jobs: number;
  machines: number;
  mean_load: number;
  lower_bound: number;
  bound_source: string;
  /** Null for instances that the literature does not know; `upper_bound` is null in the file then. */
  published_lower_bound: number | null;
  bounds_as_of: string | null;
  first_makespan: number;
  first_after: number;
  reached_after: number;
  /** Null if no schedule was better than the best known one. */
  below_best_known_after: number | null;
  load: number;
  peak_megabytes: number;
}
