// Jobs that arrive. The draft of an instance has room for them, so they are known below the kinds of events.

/** A new job. It gets the next free job number. */
export interface Arrival {
  readonly kind: 'arrival';
  readonly at: number;
  readonly job: ArrivingJob;
}

/** A job that arrives. */
export interface ArrivingJob {
  readonly name?: string | undefined;
  readonly operations: readonly ArrivingOperation[];
  /** The earliest start of its first operation. */
  readonly release: number;
  readonly due?: number | undefined;
  /** The cost of a unit of its tardiness, a whole number; default 1. */
  readonly weight?: number | undefined;
}

/** An amount of a resource that an operation needs, while it works or during its setup. */
export interface EventNeed {
  readonly resource: number;
  /** Default 1. */
  readonly amount?: number | undefined;
  /** Default `work`. */
  readonly during?: 'work' | 'setup' | undefined;
}

/** A mode of an operation of a job that arrives. */
export interface ArrivingMode {
  readonly machine: number;
  readonly duration: number;
  readonly needs?: readonly EventNeed[] | undefined;
}

/** An operation of a job that arrives, with the mode in which it is planned first. */
export interface ArrivingOperation extends ArrivingMode {
  readonly name?: string | undefined;
  /** Its other modes. */
  readonly alternatives?: readonly ArrivingMode[] | undefined;
  /** Its setup family, in a shop with setups. */
  readonly family?: number | undefined;
}

/** An arrival in words: `arrival of "WO-9"`. */
export function arrivalWords({ job: { name } }: Arrival): string {
  return `arrival of ${name === undefined ? 'a job' : JSON.stringify(name)}`;
}
