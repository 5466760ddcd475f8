// Costs as the kernel counts them. Compiled twice, with the search and into its kernel: hence literals
// that are floats to both.

/** Above any value of an objective; a schedule that breaks limits costs this times the excess. */
export const BROKEN = 9.007199254740992e15;

/**
 * 2^-31: a unit of the objective that breaks ties of the other one. No makespan comes to half a unit of
 * tardiness, so the order of two tardinesses stays.
 */
export const TIE_BREAK = 4.656612873077393e-10;
