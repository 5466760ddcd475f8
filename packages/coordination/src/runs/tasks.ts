import { InputError } from '@alas-jssp/core';
import { isModelSpec } from 'alas-jssp/llm';
import { CONDITIONS, type ExperimentName } from '../experiments/experiments.js';
import type { Past } from '../judge/past.js';
import { parseClock } from '../model/clock.js';
import type { Problem } from '../model/problem.js';
import { bundledNames, bundledPlan } from '../papers/bundled.js';
import { judgePrintedPlans } from '../papers/printed-plans.js';
import type { CoordinationRecord } from './record.js';

/** One plan, or one verdict, for one planner to make. */
export interface RunTask {
  readonly problem: Problem;
  readonly past: Past | undefined;
  readonly planner: string;
  /** The name of the printed plan. */
  readonly source: string | null;
  readonly replicate: number;
  readonly experiment: CoordinationRecord['experiment'];
}

/** The choice of problems, planners and repetitions. */
export interface RunChoice {
  readonly problems: readonly Problem[];
  readonly planners: readonly string[];
  readonly replicates: number;
  readonly experiment: ExperimentName | null;
}

/** Plans in progress at the time of a change, by the name of the changed problem. */
const PASTS: Readonly<Record<string, readonly [plan: string, now: string]>> = {
  'ride-sharing-reactive': ['ride-sharing', '8:10'],
  'thanksgiving-delay': ['thanksgiving-road', '12:00'],
  'thanksgiving-delay-home': ['alas-table-21', '12:00'],
  'wedding-traffic': ['wedding', '13:00'],
};

/**
 * The tasks of a run, in the order of problems, planners, conditions and replicates.
 *
 * @throws InputError `bad_planner` for an unknown planner, or one unsuitable for an experiment; `no_task` if there is
 *   nothing to do
 */
export function tasksOf({ problems, planners, replicates, experiment }: RunChoice): RunTask[] {
  for (const planner of planners) checkPlanner(planner, experiment !== null);
  const tasks = problems.flatMap((problem) => {
    const past = pastOf(problem);
    if (experiment === 'amnesia' && past === undefined) return [];
    return planners.flatMap((planner): RunTask[] => {
      if (planner === 'papers') return printedTasks(problem);
      const base = { problem, past, planner, source: null };
      const conditions =
        experiment === null
          ? [null]
          : CONDITIONS[experiment].map((condition) => ({ name: experiment, condition }));
      // The search is deterministic, so it runs once.
      const times = planner === 'search' ? 1 : replicates;
      return conditions.flatMap((one) =>
        Array.from({ length: times }, (_, replicate) => ({ ...base, replicate, experiment: one })),
      );
    });
  });
  if (tasks.length > 0) return tasks;
  const names = Object.keys(PASTS).join(', ');
  throw new InputError(
    'no_task',
    'there is nothing to do for these problems',
    experiment === 'amnesia'
      ? `choose problems in which something changes: ${names}`
      : 'choose problems of printed plans, or planner search',
  );
}

/** The past of a bundled problem with a change; undefined for all others. */
function pastOf({ name }: Problem): Past | undefined {
  const found = Object.hasOwn(PASTS, name) ? PASTS[name] : undefined;
  if (found === undefined || !bundledNames('problems').includes(name)) return undefined;
  return { plan: bundledPlan(found[0]), now: parseClock(found[1]) };
}

function printedTasks(problem: Problem): RunTask[] {
  return judgePrintedPlans()
    .filter((one) => one.problem === problem.name)
    .map(({ plan: source, before, now }) => {
      const past =
        before === undefined || now === undefined
          ? undefined
          : { plan: bundledPlan(before), now: parseClock(now) };
      return { problem, past, planner: 'papers', source, replicate: 0, experiment: null };
    });
}

function checkPlanner(planner: string, isExperiment: boolean): void {
  if (isModelSpec(planner)) return;
  const isKnown = planner === 'search' || planner === 'papers';
  if (isKnown && !isExperiment) return;
  throw new InputError(
    'bad_planner',
    isKnown
      ? `an experiment asks a model, and '${planner}' is none`
      : `there is no planner '${planner}'`,
    isKnown
      ? 'give --planner openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL or replay:DIR'
      : 'use search, papers, openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL or replay:DIR',
    {},
    planner,
  );
}
