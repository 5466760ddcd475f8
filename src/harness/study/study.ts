import { AlasError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Instance } from '../../jssp/instance.js';
import { type Plan, planFromSchedule } from '../../jssp/plan.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { warmUp } from '../../lcrp/warm-up.js';
import type { SelfJudgement } from '../../llm/topologies/judge.js';
import { type PipelineResult, runPipeline } from '../../pipeline/pipeline.js';
import { type FaultyPlan, type PlanFault, planFaults } from './faults.js';
import { shopFaults } from './shop-faults.js';
import { equipAround, type StudySubject } from './subjects.js';

/** Variants that every faulty plan goes through. */
const STUDY_VARIANTS = ['full', 'no-repair', 'no-validation', 'blind-repair'] as const;

/** One of the variants that the study compares. */
export type StudyVariant = (typeof STUDY_VARIANTS)[number] | 'self-validation';

/** The outcome of a faulty plan in one variant. */
export interface Ending {
  /** The validator's verdict on the final schedule. */
  readonly feasible: boolean;
  /** The growth over the original schedule, in percent; null if infeasible. */
  readonly growth: number | null;
  readonly edited: number;
  /** Hops from the validator's findings; null if unknown or unreachable. */
  readonly radius: number | null;
  readonly seconds: { readonly validate: number; readonly repair: number };
}

/** A plan with one fault, and its result in each variant. */
export interface Trial {
  readonly fault: string;
  readonly instance: string;
  readonly suite: string;
  /** Whether the validator rejects the plan, and whether its planner does; null without a judge. */
  readonly found: { readonly validator: boolean; readonly planner: boolean | null };
  readonly endings: Readonly<Partial<Record<StudyVariant, Ending>>>;
}

/** Settings of the study. */
export interface StudyOptions {
  /** Faults of each class in each schedule. Default {@link FAULTS}. */
  readonly faults?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Asks a model whether its own plan is right. Default: none. */
  readonly judge?:
    | ((instance: Instance, plan: Plan, number: number) => Promise<SelfJudgement>)
    | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of finished schedules, after each of them. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Faults of each class in each schedule: as many as in the paper. */
export const FAULTS = 20;

/** Classes of faults that need a rule beyond those of a plain shop. */
const RULED = new Set([
  'deadline miss',
  'start before release',
  'work in a downtime',
  'frozen start moved',
]);

/**
 * Puts faults of every class into valid schedules, and runs each variant of the pipeline, without a search, on each
 * faulty plan. Classes that need a release, a deadline, a downtime or a past use a shop with such rules around the same
 * schedule. A class without a place in a shop is omitted there. The same seed gives the same trials, except for their
 * seconds.
 *
 * @throws the reason of the signal; errors of `judge`
 */
export async function studyFaults(
  subjects: readonly StudySubject[],
  { faults = FAULTS, seed = 0, judge, signal, onProgress }: StudyOptions = {},
): Promise<Trial[]> {
  warmUp();
  const trials: Trial[] = [];
  for (const [index, subject] of subjects.entries()) {
    const { suite, planner, schedule } = subject;
    const { name } = schedule.instance;
    const origin = [seed, 'study', suite, name, planner] as const;
    const ruled = equipAround(schedule, createRandom(deriveSeed(...origin)));
    for (const [fault, inject] of Object.entries(faultsFor(schedule.instance))) {
      const { instance } = RULED.has(fault) ? ruled : schedule;
      const random = createRandom(deriveSeed(...origin, fault));
      const valid = planFromSchedule(schedule);
      for (let number = 0; number < faults; number++) {
        signal?.throwIfAborted();
        const faulty = unlessNoPlace(() => inject(instance, valid, random));
        if (faulty === null) break;
        const said = await judge?.(instance, faulty.plan, number);
        const repairSeed = deriveSeed(...origin, fault, number);
        const tried = await tryFault(instance, faulty, schedule.makespan, repairSeed, said, signal);
        trials.push({ fault, instance: name, suite, ...tried });
      }
    }
    onProgress?.(index + 1);
  }
  return trials;
}

/** The classes of faults that plans for an instance may have. */
function faultsFor(instance: Instance): Readonly<Record<string, PlanFault>> {
  return isClassic(instance) ? planFaults : { ...planFaults, ...shopFaults };
}

function unlessNoPlace(inject: () => FaultyPlan): FaultyPlan | null {
  try {
    return inject();
  } catch (error) {
    if (error instanceof AlasError && error.code === 'no_place') return null;
    throw error;
  }
}

async function tryFault(
  instance: Instance,
  { plan, bound }: FaultyPlan,
  makespan: number,
  seed: number,
  said: SelfJudgement | undefined,
  signal: AbortSignal | undefined,
): Promise<Pick<Trial, 'found' | 'endings'>> {
  const planner = { name: 'study', plan: async () => plan };
  const endings: Partial<Record<StudyVariant, Ending>> = {};
  let isFound = false;
  for (const variant of STUDY_VARIANTS) {
    const context = { variant, seed, bound, repair: { seed }, signal };
    const result = await runPipeline(instance, planner, context);
    // A plan that ends before a bound cannot be repaired: the plan or the bound is wrong.
    if (result.status === 'error' && bound === undefined) {
      throw new AlasError('bad_trial', result.error ?? variant, result);
    }
    endings[variant] = endingOf(result, makespan);
    if (variant === 'full') isFound = result.stages.plan?.valid === false;
  }
  if (said !== undefined) {
    const ending = endings[said.valid ? 'no-validation' : 'blind-repair'];
    if (ending !== undefined) endings['self-validation'] = ending;
  }
  return {
    found: { validator: isFound, planner: said === undefined ? null : !said.valid },
    endings,
  };
}

function endingOf({ status, verdict, stages, seconds }: PipelineResult, before: number): Ending {
  const [round] = stages.repair?.history ?? [];
  const feasible = status === 'ok';
  const makespan = verdict?.makespan ?? null;
  return {
    feasible,
    growth: feasible && makespan !== null ? (100 * (makespan - before)) / before : null,
    edited: round?.edited ?? 0,
    radius: round === undefined ? 0 : round.radius,
    seconds: { validate: seconds.validate ?? 0, repair: seconds.repair ?? 0 },
  };
}
