/** The name of the counters of branches in the global scope. */
export const COUNTERS = '__branches';

/** The number of counters; branches beyond share them. */
export const MOST_BRANCHES = 2 ** 16;
