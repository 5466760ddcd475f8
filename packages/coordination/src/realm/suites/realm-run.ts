import { AlasError, deriveSeed, InputError } from '@alas-jssp/core';
import type { ModelsOptions } from 'alas-jssp/harness';
import type { AskedForm } from '../../llm/answer-forms.js';
import { asksModel, openTeamModels, type TeamModels } from '../../teams/team-models.js';
import type {
  RealmEvent,
  RealmProblem,
  RealmSearch,
  RealmVerdict,
} from '../problems/realm-problem.js';
import { askRealm, type RealmProposal, type RealmTeam } from './ask-realm.js';
import type { LoadedInstance } from './load-suite.js';
import {
  REALM_RUN_SCHEMA,
  type RealmRecord,
  type RealmStep,
  realmRecordKey,
} from './realm-record.js';
import type { RealmSuite } from './suite.js';

/** Planners that are no models. */
const REALM_PLANNERS = ['search', 'random'] as const;

/** Settings of a run of planners on a suite. */
export interface RealmRunOptions {
  readonly suite: RealmSuite;
  readonly instances: readonly LoadedInstance[];
  readonly planners: readonly string[];
  readonly replicates: number;
  readonly seed: number;
  /** The format that models are asked to use, where the kind of problem knows several. */
  readonly form: AskedForm;
  /** How models plan. Default: alone, without feedback. */
  readonly team?: RealmTeam;
  readonly models?: ModelsOptions;
  /** Existing records, by {@link realmRecordKey}. */
  readonly done?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** One request, and no feedback. */
const ALONE: RealmTeam = { topology: 'single', rounds: 0 };

type SuiteTask = Pick<RealmRecord, 'planner' | 'team' | 'replicate'> & {
  readonly instance: LoadedInstance;
};

/**
 * Runs planners on the instances of a suite and on their events, and yields a record for each instance, planner and
 * replicate.
 *
 * @throws InputError `bad_planner`; LlmError `BudgetSpent`, `MissingKey`; the reason of the signal
 */
export async function* runRealm(options: RealmRunOptions): AsyncGenerator<RealmRecord> {
  const { suite, seed, done = new Set(), signal } = options;
  const keyOf = ({ instance, planner, team, replicate }: SuiteTask) =>
    realmRecordKey({
      suite,
      instance: instance.name,
      completed: instance.completed,
      planner,
      team,
      replicate,
      seed,
    });
  const tasks = tasksOf(options).filter((task) => !done.has(keyOf(task)));
  const asked = [...new Set(tasks.map(({ planner }) => planner).filter(asksModel))];
  const models = await openTeamModels(asked, options.models);
  const first = new Map<LoadedInstance, Promise<RealmSearch>>();
  for (const task of tasks) {
    signal?.throwIfAborted();
    const { instance, planner, team, replicate } = task;
    const { problem, name, origin, completed, contradictions, refused } = instance;
    if (problem !== null && !first.has(instance)) first.set(instance, problem.search(signal));
    const search = await first.get(instance);
    signal?.throwIfAborted();
    const steps = problem && search ? await stepsOf(problem, search, task, models, options) : [];
    yield {
      schema: REALM_RUN_SCHEMA,
      suite,
      instance: name,
      origin,
      completed: { ...completed },
      contradictions: contradictions.map(({ code, message }) => ({ code, message })),
      refused: refused.map(({ code, message }) => ({ code, message })),
      assumptions: [...(problem?.assumptions ?? [])],
      unit: problem?.unit ?? null,
      facts: problem?.facts ?? null,
      planner,
      team,
      replicate,
      seed,
      steps,
    };
  }
}

/** The tasks of a run, by instance. The search gives the same plan each time, so it runs once. */
function tasksOf({ instances, planners, replicates, team = ALONE }: RealmRunOptions): SuiteTask[] {
  for (const planner of planners) checkPlanner(planner);
  return instances.flatMap((instance) =>
    planners.flatMap((planner) =>
      Array.from(
        { length: planner === 'search' || instance.problem === null ? 1 : replicates },
        (_, replicate) => ({
          instance,
          planner,
          team: asksModel(planner) ? { topology: team.topology, rounds: team.rounds } : null,
          replicate,
        }),
      ),
    ),
  );
}

function checkPlanner(planner: string): void {
  if (asksModel(planner) || REALM_PLANNERS.some((one) => one === planner)) return;
  const hint =
    'use search, random, openai:MODEL, anthropic:MODEL, openai-compatible:MODEL@URL, replay:DIR or cassette:FILE';
  throw new InputError(
    'bad_planner',
    `there is no planner '${planner}' for suites`,
    hint,
    {},
    planner,
  );
}

/** The plan of a planner, and its plans after each event. Events that no valid plan reaches count as not planned. */
async function stepsOf(
  problem: RealmProblem,
  search: RealmSearch,
  task: SuiteTask,
  models: TeamModels,
  options: RealmRunOptions,
): Promise<RealmStep[]> {
  const plan = (one: RealmProblem, found: RealmSearch, number = 0) =>
    propose(one, found, { ...task, step: number }, models, options);
  const steps = [await stepOf(problem, search, await plan(problem, search), null, null)];
  let [now, next]: [RealmProblem, RealmEvent | undefined] = [problem, problem.events[0]];
  while (next !== undefined) {
    options.signal?.throwIfAborted();
    const last = steps[steps.length - 1];
    const before = last.judged?.valid === true ? last.plan : (last.repaired?.plan ?? null);
    try {
      // What is known before anything is done needs no plan that was carried out.
      if (before === null && next.at !== null) throw new AlasError('no_plan', NOT_CARRIED_OUT);
      now = next.apply(before);
    } catch (error) {
      if (!(error instanceof AlasError)) throw error;
      return [...steps, ...now.events.map((event) => unreachedStep(event, last, error.message))];
    }
    const found = await now.search(options.signal);
    options.signal?.throwIfAborted();
    const isKept = before === null ? null : now.judge(before).valid;
    steps.push(await stepOf(now, found, await plan(now, found, steps.length), next, isKept));
    next = now.events[0];
  }
  return steps;
}

const NOT_CARRIED_OUT = 'there is no valid plan that could have been carried out until then';

async function propose(
  problem: RealmProblem,
  found: RealmSearch,
  { planner, team, replicate, instance, step }: SuiteTask & { readonly step: number },
  models: TeamModels,
  { seed, suite, form, models: means, signal }: RealmRunOptions,
): Promise<RealmProposal> {
  const none = { answer: null, team: null, tokens: { input: 0, output: 0 }, usd: 0 };
  if (planner === 'search') {
    const claims = { feasible: found.plan !== null, cost: found.cost };
    return { ...none, plan: found.plan, claims, seconds: found.seconds, error: found.reason };
  }
  if (planner === 'random') {
    const began = performance.now();
    const plan = problem.random(
      deriveSeed(suite, instance.name, seed, replicate, step, 'random plan'),
    );
    const seconds = (performance.now() - began) / 1000;
    return { ...none, plan, claims: { feasible: null, cost: null }, seconds, error: null };
  }
  const onWait = means?.onWait;
  const scope = step === 0 ? instance.name : `${instance.name}@${step}`;
  return askRealm(problem, planner, models, {
    ...(team ?? ALONE),
    form,
    replicate,
    scope,
    signal,
    ...(onWait && { onWait }),
  });
}

async function stepOf(
  problem: RealmProblem,
  found: RealmSearch,
  proposal: RealmProposal,
  event: RealmEvent | null,
  stillValid: boolean | null,
): Promise<RealmStep> {
  const { plan, claims, answer, team, tokens, usd, seconds, error } = proposal;
  const { bound } = found;
  const verdict = plan === null ? null : problem.judge(plan);
  const began = performance.now();
  const repair = await repairOf(problem, plan, verdict);
  return {
    event: event?.text ?? null,
    now: event?.at ?? null,
    still_valid: stillValid,
    bound,
    search: found.status,
    claimed: claims,
    answer,
    team,
    plan,
    judged: verdict && {
      valid: verdict.valid,
      violations: verdict.violations.map(({ code, message }) => ({ code, message })),
      cost: verdict.cost,
      gap_percent: gapOf(verdict.valid ? verdict.cost : null, bound),
    },
    repaired: repair.repaired && {
      ...repair.repaired,
      gap_percent: gapOf(repair.repaired.cost, bound),
    },
    tokens,
    cost_usd: usd,
    seconds: { plan: seconds, repair: (performance.now() - began) / 1000 },
    error: error ?? repair.error,
  };
}

/** A valid plan near an invalid one; or the reason why there is none. */
async function repairOf(problem: RealmProblem, plan: unknown, verdict: RealmVerdict | null) {
  if (verdict === null || verdict.valid || problem.repair === undefined) {
    return { repaired: null, error: null };
  }
  try {
    const found = await problem.repair(plan);
    if (found === null) return { repaired: null, error: 'no valid plan is near it' };
    const { valid, violations, cost } = problem.judge(found.plan);
    if (!valid) return { repaired: null, error: `after repair, ${violations[0]?.message}` };
    const { edits, radius } = found;
    return { repaired: { plan: found.plan, edits, edit_radius: radius, cost }, error: null };
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    return { repaired: null, error: error.message };
  }
}

/** The step of an event that no plan reaches, or that contradicts what has been done: it counts as not planned. */
function unreachedStep({ text, at }: RealmEvent, last: RealmStep, error: string): RealmStep {
  return {
    event: text,
    now: at,
    still_valid: null,
    bound: null,
    search: last.search === 'infeasible' ? 'infeasible' : 'open',
    claimed: { feasible: null, cost: null },
    answer: null,
    team: null,
    plan: null,
    judged: null,
    repaired: null,
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    seconds: { plan: 0, repair: 0 },
    error,
  };
}

/** Percent above a bound; null without a cost or a bound, or if the bound is 0 and the cost is not. */
function gapOf(cost: number | null, bound: number | null): number | null {
  if (cost === null || bound === null) return null;
  if (bound <= 0) return cost === bound ? 0 : null;
  return (100 * (cost - bound)) / bound;
}
