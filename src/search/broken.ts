// Compiled twice, with the search and into its kernel: hence a literal that is a float to both.

/** Above any value of an objective; a schedule that breaks limits costs this times the excess. */
export const BROKEN = 9.007199254740992e15;
