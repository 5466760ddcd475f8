/** Exit codes of the command line. */
export const exitCode = { done: 0, no: 1, badInput: 2, interrupted: 130 } as const;
