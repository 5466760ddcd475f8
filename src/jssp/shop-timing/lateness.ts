/** The prices of late operations and jobs of a list, for a limit of their cost. */
export interface LatenessPrices {
  /** N entries: the time up to which it costs nothing that an operation ends, and … */
  readonly by: Float64Array;
  /** … the price of a unit of time after it. */
  readonly price: number;
  /** The same for the latest end of each job (n entries); Infinity for none. */
  readonly due: Float64Array;
  readonly weight: Float64Array;
}

/** The cost of the first operations of a list: at least so much will be that of the whole list. */
export interface Lateness {
  readonly prices: LatenessPrices;
  /** n entries: the tardiness of each job so far, times its weight, … */
  readonly late: Float64Array;
  /** … N entries: what it was before the operation at a position of the list, … */
  readonly before: Float64Array;
  /** … and N+1 entries: the cost of so many operations. */
  readonly sum: Float64Array;
}

/** The lateness of an empty list. */
export function createLateness(prices: LatenessPrices): Lateness {
  const operations = prices.by.length;
  return {
    prices,
    late: new Float64Array(prices.due.length),
    before: new Float64Array(operations),
    sum: new Float64Array(operations + 1),
  };
}

/** Adds an operation that ends at `end`, in a job that ends `tail` later at the earliest; returns the cost so far. */
export function addLateness(
  { prices, late, before, sum }: Lateness,
  position: number,
  op: number,
  job: number,
  end: number,
  tail: number,
): number {
  const { by, price, due, weight } = prices;
  const known = late[job];
  before[position] = known;
  let more = 0;
  const over = end + tail - due[job];
  if (over > 0 && over * weight[job] > known) {
    late[job] = over * weight[job];
    more = late[job] - known;
  }
  if (end > by[op]) more += price * (end - by[op]);
  sum[position + 1] = sum[position] + more;
  return sum[position + 1];
}
