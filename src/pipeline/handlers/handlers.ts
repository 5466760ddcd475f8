import { AlasError } from '../../core/errors.js';
import { deriveSeed } from '../../core/random.js';
import type { Instance } from '../../jssp/instance.js';
import { type Candidate, isSchedule } from '../../jssp/plan.js';
import { createSchedule } from '../../jssp/schedule.js';
import { repairPlan } from '../../lcrp/plan/repair-plan.js';
import { type KnownBound, validate } from '../../validator/index.js';
import type { Handler, Registry } from '../../workflow/index.js';
import { createValueCodec } from '../codecs.js';
import { errorLine } from '../error-line.js';
import { createTaskCodec, type PipelineTask } from '../pipeline-task.js';
import { isHeuristicPlanner } from '../planners/planners.js';
import type {
  Found,
  PipelineOutcome,
  PipelineServices,
  Proposed,
  RepairDetails,
  Repaired,
  Revalidated,
  Verdict,
} from '../step-values.js';
import { chooseHandler, mendHandler } from './mend-handlers.js';
import { searchFrom } from './optimize-stage.js';

/** The handlers by which the workflows of `blueprint` plan, judge, repair and search. */
export function createPipelineRegistry(task: PipelineTask, services: PipelineServices): Registry {
  const codec = services.logged ? createValueCodec(task.instance) : undefined;
  const handlers: Record<string, Handler> = {
    plan: { ...planHandler(task, services), output: codec },
    validate: { ...validateHandler(task, services), output: codec },
    repair: { ...repairHandler(task, services), output: codec },
    gather: { ...gatherHandler, output: codec },
    mend: { ...mendHandler(task, services), output: codec },
    choose: { ...chooseHandler, output: codec },
    optimize: { ...optimizeHandler(task, services), output: codec },
    giveUp: giveUpHandler,
    supervise: superviseHandler,
  };
  return { handlers, input: services.logged ? createTaskCodec(task) : undefined };
}

/**
 * Every planner, ours or not, plans on a private copy: the judge and the neighbours never see what
 * it does to the numbers. The copy takes a fiftieth of the time of the fastest planner, so none is trusted.
 */
function planHandler(
  { instance, seed, replicate }: PipelineTask,
  { planner, stopwatch, signal, logged, model }: PipelineServices,
): Handler<unknown, Proposed> {
  return {
    // A replay asks our own again; the others may give any answer.
    kind: logged && isHeuristicPlanner(planner.name) ? 'pure' : 'external',
    run: async (_, { runId }) => {
      try {
        const copy = privateCopy(instance);
        if (model !== undefined) {
          const { ask, read } = model.begin('plan', runId);
          const { plan, told } = await stopwatch.time('plan', () =>
            model.planner.propose(copy, { replicate, signal, ask }),
          );
          return { candidate: plan, spent: read(), told };
        }
        const made = await stopwatch.time('plan', () =>
          planner.plan(copy, { seed, replicate, signal }),
        );
        return { candidate: isSchedule(made) ? createSchedule(instance, made.start) : made };
      } catch (error) {
        throw inOneLine(error);
      }
    },
  };
}

function validateHandler(
  { instance, bound }: PipelineTask,
  { stopwatch }: PipelineServices,
): Handler<{ candidate: Candidate; bound?: KnownBound | null }, Verdict> {
  return {
    kind: 'pure',
    run: ({ candidate, bound: proven }, { params, log }) => {
      const known = proven ?? bound ?? undefined;
      const stage = params.stage as Verdict['stage'];
      const report = stopwatch.time('validate', () =>
        validate(instance, candidate, { bound: known }),
      );
      const { valid, makespan } = report;
      const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
      log(valid ? 'ValidatePass' : 'ValidateFail', {
        stage,
        makespan,
        counts: Object.fromEntries(counts),
      });
      return { valid, makespan, stage, report };
    },
  };
}

