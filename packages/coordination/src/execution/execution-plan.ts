import { canonicalJson, printableLine } from '@alas-jssp/core';
import { sha256 } from '@alas-jssp/core/sha256';
import {
  type ApplyContext,
  commandSchema,
  createPlanMemory,
  type PlanCodec,
  type PlanForm,
  type PlanLog,
  type PlanMemory,
  type PlanPort,
  planHandlers,
  planWorkflow,
  type RepairContext,
  storyReader,
} from '@alas-jssp/living-plan';
import type { Registry, Workflow } from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import { applyEvent, type CoordinationEvent } from '../events/events.js';
import { groupViolations } from '../judge/groups.js';
import { judge } from '../judge/judge.js';
import { formatClock, parseClock } from '../model/clock.js';
import { costOfPlan } from '../model/cost.js';
import { readPlan, writePlan } from '../model/plan.js';
import { readProblem } from '../model/problem.js';
import { changesBetween } from '../repair/changes.js';
import { noticesOf } from '../repair/notices.js';
import { type CoordinationRepair, repairCoordination, requirePossible } from '../repair/repair.js';
import type {
  ExecutionCommand,
  ExecutionInput,
  ExecutionInstant,
  ExecutionKind,
  ExecutionProposal,
  KeyedNotice,
} from './execution-values.js';
import { type ExecutionTeam, planWithTeam, type TeamLine } from './team-repair.js';

/** The cached executions of a log. */
export type ExecutionMemory = PlanMemory<ExecutionKind>;

/** Sends a notice. After a crash it may be called again with the same key. */
export type Inform = (notice: KeyedNotice) => void | Promise<void>;

/** The reader of the stories of executions. */
export const executionReader = storyReader<ExecutionKind>('execution', null);

/** The name of the workflow of executions. */
const EXECUTION_WORKFLOW = 'coordination';

/**
 * The workflow of an execution: a living plan whose commands advance time. A command takes one instant for each minute
 * at which an action begins or ends or an event becomes known. Actors are notified of committed versions.
 */
export const executionWorkflow: Workflow = workflowOf({ methods: 1 });

/**
 * The workflow of an execution with a team: first the team proposes, then code repairs. A replay takes the answers of
 * models, and so the proposals, from the log, and judges them again.
 */
export const teamExecutionWorkflow: Workflow = workflowOf({ methods: 2, isTimed: true });

function workflowOf(own: Pick<PlanForm, 'methods' | 'isTimed'>): Workflow {
  return planWorkflow({
    name: EXECUTION_WORKFLOW,
    description: 'executes a plan of people and vehicles; events are repaired, judged and reported',
    meta: {},
    input: { type: 'object' },
    command: commandSchema([[{ events: { type: 'array' } }]]),
    notifies: true,
    continues: true,
    ...own,
  });
}

const codec: PlanCodec<ExecutionKind> = {
  noun: 'execution',
  open(input) {
    const { problem, plan } = { problem: readProblem(input.problem), plan: readPlan(input.plan) };
    const first = { version: 1, now: -1, problem, plan };
    return { input, first, given: () => 0, asks: false, isClocked: true };
  },
  effectOf: ({ problem, plan }, { events }) => ({
    problem: (events as readonly object[] as readonly CoordinationEvent[]).reduce(
      applyEvent,
      problem,
    ),
    plan,
  }),
  patch: ({ problem }, proposal) => ({ problem, plan: readPlan(proposal.plan) }),
  fingerprint: ({ plan }) => sha256(canonicalJson(writePlan(plan))).slice(0, 16),
};

/** Creates the memory of a log. */
export function createExecutionMemory(store: PlanLog): ExecutionMemory {
  return createPlanMemory(store, codec);
}

/**
 * The handlers of the execution workflow.
 *
 * @param line asks the model of the team; not needed for a replay
 */
export function executionRegistry(
  memory: ExecutionMemory,
  inform?: Inform,
  line?: TeamLine,
): Registry {
  const notify = ({ notices }: ExecutionProposal) => informAll(notices, inform);
  return planHandlers({
    memory,
    port: { ...port, repair: (context) => proposalOf(context, line) },
    notify,
  });
}

/**
 * The handlers of the executions in a log, for replays: they ask no model and notify nobody.
 */
export function createReplayRegistry(log: PlanLog): Registry {
  return executionRegistry(createExecutionMemory(log));
}

const port: Omit<PlanPort<ExecutionKind>, 'repair'> = {
  blank: { from: -1, began: [], ended: [] },
  applyGiven: ({ instant }) => instant,
  applyCommand: (command, context) => advance(command as ExecutionCommand, context),
  methodsOf: ({ input }) => methodsOf(input),
  judge({ problem, plan }, proposed) {
    const past = proposed && { plan: proposed.effect.plan, now: proposed.attempt.instant.now };
    const { valid, violations } = judge(problem, plan, past);
    if (valid) return undefined;
    return { reason: `the judge refuses it: ${violations[0].message}`, violations };
  },
  figuresOf: () => ({}),
  formatTime: (_, time) => formatClock(time),
};

