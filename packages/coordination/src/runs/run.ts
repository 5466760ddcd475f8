import type { ModelsOptions } from 'alas-jssp/harness';
import { openControls } from '../experiments/control-models.js';
import { measureContext } from '../experiments/measure-context.js';
import type { AskedForm } from '../llm/answer-forms.js';
import { formatClock } from '../model/clock.js';
import { writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type PlanResult, planCoordinationAsync } from '../plan/plan.js';
import type { TeamWay } from '../teams/coordination-team.js';
import { asksModel, openTeamModels } from '../teams/team-models.js';
import { teamRolesFor } from '../teams/team-roles.js';
import { repairAnswer, SEARCH_BUDGET } from './outcome.js';
import {
  blockedProposal,
  experimentProposal,
  type ModelMeans,
  type PlannerProposal,
  printedProposal,
  searchProposal,
  teamProposal,
} from './proposal.js';
import { type CoordinationRecord, coordinationRecordKey, plainPlan, RUN_SCHEMA } from './record.js';
import { firstStep, nextStep, type RunStep, stepsOf } from './steps.js';
import { type RunChoice, type RunTask, tasksOf } from './tasks.js';
import { blockedTeam, judgedWithClaims, teamRecordOf } from './team-outcome.js';

/** Settings of a run of planners on coordination problems. */
export interface CoordinationRunOptions extends RunChoice {
  /** The format that models are asked to use; answers in any format are parsed. */
  readonly form: AskedForm;
  /** Settings of models: directory of answers, budget, environment with keys. */
  readonly models?: ModelsOptions;
  /** Existing records by {@link coordinationRecordKey}: they are not made again, and streams of events go on from them. */
  readonly done?: ReadonlyMap<string, CoordinationRecord>;
  readonly signal?: AbortSignal;
}

/** The search for the best plan of a step, which also gives the bound; it is made once. */
type Search = (step: RunStep) => Promise<PlanResult | string>;

/**
 * Runs planners on coordination problems, and yields the record of each plan once it is judged and repaired. In a
 * stream of events, the plan that a record ends with is carried out until the next events become known, and the planner
 * plans again with this past.
 *
 * @throws InputError for unsuitable planners, problems and events; LlmError `MissingKey`, `BudgetSpent`; the reason of
 *   the signal
 */
export async function* runCoordination(
  options: CoordinationRunOptions,
): AsyncGenerator<CoordinationRecord> {
  const { done = new Map(), signal, form, models: means } = options;
  const tasks = tasksOf(options).filter((task) =>
    stepsOf(task).some((disruption) => !done.has(keyOf(task, disruption))),
  );
  const asked = [...new Set(tasks.map(({ planner }) => planner).filter(asksModel))];
  const models = await openTeamModels(asked, means);
  const search = createSearch(signal);
  const controls = openControls(tasks.map(({ planner }) => planner));
  const asking = { models, controls, form, onWait: means?.onWait, signal };
  for (const task of tasks) {
    for (let step: RunStep | null = firstStep(task); step !== null; ) {
      const before = done.get(keyOf(task, step.disruption));
      const record: CoordinationRecord = before ?? (await recordOfStep(task, step, search, asking));
      if (before === undefined) yield record;
      step = nextStep(task, step, record);
    }
  }
}

function createSearch(signal: AbortSignal | undefined): Search {
  const searches = new Map<string, Promise<PlanResult | string>>();
  return (step) => {
    const { problem, past } = step;
    const key = JSON.stringify([problem.facts, past?.now ?? null, past?.plan ?? null]);
    const found = searches.get(key) ?? searchFor(step, signal);
    searches.set(key, found);
    return found;
  };
}

/** The best plan of a search, or one line with the reason why there is none. */
async function searchFor(
  { problem, past }: RunStep,
  signal: AbortSignal | undefined,
): Promise<PlanResult | string> {
  try {
    return await planCoordinationAsync(problem, {
      ...(past !== undefined && { past }),
      ...(signal !== undefined && { signal }),
      budget: SEARCH_BUDGET,
    });
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return error.message;
  }
}

