import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import type { Handler, Registry } from '@alas-jssp/workflow';
import type { ProvenBound } from '../../jssp/bounds.js';
import { objectiveValue } from '../../jssp/objectives.js';
import { asPlan, asSchedule, type Candidate } from '../../jssp/plan.js';
import { copyInstance } from '../../jssp/share-instance.js';
import { validate } from '../../validator/index.js';
import { createValueCodec } from '../codecs.js';
import { cannotBeAsked, isModelPlanner, reportPrompts } from '../planners/llm-planner.js';
import { isHeuristicPlanner } from '../planners/planners.js';
import type {
  PipelineOutcome,
  PipelineStep,
  PlanningEnd,
  ProposedPlan,
  RepairRound,
  SearchedPlan,
  SelfVerdict,
  StageVerdict,
  StepServices,
} from '../step-values.js';
import { searchFrom, searchFromClaims } from './optimize-stage.js';
import { callPlanner } from './plan-stage.js';
import { keepBest, llmRepair, protocolRepair } from './repair-stage.js';

/**
 * Every planner works on a private copy, so that it cannot change the instance of the validator or of other tasks. A
 * copy takes a fiftieth of the time of the fastest planner, so even built-in planners get one.
 */
const plan: PipelineStep<unknown, ProposedPlan> = {
  kind: 'external',
  // Other planners may give any answer.
  isRepeatable: ({ planner }) => isHeuristicPlanner(planner.name),
  handle: (services) => async (_, context) => {
    const { instance, task, planner, stopwatch, signal, model, progress, limits } = services;
    const reportEnd = (made: PlanningEnd['made']) => {
      const seconds = stopwatch.read().plan ?? 0;
      limits?.onProposed?.({ made, progress: progress.read(), seconds });
    };
    try {
      if (model !== undefined) {
        const { ask, read } = model.begin('plan', context);
        const { propose, settings } = model.planner;
        const copy = copyInstance(instance);
        const { replicate } = task;
        const proposal = await stopwatch.time('plan', () =>
          propose(copy, { replicate, signal, ask }),
        );
        const promptReport = reportPrompts(proposal, settings);
        return { candidate: proposal.plan, usage: read(), promptReport };
      }
      if (isModelPlanner(planner)) throw cannotBeAsked(planner);
      const proposed = await stopwatch.time('plan', () => callPlanner(planner, services));
      reportEnd(proposed);
      return proposed;
    } catch (thrown) {
      const error = inOneLine(thrown);
      if (model === undefined) reportEnd({ error });
      throw error;
    }
  },
};

/** A plan to validate, with its author unless the node states it. */
interface JudgedPlan extends Partial<Pick<StageVerdict, 'stage'>> {
  readonly candidate: Candidate;
  readonly bound?: ProvenBound | null;
}

const judge: PipelineStep<JudgedPlan, StageVerdict> = {
  kind: 'pure',
  handle:
    ({ instance, task, stopwatch }) =>
    ({ candidate, bound: proven, stage: whose }, { params, log }) => {
      const bound = proven ?? task.bound ?? undefined;
      const stage = whose ?? (params.stage as StageVerdict['stage']);
      const report = stopwatch.time('validate', () => validate(instance, candidate, { bound }));
      const { valid, makespan } = report;
      const found = Object.entries(report.counts).filter(([, count]) => count > 0);
      const counts = Object.fromEntries(found);
      log(valid ? 'ValidatePass' : 'ValidateFail', { stage, makespan, counts });
      const { objective } = task;
      if (objective === 'makespan') return { valid, makespan, stage, report };
      const value = valid ? objectiveValue(asSchedule(instance, candidate), objective) : null;
      return { valid, makespan, value, stage, report };
    },
};

/** The searches of this thread, one after the other: concurrent ones would share their time budgets. */
let searches: Promise<unknown> = Promise.resolve();

function inTurn<T>(search: () => Promise<T>): Promise<T> {
  const turn = searches.then(search);
  searches = turn.catch(() => {});
  return turn;
}

