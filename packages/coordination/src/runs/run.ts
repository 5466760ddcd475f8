import { type Models, type ModelsOptions, openModels } from 'alas-jssp/harness';
import { isModelSpec } from 'alas-jssp/llm';
import { judge } from '../judge/judge.js';
import type { AskedForm } from '../llm/answer-forms.js';
import { askModel, type ModelProposal } from '../llm/ask-model.js';
import { formatClock } from '../model/clock.js';
import { type CoordinationPlan, writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { bundledNames, bundledPlan } from '../papers/bundled.js';
import { judgePrintedPlans } from '../papers/printed-plans.js';
import { type PlanResult, planCoordinationAsync } from '../plan/plan.js';
import { judgedOf, repairAnswer, SEARCH_BUDGET } from './outcome.js';
import { type CoordinationRecord, coordinationRecordKey, plainPlan, RUN_SCHEMA } from './record.js';
import { type RunChoice, type RunTask, tasksOf } from './tasks.js';

/** Settings of a run of planners on coordination problems. */
export interface CoordinationRunOptions extends RunChoice {
  /** The format that models are asked to use; answers in any format are parsed. */
  readonly form: AskedForm;
  /** Settings of models: directory of answers, budget, environment with keys. */
  readonly models?: ModelsOptions;
  /** Existing records, by {@link coordinationRecordKey}. */
  readonly done?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** The plan of a planner, its claims, and its costs. */
interface Proposal extends Omit<ModelProposal, 'usage'> {
  readonly tokens: CoordinationRecord['tokens'];
  readonly usd: number | null;
  readonly seconds: number;
}

/**
 * Runs planners on coordination problems, and yields the record of each plan once it is judged and repaired.
 *
 * @throws InputError for unsuitable planners and problems; LlmError `MissingKey`, `BudgetSpent`; the reason of the
 *   signal
 */
export async function* runCoordination(
  options: CoordinationRunOptions,
): AsyncGenerator<CoordinationRecord> {
  const { done = new Set(), signal } = options;
  const tasks = tasksOf(options).filter((task) => !done.has(keyOfTask(task)));
  const asked = [...new Set(tasks.map(({ planner }) => planner).filter(isModelSpec))];
  const models = await openModels(asked, options.models);
  const searches = new Map<string, Promise<PlanResult | string>>();
  for (const task of tasks) {
    signal?.throwIfAborted();
    const { problem, past, source } = task;
    const key = [problem.name, past?.now, JSON.stringify(past?.plan ?? null)].join('\n');
    const search = searches.get(key) ?? searchFor(task, signal);
    searches.set(key, search);
    const found = await search;
    signal?.throwIfAborted();
    const proposal =
      source !== null
        ? printedProposal(source)
        : task.planner === 'search'
          ? searchProposal(found)
          : await modelProposal(task, models, found, options);
    yield recordOf(task, proposal, typeof found === 'string' ? null : found);
  }
}

/** The best plan of a search, or one line with the reason why there is none. */
async function searchFor(
  { problem, past }: RunTask,
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

function searchProposal(found: PlanResult | string): Proposal {
  const none = { answer: null, tokens: { input: 0, output: 0 }, usd: 0 };
  if (typeof found === 'string') {
    const claims = { feasible: false, km: null, finish: null };
    return { ...none, plan: null, claims, seconds: 0, error: found };
  }
  const { plan, cost, stats } = found;
  const claims = { feasible: true, km: cost.metres / 1000, finish: cost.finish };
  return { ...none, plan, claims, seconds: stats.seconds, error: null };
}

/** A printed plan; its claims are the paper's. */
function printedProposal(source: string): Proposal {
  const plan = bundledPlan(source);
  const paper = judgePrintedPlans().find((one) => one.plan === source)?.paper;
  const { metres, finish } = plan.claims;
  const km = metres === undefined ? null : metres / 1000;
  const claims = { feasible: paper === 'feasible', km, finish: finish ?? null };
  const none = { answer: null, tokens: { input: 0, output: 0 }, usd: 0, seconds: 0, error: null };
  return { ...none, plan, claims };
}

async function modelProposal(
  task: RunTask,
  models: Models,
  found: PlanResult | string,
  { form, models: means, signal }: CoordinationRunOptions,
): Promise<Proposal> {
  const ours = bundledNames('plans').includes(task.problem.name) && bundledPlan(task.problem.name);
  const isRight = ours && judge(task.problem, ours, task.past).valid;
  const correct = isRight ? ours : typeof found === 'string' ? null : found.plan;
  const onWait = means?.onWait;
  const { usage, ...proposal } = await askModel(task, models, {
    form,
    signal,
    correctPlan: () => correct,
    ...(onWait !== undefined && { onWait }),
  });
  const { input, output } = usage.tokens;
  return { ...proposal, tokens: { input, output }, usd: usage.usd, seconds: usage.elapsed };
}

function recordOf(task: RunTask, proposal: Proposal, found: PlanResult | null): CoordinationRecord {
  const { problem, past, planner, source, replicate, experiment } = task;
  const { claims, answer, tokens, usd, seconds, error } = proposal;
  // The validity of a plan does not depend on its claims.
  const plan = proposal.plan && { ...proposal.plan, claims: {} };
  const bound = found === null || found.lowerBound <= 0 ? null : found.lowerBound;
  const began = performance.now();
  // Plans of planners that only judge are not repaired.
  const isVerdict = experiment?.name === 'self-validation';
  const verdict = plan && judge(problem, plan, past);
  const claimed = plan && { ...plan, claims: figuresClaimed(claims) };
  const violations = claimed === null ? [] : judge(problem, claimed, past).violations;
  const repair =
    plan === null || isVerdict
      ? { repaired: null, error: null }
      : repairAnswer(problem, plan, past, bound);
  return {
    schema: RUN_SCHEMA,

    problem: problem.name,
    facts: problem.facts,
    planner,
    source,
    replicate,
    experiment,
    bound,
    past: past === undefined ? null : { plan: storedPlan(past.plan), now: formatClock(past.now) },
    claimed: { ...claims, finish: claims.finish === null ? null : formatClock(claims.finish) },
    answer: answer === null ? null : { ...answer, unread: [...answer.unread] },
    plan: plan && storedPlan(plan),
    judged: plan && verdict && judgedOf(problem, plan, { ...verdict, violations }, bound),
    repaired: repair.repaired,
    tokens,
    cost_usd: usd,
    seconds: { plan: seconds, repair: (performance.now() - began) / 1000 },
    error: error ?? repair.error,
  };
}

function figuresClaimed({ km, finish }: Proposal['claims']): CoordinationPlan['claims'] {
  return {
    ...(km !== null && { metres: Math.round(1000 * km) }),
    ...(finish !== null && { finish }),
  };
}

function storedPlan(plan: CoordinationPlan) {
  return plainPlan(writePlan(plan));
}

function keyOfTask(task: RunTask): string {
  return coordinationRecordKey({ ...task, problem: task.problem.name });
}

/** The last problem of each name, because records refer to problems by name. */
export function distinctProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.name, problem])).values()];
}
