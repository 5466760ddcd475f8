import type { AskOptions } from 'alas-jssp/llm';
import type { Controls } from '../experiments/control-models.js';
import { judge } from '../judge/judge.js';
import type { AskedForm } from '../llm/answer-forms.js';
import { askModel, type ModelProposal, NO_PLAN } from '../llm/ask-model.js';
import { bundledNames, bundledPlan } from '../papers/bundled.js';
import { judgePrintedPlans } from '../papers/printed-plans.js';
import type { PlanResult } from '../plan/plan.js';
import { type CoordinationTeamResult, planByTeam } from '../teams/coordination-team.js';
import type { TeamModels } from '../teams/team-models.js';
import type { CoordinationRecord } from './record.js';
import type { RunStep } from './steps.js';
import type { RunTask } from './tasks.js';

/** The plan of a planner, its claims, and its costs. */
export interface PlannerProposal extends Omit<ModelProposal, 'usage'> {
  readonly tokens: CoordinationRecord['tokens'];
  readonly usd: number | null;
  readonly seconds: number;
  /** The work of a team; null for other planners. */
  readonly team: CoordinationTeamResult | null;
}

/** Settings of requests to models. */
export interface ModelMeans {
  readonly models: TeamModels;
  readonly controls: Controls;
  readonly form: AskedForm;
  readonly onWait: AskOptions['onWait'];
  readonly signal: AbortSignal | undefined;
}

const FREE = { answer: null, tokens: { input: 0, output: 0 }, usd: 0, seconds: 0, team: null };
const NO_CLAIMS = { feasible: null, km: null, finish: null };

/** The proposal where nothing can be planned. */
export function blockedProposal(reason: string): PlannerProposal {
  return { ...FREE, plan: null, claims: NO_CLAIMS, error: reason };
}

/** The plan of the search, or the reason why there is none. */
export function searchProposal(found: PlanResult | string): PlannerProposal {
  if (typeof found === 'string') {
    const claims = { feasible: false, km: null, finish: null };
    return { ...FREE, plan: null, claims, error: found };
  }
  const { plan, cost, stats } = found;
  const claims = { feasible: true, km: cost.metres / 1000, finish: cost.finish };
  return { ...FREE, plan, claims, seconds: stats.seconds, error: null };
}

/** A printed plan; its claims are the paper's. */
export function printedProposal(source: string): PlannerProposal {
  const plan = bundledPlan(source);
  const paper = judgePrintedPlans().find((one) => one.plan === source)?.paper;
  const { metres, finish } = plan.claims;
  const km = metres === undefined ? null : metres / 1000;
  const claims = { feasible: paper === 'feasible', km, finish: finish ?? null };
  return { ...FREE, plan, claims, error: null };
}

/** The plan or verdict of a model under a condition of an experiment. */
export async function experimentProposal(
  task: RunTask,
  { models, controls, form, onWait, signal }: ModelMeans,
  found: PlanResult | string,
): Promise<PlannerProposal> {
  const ours = bundledNames('plans').includes(task.problem.name) && bundledPlan(task.problem.name);
  const isRight = ours && judge(task.problem, ours, task.past).valid;
  const correct = isRight ? ours : typeof found === 'string' ? null : found.plan;
  const attempt = controls.askFor(task.planner, task) ?? models.models.askFor(task.planner);
  const { usage, ...proposal } = await askModel(task, attempt, {
    form,
    signal,
    correctPlan: () => correct,
    ...(onWait !== undefined && { onWait }),
  });
  const { input, output } = usage.tokens;
  return {
    ...proposal,
    tokens: { input, output },
    usd: usage.usd,
    seconds: usage.elapsed,
    team: null,
  };
}

/** The plan of a model: of one request, or of a team in several rounds. */
export async function teamProposal(
  { planner, replicate, way }: RunTask,
  { problem, past, disruption }: RunStep,
  { models, form, onWait, signal }: ModelMeans,
): Promise<PlannerProposal> {
  const time = disruption?.at == null ? '' : `@${disruption.at}`;
  const scope = `${problem.name}${time}`;
  const ask = models.askFor({ planner, scope, replicate, onWait, signal });
  const team = await planByTeam({ ...way, problem, past, form, ask, signal });
  const { rounds, kept } = team;
  const round = rounds[kept ?? rounds.length - 1];
  const { reading, answer } = round;
  const plan = reading?.plan ?? null;
  const turns = rounds.flatMap((one) => one.turns);
  const sum = (of: (one: (typeof turns)[number]) => number) =>
    turns.reduce((all, one) => all + of(one), 0);
  const isPriced = turns.every(({ usd }) => usd !== null);
  const read = answer && { text: answer.text, finish: answer.finish, key: answer.key };
  return {
    plan,
    claims: reading?.claims ?? NO_CLAIMS,
    answer: read && reading && { ...read, form: reading.form, unread: reading.unread },
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum((one) => one.tokens.output) },
    usd: isPriced ? sum(({ usd }) => usd ?? 0) : null,
    seconds: rounds.reduce((all, one) => all + one.seconds, 0),
    error: plan === null ? (rounds.at(-1)?.error ?? NO_PLAN) : null,
    team,
  };
}
