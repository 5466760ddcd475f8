import { type BudgetLike, canonicalJson, toBudget } from '@alas-jssp/core';
import { type LoggedEvent, openPlan } from '@alas-jssp/living-plan';
import type { Clock, LogStore } from '@alas-jssp/workflow';
import { InputError } from 'alas-jssp';
import { applyEvent, type CoordinationEvent } from '../events/events.js';
import { judge } from '../judge/judge.js';
import { formatClock, parseClock } from '../model/clock.js';
import { type CoordinationPlan, readPlan, writePlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import { REPAIR_BUDGET, requirePossible } from '../repair/repair.js';
import {
  createExecutionMemory,
  executionReader,
  executionRegistry,
  executionWorkflow,
  type Inform,
  teamExecutionWorkflow,
} from './execution-plan.js';
import { type ExecutionStory, executionStory } from './execution-story.js';
import type { ExecutionInput } from './execution-values.js';
import type { ExecutionTeam, TeamLine } from './team-repair.js';
import { type Whereabouts, whereaboutsAt } from './whereabouts.js';

/** The log and the input of an execution. */
export interface CoordinationOptions {
  /** The log, of any kind. Nothing is written elsewhere. */
  readonly store: LogStore;
  /** The id of the run. An existing run is resumed. Default `coordination`. */
  readonly runId?: string | undefined;
  /** The problem and the plan. Not needed to resume. */
  readonly problem?: Problem | undefined;
  readonly plan?: CoordinationPlan | undefined;
  /** Events that the simulation knows in advance: each occurs at its time. Default: none. */
  readonly events?: readonly CoordinationEvent[] | undefined;
  /** The budget of each repair step, in iterations. Default {@link REPAIR_BUDGET}. */
  readonly budget?: BudgetLike | undefined;
  /**
   * A team that plans again after events which make the plan invalid. Its model is not needed for an execution that has
   * ended.
   */
  readonly team?: { readonly settings: ExecutionTeam; readonly line: TeamLine } | undefined;
  /**
   * Notifies people of changes that concern them. After a crash it may be called again with the same key. Default: no
   * notices.
   */
  readonly inform?: Inform | undefined;
  /** Dates log entries; executions have simulated time. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * Detaches from the execution without ending it, so that another process can resume it. Pending calls end with
   * `left`.
   */
  readonly leave?: AbortSignal | undefined;
}

/** A plan carried out in simulated time and kept in a log. All its answers are read from the log. */
export interface CoordinationExecution {
  readonly runId: string;
  /**
   * Advances time to a minute: actions that begin before it have begun, and events known by then are repaired.
   *
   * @throws InputError `bad_now` for a minute that has passed
   * @throws AlasError `no_repair` once no repair was found: the last version stays
   */
  at(time: number): Promise<Whereabouts>;
  /**
   * Reports events that become known at one minute. Time advances to it, and one repair answers all of them.
   *
   * @param note the idempotency key, whose repetition has no effect, and the sender
   * @throws InputError `bad_now`; `bad_event`, before anything is written; `other_request` for a key already used for
   *   other events
   * @throws AlasError `no_repair`
   */
  tell(
    events: readonly CoordinationEvent[],
    note?: { readonly key?: string; readonly by?: string },
  ): Promise<Whereabouts>;
  /** The whereabouts of all actors and the progress of the plan, according to the log. */
  state(): Whereabouts;
  /** The current plan, and the current problem. */
  plan(): CoordinationPlan;
  problem(): Problem;
  /** The full history so far. */
  log(): ExecutionStory;
  /** Ends the execution for good. */
  close(): Promise<void>;
}

/** Seconds for which a silent process keeps the ownership of a run, as in a long repair. */
const LEASE_SECONDS = 600;

/**
 * Opens an execution in a log: starts a new one, or resumes `runId` from its last entry and first completes its
 * unfinished steps. If another process owns the run, it continues undisturbed and this call is refused.
 *
 * @throws InputError `no_execution` if the log has none and no problem or plan is given; `infeasible_plan`;
 *   `other_execution` if the log has one of another problem or plan
 * @throws AlasError `run_owned` if another process owns the run
 */
export async function openCoordination(
  options: CoordinationOptions,
): Promise<CoordinationExecution> {
  const { store, runId = 'coordination', inform, team } = options;
  const memory = createExecutionMemory(store);
  const registry = executionRegistry(memory, inform, team?.line);
  const settings = { ...options, visits: true, leaseSeconds: LEASE_SECONDS };
  const plan = await openPlan(executionReader, runId, settings, (story) => {
    if (story === undefined) {
      const workflow = team === undefined ? executionWorkflow : teamExecutionWorkflow;
      return { memory, registry, start: { workflow, input: inputOf(options) } };
    }
    const { input } = memory.baseOf(runId);
    requireSame(runId, input, options);
    if (story.end === null) requireTeam(runId, input, options);
    return { memory, registry };
  });
  const living = () => {
    plan.catchUp();
    return plan;
  };
  const whereabouts = () => {
    const { plan, now } = living();
    return whereaboutsAt(plan.problem, plan.plan, now);
  };
  const requireTime = (time: number) => {
    const { now } = living();
    if (Number.isInteger(time) && time >= now) return;
    const problem = `it is ${formatClock(now)}, and the given time is ${formatClock(time)}`;
    throw new InputError('bad_now', problem, 'give a minute that has not passed', {}, time);
  };
  return {
    runId,
    state: whereabouts,
    plan: () => living().plan.plan,
    problem: () => living().plan.problem,
    log: () => executionStory(living().story, memory),
    async at(time) {
      requireTime(time);
      if (time > living().now) await living().execute({}, { now: time }, () => ({ events: [] }));
      return whereabouts();
    },
    async tell(events, meta = {}) {
      const [first] = events;
      const time = first === undefined ? living().now : parseClock(first.at);
      await living().execute({ events }, { ...meta, now: time }, () => {
        requireTime(time);
        if (first === undefined || events.some(({ at }) => parseClock(at) !== time)) {
          const problem = 'not all events become known at one time';
          throw new InputError('bad_event', problem, 'tell them one time after the other');
        }
        const { problem, plan } = living().plan;
        requirePossible(events.reduce(applyEvent, problem), plan, time);
        return { events: JSON.parse(JSON.stringify(events)) as readonly LoggedEvent[] };
      });
      return whereabouts();
    },
    async close() {
      if (living().story.end === null) await living().close();
    },
  };
}

function inputOf({
  problem,
  plan,
  events = [],
  budget: given = REPAIR_BUDGET,
  team,
}: CoordinationOptions) {
  if (problem === undefined || plan === undefined) {
    const hint = 'give the problem and the plan that is to be carried out';
    throw new InputError('no_execution', 'the log has no execution of that id', hint);
  }
  const { valid, violations } = judge(problem, plan);
  if (!valid) {
    const message = `the plan cannot be carried out: ${violations[0].message}`;
    throw new InputError(
      'infeasible_plan',
      message,
      'repair it first, or plan anew',
      {},
      violations,
    );
  }
  const budget = toBudget(given);
  if (budget.seconds !== undefined) {
    const hint = 'give iterations, so that a run that broke off goes on to the same plan';
    throw new InputError('bad_budget', 'the budget of repairs is in seconds', hint, {}, given);
  }
  events.reduce(applyEvent, problem);
  const facts = { problem: problem.facts, plan: writePlan(plan), events, budget, live: true };
  const made = { ...facts, ...(team && { team: team.settings }) };
  return JSON.parse(JSON.stringify(made)) as ExecutionInput;
}

/** @throws InputError `no_team` if a team plans this execution, and its model is not open, or the other way round */
function requireTeam(runId: string, input: ExecutionInput, { team }: CoordinationOptions): void {
  if ((input.team === undefined) === (team === undefined)) return;
  const [problem, hint] =
    input.team === undefined
      ? [`the execution ${runId} has no team`, 'resume it without a planner']
      : [
          `a team of ${input.team.planner} plans the execution ${runId}`,
          'give its model to resume it',
        ];
  throw new InputError('no_team', problem, hint);
}

/** @throws InputError `other_execution` if the log has an execution of other input */
function requireSame(
  runId: string,
  input: ExecutionInput,
  { problem, plan }: CoordinationOptions,
): void {
  const isSame = (one: unknown, other: unknown) =>
    canonicalJson(JSON.parse(JSON.stringify(one))) ===
    canonicalJson(JSON.parse(JSON.stringify(other)));
  const fault =
    problem !== undefined && !isSame(problem.facts, readProblem(input.problem).facts)
      ? `is of ${input.problem.name} with other facts`
      : plan !== undefined && !isSame(writePlan(plan), writePlan(readPlan(input.plan)))
        ? 'began with another plan'
        : undefined;
  if (fault === undefined) return;
  const hint = 'give another id, or neither problem nor plan to go on with it';
  throw new InputError('other_execution', `the execution ${runId} in the log ${fault}`, hint);
}
