// Cost constants of the kernel. They are compiled twice, for the search and for its kernel, so literals must be floats
// in both languages.

/** Above any value of an objective; the cost of a schedule that violates limits is this times the excess. */
export const BROKEN = 9.007199254740992e15;

/**
 * 2^-31: a unit of the objective that breaks ties of the other one. No makespan reaches half a unit of tardiness, so
 * the order of two tardinesses is preserved.
 */
export const TIE_BREAK = 4.656612873077393e-10;
