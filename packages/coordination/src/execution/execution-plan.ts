import { canonicalJson, printableLine } from '@alas-jssp/core';
import { sha256 } from '@alas-jssp/core/sha256';
import {
  type ApplyContext,
  commandSchema,
  createPlanMemory,
  type PlanCodec,
  type PlanLog,
  type PlanMemory,
  type PlanPort,
  planHandlers,
  planWorkflow,
  type RepairContext,
  storyReader,
} from '@alas-jssp/living-plan';
import type { Registry, Workflow } from '@alas-jssp/workflow';
import { applyEvent, type CoordinationEvent } from '../events/events.js';
import { groupViolations } from '../judge/groups.js';
import { judge } from '../judge/judge.js';
import { formatClock, parseClock } from '../model/clock.js';
import { readPlan, writePlan } from '../model/plan.js';
import { readProblem } from '../model/problem.js';
import { noticesOf } from '../repair/notices.js';
import { repairCoordination } from '../repair/repair.js';
import type {
  ExecutionCommand,
  ExecutionInstant,
  ExecutionKind,
  ExecutionProposal,
  KeyedNotice,
} from './execution-values.js';

/** The cached executions of a log. */
export type ExecutionMemory = PlanMemory<ExecutionKind>;

/** Sends a notice. After a crash it may be called again with the same key. */
export type Inform = (notice: KeyedNotice) => void | Promise<void>;

/** The reader of the stories of executions. */
export const executionReader = storyReader<ExecutionKind>('execution', null);

/**
 * The workflow of an execution: a living plan whose commands advance time. A command takes one instant for each minute
 * at which an action begins or ends or an event becomes known. Actors are notified of committed versions.
 */
export const executionWorkflow: Workflow = planWorkflow({
  name: 'coordination',
  description: 'executes a plan of people and vehicles; events are repaired, judged and reported',
  meta: {},
  input: { type: 'object' },
  command: commandSchema([[{ events: { type: 'array' } }]]),
  methods: 1,
  notifies: true,
  continues: true,
});

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

/** The handlers of the execution workflow. */
export function executionRegistry(memory: ExecutionMemory, inform?: Inform): Registry {
  const notify = ({ notices }: ExecutionProposal) => informAll(notices, inform);
  return planHandlers({ memory, port, notify });
}

const port: PlanPort<ExecutionKind> = {
  blank: { from: -1, began: [], ended: [] },
  applyGiven: ({ instant }) => instant,
  applyCommand: (command, context) => advance(command as ExecutionCommand, context),
  methodsOf: () => ['repair'],
  repair: repairExecution,
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

/** The next version: the plan repaired after the events. */
function repairExecution(context: RepairContext<ExecutionKind>): ExecutionProposal {
  const { runId, instant, label, effect } = context;
  const { problem, plan: before } = effect;
  const { budget } = context.input;
  const made = repairCoordination(problem, before, { now: instant.now, budget });
  const { phase, plan, violations, changes, editRadius, promises, cost, costBefore } = made;
  const key = (to: string) => `${runId}/version-${instant.version + 1}/${to}`;
  const proposal: ExecutionProposal = {
    label,
    method: 'repair',
    phase,
    plan: writePlan(plan),
    because: groupViolations(before, violations).map(({ root: { code, message } }) => ({
      code,
      message,
    })),
    changes,
    edit_radius: editRadius,
    promises,
    notices: noticesOf(problem, made).map((notice) => ({ key: key(notice.to), ...notice })),
    cost_before: costBefore,
    cost,
  };
  return JSON.parse(JSON.stringify(proposal)) as ExecutionProposal;
}