/** Every round repairs what the one before it left (Table 6), with a seed of its own. */
function repairHandler(
  { instance, repairSeed }: PipelineTask,
  { stopwatch, signal }: PipelineServices,
): Handler<{ candidate: Candidate; details?: RepairDetails }, Repaired> {
  return {
    kind: 'pure',
    run: async ({ candidate, details: before }, { log }) => {
      const rounds = (before?.rounds ?? 0) + 1;
      const base = repairSeed ?? 0;
      const seed = rounds === 1 ? base : deriveSeed(base, rounds);
      log('RepairStart', { round: rounds });
      const { schedule, ...did } = await stopwatch.time('repair', () =>
        repairPlan(instance, candidate, { seed, signal }),
      );
      const { feasible, rebuilt, evaluations } = did;
      const details = before === undefined ? did : { ...before, feasible, rebuilt, evaluations };
      log('RepairApply', { round: rounds, feasible, inserted: did.inserted, evaluations });
      return { candidate: schedule, feasible, details: { ...details, rounds } };
    },
  };
}

/** Puts together what a round gives. */
const gatherHandler: Handler<Revalidated, Revalidated> = {
  kind: 'pure',
  run: (round, { log }) => {
    const { valid, makespan, details } = round;
    if (valid) log('RepairCommit', { round: details.rounds, makespan });
    return round;
  },
};

/** The searches of this thread, one after the other: two would share the seconds of their budgets. */
let searches: Promise<unknown> = Promise.resolve();

function inTurn<T>(search: () => Promise<T>): Promise<T> {
  const turn = searches.then(search);
  searches = turn.catch(() => {});
  return turn;
}

/** A search may be ended by a clock or a person, so that a replay takes what it found from the log. */
function optimizeHandler(
  { instance, budget, optimizeSeed, bound }: PipelineTask,
  { stopwatch, signal, searchSignal = signal }: PipelineServices,
): Handler<Proposed, Found> {
  return {
    kind: 'external',
    run: async ({ candidate }) => {
      if (budget === null) throw new AlasError('no_budget', 'the search has no budget');
      const settings = { budget, seed: optimizeSeed ?? 0, signal: searchSignal };
      const { schedule, ...search } = await inTurn(() =>
        stopwatch.time('optimize', () =>
          searchFrom(instance, candidate, settings, bound ?? undefined),
        ),
      );
      return { candidate: schedule, ...search };
    },
  };
}

const giveUpHandler: Handler<{ error: { message: string } }> = {
  kind: 'pure',
  run: ({ error }) => ({ error: errorLine(error.message) }),
};

const superviseHandler: Handler<
  { last: { error: string } | Verdict | Revalidated },
  PipelineOutcome
> = {
  kind: 'pure',
  run: ({ last }) => {
    if ('error' in last) return { status: 'error', makespan: null, error: last.error };
    const { valid, makespan, stage, report } = last;
    if (valid) return { status: 'ok', makespan, error: null };
    // A repair may miss limits, which it says; anything else wrong with it is our fault. Our own
    // search is trusted no more than a planner, but what is wrong with it is our fault.
    const isOurs =
      stage === 'optimize' || (stage === 'repair' && 'feasible' in last && last.feasible);
    if (!isOurs) return { status: 'infeasible', makespan: null, error: null };
    const who = stage === 'optimize' ? 'search' : 'repair';
    const error = `the ${who} is wrong, please report it: ${report.violations[0].message}`;
    return { status: 'error', makespan: null, error };
  },
};

/** What was thrown, be it an error or not, as one with a code and one line of text. */
function inOneLine(error: unknown): AlasError {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
  return new AlasError(word, errorLine(error), error);
}

/**
 * A copy of an instance in memory of its own, which whoever is given it may change without
 * changing the instance of anybody else, also if that lies in shared memory.
 */
function privateCopy(instance: Instance): Instance {
  return copy(instance) as Instance;
}

function copy(value: unknown): unknown {
  if (value instanceof Int32Array || value instanceof Uint8Array) return value.slice();
  if (value === null || typeof value !== 'object') return value;
  const copied: Record<string, unknown> = { ...value };
  for (const key in copied) copied[key] = copy(copied[key]);
  return Object.freeze(copied);
}
