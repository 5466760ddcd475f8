// What a thread says of itself in shared memory: it is there when the thread was ended in the middle of an input.

/** Bytes before those of the input that is being tried. */
export const HEADER = 40;

/** The input that is being tried, and the totals of the thread. */
export interface ThreadHeader {
  /** When the input was begun, in milliseconds; 0 between two inputs. */
  readonly begun: number;
  /** The length of the input. */
  readonly length: number;
  /** Inputs that were tried, with the one that is being tried. */
  readonly executions: number;
  readonly features: number;
  /** Processor time until the last input was begun. */
  readonly seconds: number;
}

/** Reads what {@link writeHeader} wrote. */
export function readHeader(current: SharedArrayBuffer): ThreadHeader {
  const [begun, length, executions, features, seconds] = new Float64Array(current, 0, HEADER / 8);
  return { begun, length, executions, features, seconds };
}

/** Writes the parts that are given. `begun` is last: once it is set, the others are, too. */
export function writeHeader(current: SharedArrayBuffer, part: Partial<ThreadHeader>): void {
  const header = new Float64Array(current, 0, HEADER / 8);
  const { length, executions, features, seconds, begun } = part;
  for (const [at, value] of [begun, length, executions, features, seconds].entries()) {
    if (at > 0 && value !== undefined) header[at] = value;
  }
  if (begun !== undefined) header[0] = begun;
}
