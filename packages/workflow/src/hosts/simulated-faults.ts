/** The faults of a simulation: probabilities, mean times in seconds, or limits in seconds. */
export interface SimulatedFaults {
  /** Mean time between kills of a process, between pauses, and between jumps of its clock. */
  readonly killEvery: number;
  readonly pauseEvery: number;
  readonly jumpEvery: number;
  /** Longest pause, jump (forward or back), and time until a killed process is restarted. */
  readonly longestPause: number;
  readonly longestJump: number;
  readonly longestAbsence: number;
  /** Probability that an append kills a process, just before or just after it is durable. */
  readonly killAtAppend: number;
  /** Probability that an append fails and is not durable, and that it fails although it is. */
  readonly appendLost: number;
  readonly appendUnheard: number;
  /**
   * Probability that a call takes up to `longestCall`, that it never answers, that it does not act.
   */
  readonly slowCall: number;
  readonly longestCall: number;
  readonly hangingCall: number;
  readonly failingCall: number;
  /** Probability that a call acts and answers although it was aborted. */
  readonly deafCall: number;
  /** Probability that a message is posted twice, and the longest time until its run is notified. */
  readonly doubleMessage: number;
  readonly longestTelling: number;
}

export const NO_FAULTS: SimulatedFaults = {
  killEvery: Number.POSITIVE_INFINITY,
  pauseEvery: Number.POSITIVE_INFINITY,
  jumpEvery: Number.POSITIVE_INFINITY,
  longestPause: 60,
  longestJump: 60,
  longestAbsence: 60,
  killAtAppend: 0,
  appendLost: 0,
  appendUnheard: 0,
  slowCall: 0,
  longestCall: 60,
  hangingCall: 0,
  failingCall: 0,
  deafCall: 0,
  doubleMessage: 0,
  longestTelling: 0,
};
