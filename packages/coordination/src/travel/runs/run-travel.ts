import { InputError } from 'alas-jssp';
import type { ModelsOptions } from 'alas-jssp/harness';
import type { TeamTopology, TeamVariant } from '../../teams/team.js';
import { asksModel, openTeamModels } from '../../teams/team-models.js';
import { judgeTravel } from '../judge/judge-travel.js';
import { planTripByTeam, type TripTeamResult } from '../llm/trip-team.js';
import { type TravelPlan, travelPlanSchema, writeTravelPlan } from '../model/travel-plan.js';
import type { TravelProblem } from '../model/travel-problem.js';
import { planTravel } from '../plan/plan-travel.js';
import { repairTravel } from '../plan/repair-travel.js';
import {
  TRAVEL_RUN_SCHEMA,
  type TravelJudged,
  type TravelRecord,
  travelRecordKey,
} from './travel-record.js';

/** Settings of runs of planners on trips. */
export interface TravelRunOptions {
  readonly problems: readonly TravelProblem[];
  /** `search`, models, `replay:DIR` and `cassette:FILE`. */
  readonly planners: readonly string[];
  readonly replicates: number;
  readonly topology: TeamTopology;
  readonly variants: readonly TeamVariant[];
  readonly rounds: number;
  readonly models?: ModelsOptions;
  /** Keys of records that exist. */
  readonly done?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Rows of a run before it is made. */
type TravelTask = Pick<
  TravelRecord,
  'planner' | 'replicate' | 'topology' | 'variant' | 'most_rounds'
> & { readonly problem: TravelProblem };

/**
 * Runs planners on trips: claimed, judged alone and after the rounds, repaired, with tokens and cost.
 *
 * @throws InputError for unknown planners; LlmError `BudgetSpent`, `MissingKey`; the reason of the signal
 */
export async function* runTravel(options: TravelRunOptions): AsyncGenerator<TravelRecord> {
  const { planners, done = new Set(), models, signal } = options;
  const unknown = planners.find((one) => one !== 'search' && !asksModel(one));
  if (unknown !== undefined) {
    const hint = 'give search, a model such as openai:gpt-4.1, replay:DIR or cassette:FILE';
    throw new InputError('bad_planner', `there is no planner '${unknown}'`, hint, {}, unknown);
  }
  const opened = await openTeamModels(planners.filter(asksModel), models);
  for (const task of travelTasks(options)) {
    if (done.has(travelRecordKey({ ...task, problem: task.problem.name }))) continue;
    signal?.throwIfAborted();
    const { planner, replicate, problem, topology, variant, most_rounds: rounds } = task;
    const optimum = planTravel(problem, { ...(signal !== undefined && { signal }) });
    const found = optimum.found[0] ?? null;
    if (planner === 'search') {
      const reason =
        optimum.status === 'none'
          ? 'there is no trip, by proof'
          : 'the search ended without a trip';
      yield recordOfPlan(task, found?.plan ?? null, found?.cost ?? null, reason);
      continue;
    }
    const scope = problem.name;
    const ask = opened.askFor({ planner, scope, replicate, signal });
    const memory = { kept: [], now: null };
    const team = { problem, topology, variant, rounds, memory, feedback: [], ask, signal };
    yield recordOfTeam(task, await planTripByTeam(team), found?.cost ?? null);
  }
}

function* travelTasks(options: TravelRunOptions): Generator<TravelTask> {
  const { problems, planners, replicates, topology, variants, rounds } = options;
  for (const problem of problems) {
    for (const planner of planners) {
      if (planner === 'search') {
        yield {
          problem,
          planner,
          replicate: 0,
          topology: 'single',
          variant: 'full',
          most_rounds: 0,
        };
        continue;
      }
      for (const variant of variants) {
        for (let replicate = 0; replicate < replicates; replicate++) {
          yield { problem, planner, replicate, topology, variant, most_rounds: rounds };
        }
      }
    }
  }
}

function judgedTravel(
  problem: TravelProblem,
  plan: TravelPlan,
  optimum: number | null,
): TravelJudged {
  const { valid, violations, cost } = judgeTravel(problem, { ...plan, claimed: null });
  const gap = valid && optimum !== null && optimum > 0 ? (cost.total - optimum) / optimum : null;
  return {
    valid,
    violations: violations.map(({ code, message }) => ({ code, message })),
    money: cost.money / 100,
    cost: cost.total / 100,
    gap_percent: gap === null ? null : 100 * gap,
  };
}

function recordOfPlan(
  { problem, ...task }: TravelTask,
  plan: TravelPlan | null,
  optimum: number | null,
  reason: string,
): TravelRecord {
  const judged = plan && judgedTravel(problem, plan, optimum);
  const total = judged?.money ?? null;
  return {
    schema: TRAVEL_RUN_SCHEMA,
    problem: problem.name,
    ...task,
    optimum: optimum === null ? null : optimum / 100,
    claimed: { feasible: plan !== null, total },
    alone: judged,
    judged,
    plan: plan && travelPlanSchema.parse(writeTravelPlan({ ...plan, claimed: null })),
    repaired: null,
    rounds: [],
    ending: null,
    answers: [],
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    seconds: 0,
    error: plan === null ? reason : null,
  };
}

function recordOfTeam(
  task: TravelTask,
  { rounds, kept, ending }: TripTeamResult,
  optimum: number | null,
): TravelRecord {
  const { problem, variant } = task;
  const first = rounds[0]?.reading?.plan ?? null;
  const reading = kept === null ? null : (rounds[kept]?.reading ?? null);
  const plan = reading?.plan ?? null;
  const last = rounds.at(-1);
  const turns = rounds.flatMap((one) => one.turns);
  const reason = last?.error ?? last?.reading?.problem ?? 'there is no answer';
  const base = recordOfPlan(task, plan, optimum, reason);
  const { feasible = null, total = null } = reading?.claims ?? last?.reading?.claims ?? {};
  const repair =
    plan === null || variant === 'no-repair'
      ? null
      : repairTravel(problem, plan, judgeTravel(problem, { ...plan, claimed: null }));
  const usd = turns.map((one) => one.usd);
  return {
    ...base,
    claimed: { feasible, total: total === null ? null : total / 100 },
    alone: first && judgedTravel(problem, first, optimum),
    repaired: repair && {
      level: repair.level,
      edits: repair.edits,
      edit_radius: repair.editRadius,
      judged: judgedTravel(problem, repair.plan, optimum),
    },
    rounds: rounds.map(({ turns: own, verdict, selfVerdict, error }) => ({
      requests: own.length,
      valid: verdict?.valid ?? null,
      violations: verdict?.violations.length ?? null,
      self_verdict: selfVerdict?.feasible ?? null,
      error,
    })),
    ending,
    answers: turns.map(({ role, purpose, text }) => ({ role, purpose, text })),
    tokens: {
      input: turns.reduce((sum, one) => sum + one.tokens.input, 0),
      output: turns.reduce((sum, one) => sum + one.tokens.output, 0),
    },
    cost_usd: usd.includes(null) ? null : usd.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    seconds: rounds.reduce((sum, one) => sum + one.seconds, 0),
  };
}