/** The planner's own verdict on its plan, which one variant trusts. An unreadable answer does not confirm the plan. */
const selfValidate: PipelineStep<{ candidate: Candidate }, SelfVerdict> = {
  kind: 'external',
  handle:
    ({ instance, task, planner, stopwatch, signal, model }) =>
    async ({ candidate }, context) => {
      if (model === undefined) {
        const hint = 'use it with a planner that asks a model';
        const problem = `${planner.name} cannot judge its own plan`;
        throw new InputError('no_model', problem, hint, {}, planner.name);
      }
      const { ask, read } = model.begin('plan', context);
      const { replicate } = task;
      const asked = { replicate, signal, ask };
      const verdict = await stopwatch.time('validate', () =>
        model.planner.judge(instance, asPlan(candidate), asked),
      );
      return { ...verdict, usage: read() };
    },
};

/** A clock or a person may end a search, so a replay takes its result from the log. */
const optimize: PipelineStep<{ candidate: Candidate }, SearchedPlan> = {
  kind: 'external',
  handle:
    ({ instance, task, stopwatch, signal, searchSignal = signal }) =>
    async ({ candidate }, { params }) => {
      const { budget, objective, optimizeSeed, bound } = task;
      if (budget === null) throw new AlasError('no_budget', 'the search has no budget');
      const settings = { budget, objective, seed: optimizeSeed ?? 0, signal: searchSignal };
      // The bound refers to the makespan.
      const known = objective === 'makespan' ? (bound ?? undefined) : undefined;
      const from = [instance, candidate, settings, known] as const;
      return inTurn(() =>
        stopwatch.time('optimize', async () => {
          if (params.believes === true) return searchFromClaims(...from);
          const { schedule, ...search } = await searchFrom(...from);
          return { candidate: schedule, ...search };
        }),
      );
    },
};

const fail: PipelineStep<{ error: { message: string } }> = {
  kind: 'pure',
  handle:
    () =>
    ({ error }) => ({ error: errorLine(error.message) }),
};

const supervise: PipelineStep<
  { last: { error: string } | StageVerdict | RepairRound },
  PipelineOutcome
> = {
  kind: 'pure',
  handle:
    () =>
    ({ last }) => {
      if ('error' in last) return { status: 'error', makespan: null, error: last.error };
      const { valid, makespan, stage, report } = last;
      if (valid) return { status: 'ok', makespan, error: null };
      // A repair may miss limits, which it reports; any other violation is an internal error. The built-in search is
      // validated like a planner, but its violations are internal errors too.
      const isOurs =
        stage === 'optimize' || (stage === 'repair' && 'feasible' in last && last.feasible);
      if (!isOurs) return { status: 'infeasible', makespan: null, error: null };
      const who = stage === 'optimize' ? 'search' : 'repair';
      const error = `the ${who} is wrong, please report it: ${report.violations[0].message}`;
      return { status: 'error', makespan: null, error };
    },
};

/** The steps of the workflows of `blueprint`, by the names of their handlers. */
export const pipelineSteps = {
  plan,
  validate: judge,
  selfValidate,
  repair: protocolRepair,
  llmRepair,
  keepBest,
  optimize,
  fail,
  supervise,
} as const satisfies Record<string, PipelineStep>;

/** The handlers of the steps with which one run plans, validates, repairs and searches. */
export function createPipelineRegistry(services: StepServices): Registry {
  const { instance, logged } = services;
  const codec = logged ? createValueCodec(instance) : undefined;
  const handlers = Object.entries<PipelineStep>(pipelineSteps).map(([name, step]) => {
    const kind = logged && step.isRepeatable?.(services) ? 'pure' : step.kind;
    const run: Handler['run'] = (input, context) => {
      const { signal = context.signal } = services;
      return step.handle({ ...services, signal })(input, context);
    };
    return [name, { kind, run, output: codec, covers: step.covers }] as const;
  });
  return { handlers: Object.fromEntries<Handler>(handlers) };
}

/** Any thrown value as an error with a code and one line of text. */
function inOneLine(error: unknown): AlasError {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
  return new AlasError(word, errorLine(error), error);
}
