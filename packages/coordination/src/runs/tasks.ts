import { InputError } from '@alas-jssp/core';
import type { CoordinationEvent, EventList } from '../events/events.js';
import { isControl, memoryOfControl } from '../experiments/control.js';
import {
  EXPERIMENTS_OF,
  type ExperimentChoice,
  type ExperimentTrial,
  type TrialSettings,
  trialsOf,
} from '../experiments/experiments.js';
import type { Past } from '../judge/past.js';
import { parseClock } from '../model/clock.js';
import type { Problem } from '../model/problem.js';
import { bundledNames, bundledPlan } from '../papers/bundled.js';
import { judgePrintedPlans } from '../papers/printed-plans.js';
import type { TeamWay } from '../teams/coordination-team.js';
import type { TeamVariant } from '../teams/team.js';
import { asksModel, isCassette } from '../teams/team-models.js';

/** One plan, or one verdict, for one planner to make. */
export interface RunTask {
  readonly problem: Problem;
  readonly past: Past | undefined;
  readonly planner: string;
  /** The name of the printed plan. */
  readonly source: string | null;
  readonly replicate: number;
  readonly experiment: ExperimentTrial | null;
  /** How models work on it. */
  readonly way: TeamWay;
  /** Events that become known while the plan is carried out; after each the planner plans again. */
  readonly events: readonly CoordinationEvent[];
}

/** The choice of problems, planners and repetitions. */
export interface RunChoice {
  readonly problems: readonly Problem[];
  readonly planners: readonly string[];
  readonly replicates: number;
  readonly experiment: ExperimentChoice | null;
  /** The conditions of the experiment. Default: all of its arms. */
  readonly trials?: TrialSettings | undefined;
  /** How models work on plans. Default: one request. */
  readonly team?: Omit<TeamWay, 'variant'> | undefined;
  /** Ablations of the loop, each with its own records. Default: `full`. */
  readonly variants?: readonly TeamVariant[] | undefined;
  /** Streams of events, each for a problem by its name. */
  readonly events?: readonly EventList[] | undefined;
}

/** One request to one planner. */
const ALONE = { topology: 'single', rounds: 0 } as const;

/** Plans in progress at the time of a change, by the name of the changed problem. */
const PASTS: Readonly<Record<string, readonly [plan: string, now: string]>> = {
  'ride-sharing-reactive': ['ride-sharing', '8:10'],
  'thanksgiving-delay': ['thanksgiving-road', '12:00'],
  'thanksgiving-delay-home': ['alas-table-21', '12:00'],
  'wedding-traffic': ['wedding', '13:00'],
};

/**
 * The tasks of a run, in the order of problems, planners, conditions, variants and replicates.
 *
 * @throws InputError `bad_planner` for an unknown planner, or one unsuitable for an experiment; `bad_events` for events
 *   of another problem; `no_task` if there is nothing to do
 */
export function tasksOf(choice: RunChoice): RunTask[] {
  const { problems, planners, experiment, events = [] } = choice;
  for (const planner of planners) checkPlanner(planner, experiment !== null);
  checkLoop(choice);
  const tasks = problems.flatMap((problem) => {
    const stream = events.flatMap((list) => (list.problem === problem.name ? list.events : []));
    return planners.flatMap((planner) => tasksFor(choice, problem, planner, stream));
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

/** The tasks of a planner for a problem. */
function tasksFor(
  { replicates, experiment, trials, team = ALONE, variants = ['full'] }: RunChoice,
  problem: Problem,
  planner: string,
  events: readonly CoordinationEvent[],
): RunTask[] {
  if (planner === 'papers') return events.length > 0 ? [] : printedTasks(problem);
  const conditions =
    experiment === null
      ? [null]
      : EXPERIMENTS_OF[experiment].flatMap((name) => trialsOf(name, trials));
  // The search is deterministic and asks nobody, so it runs once, and in one variant.
  const [times, ways] =
    planner === 'search'
      ? [1, [{ ...ALONE, variant: 'full' } as const]]
      : [replicates, variants.map((variant) => ({ ...team, variant }))];
  const base = { problem, past: pastOf(problem), planner, source: null, events };
  const possible = conditions.filter((one) => one?.name !== 'amnesia' || base.past !== undefined);
  return possible.flatMap((one) =>
    ways.flatMap((way) =>
      Array.from({ length: times }, (_, replicate) => ({
        ...base,
        replicate,
        experiment: one,
        way,
      })),
    ),
  );
}

/** Checks that teams, variants and events fit the rest of the choice. */
function checkLoop({ problems, experiment, team, variants, events = [] }: RunChoice): void {
  const isLoop = team !== undefined || variants !== undefined || events.length > 0;
  if (experiment !== null && isLoop) {
    throw new InputError(
      'bad_option',
      'an experiment has prompts of its own, without teams, rounds, variants or events',
      'leave out --experiment, or the other options',
    );
  }
  for (const { problem } of events) {
    if (problems.some(({ name }) => name === problem)) continue;
    const names = problems.map(({ name }) => name).join(', ');
    throw new InputError(
      'bad_events',
      `the events are for '${problem}', which is not among the problems`,
      `give --problem ${problem}, or events for ${names}`,
      {},
      problem,
    );
  }
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
      return {
        problem,
        past,
        planner: 'papers',
        source,
        replicate: 0,
        experiment: null,
        way: { ...ALONE, variant: 'full' },
        events: [],
      };
    });
}

function checkPlanner(planner: string, isExperiment: boolean): void {
  if (isControl(planner)) memoryOfControl(planner);
  if (isControl(planner) && isExperiment) return;
  if (asksModel(planner) && !(isExperiment && isCassette(planner))) return;
  const isKnown = planner === 'search' || planner === 'papers' || isCassette(planner);
  if (isKnown && !isExperiment) return;
  const models = 'openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL or replay:DIR';
  throw new InputError(
    'bad_planner',
    isKnown
      ? `an experiment asks a model, and '${planner}' is none`
      : `there is no planner '${planner}'`,
    isKnown ? `give --planner ${models}` : `use search, papers, cassette:FILE, ${models}`,
    {},
    planner,
  );
}
