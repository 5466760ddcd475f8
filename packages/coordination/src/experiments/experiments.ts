/** Experiments with models. */
export const EXPERIMENTS = ['narrowing', 'self-validation', 'amnesia', 'lost-constraints'] as const;
export type ExperimentName = (typeof EXPERIMENTS)[number];

/** Positions of the constraints: once; repeated right before the question; far before it; in the middle of other text. */
export const NARROWING = ['once', 'repeated', 'far', 'middle'] as const;

/**
 * Plans for a model to judge: its own, in a new conversation or in the one that made it; a correct one, and a correct one
 * with a fault, with all facts or (`-narrow`) by two validators that see the facts of drives, and of activities.
 */
const JUDGED_PLANS = [
  'own',
  'own-thread',
  'correct',
  'too-fast',
  'left-out',
  'correct-narrow',
  'too-fast-narrow',
  'left-out-narrow',
] as const;

/**
 * The view of the past after a change: the whole conversation in which it made the plan; the same and the log
 * of past actions; the latest messages that fit into its memory; or the slice of the log that is relevant.
 */
const AMNESIA = ['conversation', 'log', 'recency', 'slices'] as const;

/**
 * The view of a growing conversation: everything; the latest turns, or the relevant ones, within a memory of so
 * many tokens; and two controls, constraints right before the question, and none at all.
 */
const LOST_CONSTRAINTS = ['everything', 'recency', 'slices', 'restated', 'unstated'] as const;
export type ContextArm = (typeof LOST_CONSTRAINTS)[number];

/** One condition of an experiment. */
export interface ExperimentTrial {
  readonly name: ExperimentName;
  /** Unique within the experiment. */
  readonly condition: string;
  readonly arm: string;
  /** Tokens of other text between constraints and question. */
  readonly filler: number;
  /** The limit of what the model sees of the conversation, in tokens; null for none. */
  readonly memory: number | null;
}

/** The choice of conditions. */
export interface TrialSettings {
  /** Default: all. */
  readonly arms?: readonly string[] | undefined;
  /** Lengths of growing conversations, in tokens. Default: {@link FILLERS}. */
  readonly fillers?: readonly number[] | undefined;
  /** Default: {@link MEMORY}. */
  readonly memory?: number | undefined;
}

/** An experiment, or all those that table 10 of SagaLLM needs. */
export type ExperimentChoice = ExperimentName | 'capabilities';

/** The experiments of a choice. */
export const EXPERIMENTS_OF: Readonly<Record<ExperimentChoice, readonly ExperimentName[]>> = {
  narrowing: ['narrowing'],
  'self-validation': ['self-validation'],
  amnesia: ['amnesia'],
  'lost-constraints': ['lost-constraints'],
  capabilities: ['amnesia', 'self-validation', 'lost-constraints'],
};

/** The default lengths: one that fits into the memory, and one that exceeds it. */
export const FILLERS = [250, 4000] as const;
/** The default memory, in tokens. */
export const MEMORY = 1200;
/** Tokens of other text in the conditions of `narrowing`. */
const FAR = 2500;

/** The arms of each experiment. */
export const ARMS: Readonly<Record<ExperimentName, readonly string[]>> = {
  narrowing: NARROWING,
  'self-validation': JUDGED_PLANS,
  amnesia: AMNESIA,
  'lost-constraints': LOST_CONSTRAINTS,
};

/** Arms whose memory has a limit. */
const LIMITED: readonly string[] = ['recency', 'slices'];
/** Arms of growing conversations that do not depend on their length. */
const WITHOUT_LENGTH: readonly string[] = ['restated', 'unstated'];

/** The conditions of an experiment, in the order of its arms. */
export function trialsOf(
  name: ExperimentName,
  { arms, fillers = FILLERS, memory = MEMORY }: TrialSettings = {},
): ExperimentTrial[] {
  const chosen = ARMS[name].filter((arm) => arms === undefined || arms.includes(arm));
  return chosen.flatMap((arm): ExperimentTrial[] => {
    const limit = LIMITED.includes(arm) ? memory : null;
    if (name === 'lost-constraints' && !WITHOUT_LENGTH.includes(arm)) {
      return fillers.map((filler) => ({
        name,
        condition: `${arm}@${filler}`,
        arm,
        filler,
        memory: limit,
      }));
    }
    const isFar = arm === 'far' || arm === 'middle';
    // After a change, the text since the plan was made fills the memory.
    const filler = isFar ? FAR : (limit ?? 0);
    return [{ name, condition: arm, arm, filler, memory: limit }];
  });
}
