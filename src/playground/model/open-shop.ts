import { type Plan, type Schedule, scheduleFromPlan, validate } from '../../browser/index.js';
import type { LoadedInstance } from './instances.js';
import { makePlan } from './make-plan.js';
import { type PlayState, type StepReport, validSchedule } from './play-state.js';

/** The title and the sentence of a step. */
export interface StepWords {
  readonly title: string;
  readonly sentence: string;
}

/** A plan from outside as a schedule if it breaks no rule and claims nothing wrong; otherwise unchanged. */
export function acceptPlan(instance: Schedule['instance'], plan: Plan): Plan | Schedule {
  return validate(instance, plan, { limit: 1 }).valid ? scheduleFromPlan(instance, plan) : plan;
}

function planStep({ title, sentence }: StepWords): StepReport {
  return { kind: 'plan', title, sentence, figures: [], moves: null, milliseconds: null };
}

/** A shop with a plan, before any event. */
export function shopWith(
  { instance, known }: LoadedInstance,
  candidate: Plan | Schedule,
  words: StepWords,
): PlayState {
  const schedule = validSchedule({ candidate });
  return {
    // The instance of a schedule has its modes.
    instance: schedule?.instance ?? instance,
    candidate,
    now: null,
    known,
    proven: null,
    event: null,
    step: planStep(words),
  };
}

/** A shop with the plan of the best dispatch rule. */
export function openedShop(loaded: LoadedInstance): PlayState {
  const { instance } = loaded;
  const { jobs, machines, operations, name } = instance;
  return shopWith(loaded, makePlan(instance, 'best'), {
    title: `Opened ${name}`,
    sentence: `${name} has ${jobs} jobs, ${machines} machines and ${operations} operations. The plan is that of the best dispatch rule: optimize it, or break a machine.`,
  });
}

/** The same shop with another plan. */
export function withPlan(
  state: PlayState,
  candidate: Plan | Schedule,
  words: StepWords,
): PlayState {
  const schedule = validSchedule({ candidate });
  const instance = schedule?.instance ?? state.instance;
  return { ...state, instance, candidate, event: null, step: planStep(words) };
}
