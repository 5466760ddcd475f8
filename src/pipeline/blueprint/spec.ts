import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';

/** The complete pipeline, and the pipeline without one of its parts. */
export const VARIANTS = [
  'full',
  'no-repair',
  'no-validation',
  'blind-repair',
  'self-validation',
  'no-optimization',
] as const;

/** One of {@link VARIANTS}. */
export type Variant = (typeof VARIANTS)[number];

/** Whether a variant is only for planners that use a model: there the planner judges its own plan. */
export function needsModel(variant: string): boolean {
  return variant === ('self-validation' satisfies Variant);
}

/** Whether a variant has no validator before the search. */
export function isUnjudged(variant: string): boolean {
  return UNJUDGED.includes(variant);
}

const UNJUDGED: readonly string[] = [
  'no-validation',
  'blind-repair',
  'self-validation',
] satisfies Variant[];

/** Repairers of plans: the repair protocol of this package, or the model that made them. */
export const REPAIRERS = ['lcrp', 'llm'] as const;

/** One of {@link REPAIRERS}. */
export type Repairer = (typeof REPAIRERS)[number];

/** Default maximum number of repairs of one plan (K). */
export const DEFAULT_ROUNDS = 1;

/** The workflow to build. */
export interface BlueprintSpec {
  /** Default `full`. */
  readonly variant?: Variant | undefined;
  /** Maximum number of repairs of one plan (K): default {@link DEFAULT_ROUNDS}, 0 for none in any variant. */
  readonly rounds?: number | undefined;
  /**
   * Default `lcrp`. `llm`: the model gets K rounds, and if none of its plans is feasible, `lcrp` repairs
   * the best of them in one more.
   */
  readonly repairer?: Repairer | undefined;
  /** Whether variants with a search use it. Default true. */
  readonly optimize?: boolean | undefined;
  /** Time limits of planner and search in seconds. Default a week. */
  readonly budgets?: { readonly plan?: number; readonly optimize?: number } | undefined;
  /** Kinds of disruptions that repairs must cover, such as `breakdown`. */
  readonly disruptions?: readonly string[] | undefined;
}

/** A complete spec. */
export interface FilledSpec {
  readonly variant: Variant;
  readonly rounds: number;
  readonly repairer: Repairer;
  /** Turns of the repair loop: the rounds, and one more after those of a model. */
  readonly turns: number;
  readonly budgets: { readonly plan: number; readonly optimize: number };
  readonly disruptions: readonly string[];
  /** The judge of a plan before any other stage; null if the plan is not checked. */
  readonly judge: 'validator' | 'planner' | null;
  /** The stages of the pipeline. */
  readonly repairs: boolean;
  readonly optimizes: boolean;
  /** Whether repairs receive findings. */
  readonly repairsBlindly: boolean;
}

const WEEK = 7 * 24 * 3600;

/**
 * Fills in defaults. Without the findings of a validator there is one round of repair, that of the protocol, because
 * its input gives no reason for another.
 *
 * @throws InputError `bad_variant`, `bad_number`
 */
export function fillSpec(spec: BlueprintSpec): FilledSpec {
  const {
    variant = 'full',
    rounds = DEFAULT_ROUNDS,
    optimize = true,
    budgets,
    disruptions = [],
  } = spec;
  if (!isVariant(variant)) throw unknownVariant(variant);
  if (!Number.isSafeInteger(rounds) || rounds < 0) {
    throw new InputError('bad_number', `there are ${rounds} rounds`, 'use a whole number from 0');
  }
  const judge = JUDGES[variant];
  const repairsBlindly = judge !== 'validator';
  const { repairer = 'lcrp' } = repairsBlindly ? {} : spec;
  return {
    variant,
    rounds,
    repairer,
    turns: repairsBlindly ? 1 : repairer === 'llm' ? rounds + 1 : rounds,
    budgets: { plan: budgets?.plan ?? WEEK, optimize: budgets?.optimize ?? WEEK },
    disruptions: [...new Set(disruptions)],
    judge,
    repairs: variant !== 'no-repair' && variant !== 'no-validation' && rounds > 0,
    optimizes: variant !== 'no-optimization' && optimize,
    repairsBlindly,
  };
}

const JUDGES: Readonly<Record<Variant, FilledSpec['judge']>> = {
  full: 'validator',
  'no-repair': 'validator',
  'no-validation': null,
  'blind-repair': null,
  'self-validation': 'planner',
  'no-optimization': 'validator',
};

/**
 * Reads the name of a variant.
 *
 * @throws InputError `bad_variant`
 */
export function parseVariant(text: string): Variant {
  if (isVariant(text)) return text;
  throw unknownVariant(text);
}

function isVariant(text: string): text is Variant {
  return (VARIANTS as readonly string[]).includes(text);
}

function unknownVariant(text: string): InputError {
  const problem = `there is no variant '${text}'`;
  return new InputError('bad_variant', problem, suggestNames(text, [...VARIANTS]), {}, text);
}