async function recordOfStep(
  task: RunTask,
  step: RunStep,
  search: Search,
  means: ModelMeans,
): Promise<CoordinationRecord> {
  const { signal } = means;
  signal?.throwIfAborted();
  if (step.blocked !== null) return recordOf(task, step, blockedProposal(step.blocked), null);
  const found = await search(step);
  signal?.throwIfAborted();
  const proposal = await proposalOf(task, step, means, found);
  const record = recordOf(task, step, proposal, typeof found === 'string' ? null : found);
  return { ...record, experiment: measureContext(task, proposal.plan, means.form) };
}

async function proposalOf(
  task: RunTask,
  step: RunStep,
  means: ModelMeans,
  found: PlanResult | string,
): Promise<PlannerProposal> {
  if (task.source !== null) return printedProposal(task.source);
  if (task.planner === 'search') return searchProposal(found);
  if (task.experiment !== null) return experimentProposal(task, means, found);
  return teamProposal(task, step, means);
}

function recordOf(
  { planner, source, replicate, experiment, way }: RunTask,
  { problem, past, disruption }: RunStep,
  proposal: PlannerProposal,
  found: PlanResult | null,
): CoordinationRecord {
  const { claims, answer, tokens, usd, seconds, error, team } = proposal;
  const plan = proposal.plan && { ...proposal.plan, claims: {} };
  const bound = found === null || found.lowerBound <= 0 ? null : found.lowerBound;
  const judgedRound: Parameters<typeof teamRecordOf>[3] = (made, claimed) =>
    judgedWithClaims(problem, made, claimed, past, bound);
  const workOf = () => {
    if (team === null) return blockedTeam(way);
    return teamRecordOf(team, way, teamRolesFor(problem, past), judgedRound);
  };
  const began = performance.now();
  const repair =
    plan !== null && isRepaired(way, experiment, team)
      ? repairAnswer(problem, plan, past, bound)
      : { repaired: null, error: null };
  return {
    schema: RUN_SCHEMA,
    problem: problem.name,
    facts: problem.facts,
    planner,
    source,
    replicate,
    experiment: null,
    variant: way.variant,
    team: isAlone(way) || experiment !== null ? null : workOf(),
    disruption,
    bound,
    past: past === undefined ? null : { plan: storedPlan(past.plan), now: formatClock(past.now) },
    claimed: { ...claims, finish: claims.finish === null ? null : formatClock(claims.finish) },
    answer: answer === null ? null : { ...answer, unread: [...answer.unread] },
    plan: plan && storedPlan(plan),
    judged: plan && judgedRound(plan, claims),
    repaired: repair.repaired,
    tokens,
    cost_usd: usd,
    seconds: { plan: seconds, repair: (performance.now() - began) / 1000 },
    error: error ?? repair.error,
  };
}

/**
 * Whether a plan is repaired by code: in the full loop, and where the planner rejects its own plan. Plans of planners
 * that only judge are not.
 */
function isRepaired(
  { variant }: TeamWay,
  experiment: RunTask['experiment'],
  team: PlannerProposal['team'],
): boolean {
  if (experiment?.name === 'self-validation') return false;
  if (variant !== 'self-validation') return variant === 'full';
  const kept = team?.kept ?? null;
  return kept !== null && team?.rounds[kept].selfVerdict?.feasible === false;
}

/** Whether one request to one planner makes the plan, so that there is nothing to record of a team. */
function isAlone({ topology, rounds, variant }: TeamWay): boolean {
  return topology === 'single' && rounds === 0 && variant !== 'self-validation';
}

function storedPlan(plan: Parameters<typeof writePlan>[0]) {
  return plainPlan(writePlan(plan));
}

function keyOf(task: RunTask, disruption: CoordinationRecord['disruption']): string {
  const { way, problem } = task;
  const team = isAlone(way) ? null : { topology: way.topology, most_rounds: way.rounds };
  return coordinationRecordKey({
    ...task,
    problem: problem.name,
    variant: way.variant,
    team,
    disruption,
  });
}

/** The last problem of each name, because records refer to problems by name. */
export function distinctProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.name, problem])).values()];
}