/** Sends all notices. A failed notice does not prevent the others. */
async function informAll(notices: readonly KeyedNotice[], inform: Inform = () => {}) {
  const failed: { readonly key: string; readonly reason: string }[] = [];
  for (const notice of notices) {
    try {
      await inform(notice);
    } catch (error) {
      failed.push({ key: notice.key, reason: printableLine(String(error)) });
    }
  }
  return { failed };
}

/** Advances to the next minute at which an action begins or ends or an event becomes known. */
function advance(
  command: ExecutionCommand,
  { memory, runId, state, plan: followed, instant }: ApplyContext<ExecutionKind>,
): ExecutionInstant {
  const actions = followed.plan.actions.filter(({ do: kind }) => kind !== 'stay');
  const { events: given } = memory.baseOf(runId).input;
  const { now: from } = state;
  const until = instant.now;
  const moments = [
    ...actions.flatMap(({ start, end }) => [start, end]),
    ...given.map(({ at }) => parseClock(at)),
  ];
  const to = Math.min(until, ...moments.filter((time) => time > from));
  const isNow = ({ at }: CoordinationEvent) => parseClock(at) === to && to > from;
  const known = given.filter(isNow) as readonly object[] as ExecutionCommand['events'];
  const events = to === until ? [...known, ...command.events] : known;
  const hasBegun = (start: number) => from <= start && start < to;
  return {
    ...instant,
    now: to,
    from,
    events,
    changed: events.length > 0,
    began: actions.filter(({ start }) => hasBegun(start)),
    ended: actions.filter(({ start, end }) =>
      start === end ? hasBegun(start) : from < end && end <= to,
    ),
    ...(to < until && { rest: { ...command, now: until } }),
  };
}

/** The team proposes first, if there is one; what it cannot do, code repairs in the full loop. */
function methodsOf({ team }: ExecutionInput): readonly ('team' | 'repair')[] {
  if (team === undefined) return ['repair'];
  return team.variant === 'full' ? ['team', 'repair'] : ['team'];
}

/** The next version of the plan, by the method whose turn it is. */
function proposalOf(
  context: RepairContext<ExecutionKind>,
  line: TeamLine | undefined,
): ExecutionProposal | Promise<ExecutionProposal> {
  const { team } = context.input;
  if (team === undefined || methodsOf(context.input)[context.tried] !== 'team') {
    return repairExecution(context);
  }
  return proposeByTeam(context, team, line);
}

/** The plan repaired after the events. */
function repairExecution(context: RepairContext<ExecutionKind>): ExecutionProposal {
  const { problem, plan: before } = context.effect;
  const { now } = context.instant;
  const made = repairCoordination(problem, before, { now, budget: context.input.budget });
  return proposalFrom(context, { ...made, method: 'repair' });
}

/** The plan that the team makes after the events, with all that has begun; the plan before if that still holds. */
async function proposeByTeam(
  context: RepairContext<ExecutionKind>,
  team: ExecutionTeam,
  line: TeamLine | undefined,
): Promise<ExecutionProposal> {
  const { problem, plan: before } = context.effect;
  const { now } = context.instant;
  requirePossible(problem, before, now);
  const past = { plan: before, now };
  const { violations } = judge(problem, { ...before, claims: {} }, past);
  if (violations.length === 0) return repairExecution(context);
  if (line === undefined) throw new AlasError('no_team', 'the model of the team is not open');
  const { plan, ...planning } = await planWithTeam(problem, past, team, line, context.step.signal);
  return proposalFrom(context, {
    ...changesBetween(problem, before, plan),
    method: 'team',
    phase: 'team',
    plan,
    violations,
    cost: costOfPlan(problem, plan),
    costBefore: costOfPlan(problem, before),
    team: planning,
  });
}

/** A proposal as the log has it. */
function proposalFrom(
  { runId, instant, label, effect }: RepairContext<ExecutionKind>,
  made: Omit<CoordinationRepair, 'phase' | 'freed'> &
    Pick<ExecutionProposal, 'phase' | 'team' | 'method'>,
): ExecutionProposal {
  const { problem, plan: before } = effect;
  const { method, phase, plan, team, violations, changes, editRadius, promises } = made;
  const key = (to: string) => `${runId}/version-${instant.version + 1}/${to}`;
  const proposal: ExecutionProposal = {
    label,
    method,
    phase,
    ...(team && { team }),
    plan: writePlan(plan),
    because: groupViolations(before, violations).map(({ root: { code, message } }) => ({
      code,
      message,
    })),
    changes,
    edit_radius: editRadius,
    promises,
    notices: noticesOf(problem, made).map((notice) => ({ key: key(notice.to), ...notice })),
    cost_before: made.costBefore,
    cost: made.cost,
  };
  return JSON.parse(JSON.stringify(proposal)) as ExecutionProposal;
}
