/** Operations whose completion matters by itself, in arrays of equal length. */
export interface Watched {
  readonly op: readonly number[];
  /** The time by which each must, or should, be done. */
  readonly due: readonly number[];
  /** The weight of a unit of tardiness; −1 where the time is a limit that must not be broken. */
  readonly weight: readonly number[];
}

export const nobodyWatched: Watched = { op: [], due: [], weight: [] };
