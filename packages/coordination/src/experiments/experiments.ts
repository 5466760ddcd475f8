/** Experiments with models. */
export const EXPERIMENTS = ['narrowing', 'self-validation', 'amnesia'] as const;
export type ExperimentName = (typeof EXPERIMENTS)[number];

/**
 * Positions of the constraints in the prompt: once; repeated right before the question; or far before it, behind other
 * text.
 */
export const NARROWING = ['once', 'repeated', 'far'] as const;

/** Plans for a model to judge: its own, a correct one, and a correct one with a fault. */
export const JUDGED_PLANS = ['own', 'correct', 'too-fast', 'left-out'] as const;

/**
 * The part of the past that a conversation contains: nothing beyond the conversation itself, or the log of past
 * actions.
 */
export const AMNESIA = ['conversation', 'log'] as const;

/** The conditions of each experiment. */
export const CONDITIONS: Readonly<Record<ExperimentName, readonly string[]>> = {
  narrowing: NARROWING,
  'self-validation': JUDGED_PLANS,
  amnesia: AMNESIA,
};
