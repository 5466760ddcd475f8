import { printableLine } from '@alas-jssp/core';
import type { Handler, HandlersOf, Registry } from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import { applyEvent } from '../events/events.js';
import { groupViolations } from '../judge/groups.js';
import { judge } from '../judge/judge.js';
import { parseClock } from '../model/clock.js';
import { readPlan, writePlan } from '../model/plan.js';
import { noticesOf } from '../repair/notices.js';
import { REPAIR_BUDGET, repairCoordination } from '../repair/repair.js';
import type { ExecutionMemory } from './execution-story.js';
import type {
  AdvancedMoment,
  ExecutionNews,
  ExecutionProposal,
  ExecutionState,
  KeyedNotice,
} from './execution-values.js';

import type { ChangedMoment, ExecutionSteps, ProposedRepair } from './execution-workflow.js';

/** Sends a notice. After a crash it may be called again with the same key. */
export type Inform = (notice: KeyedNotice) => void | Promise<void>;

/**
 * The handlers of the execution workflow. All but `inform` are pure functions of the log, so that any process that
 * resumes a run computes the same plan.
 */
export function executionRegistry(memory: ExecutionMemory, inform?: Inform): Registry {
  const pure = <I, O>(run: Handler<I, O>['run']): Handler<I, O> => ({ kind: 'pure', run });
  const handlers: HandlersOf<ExecutionSteps> = {
    begin: pure(begin),
    hear: pure(hear),
    advance: pure((state, { runId }) => advance(memory, runId, state)),
    propose: pure((input, { runId }) => propose(memory, runId, input)),
    revalidate: pure((input, { runId }) => revalidate(memory, runId, input)),
    commit: pure(({ state }) => ({ version: state.version + 1 })),
    inform: { kind: 'external', run: (notices) => informAll(notices, inform) },
    settle: pure(settle),
  };
  return { handlers };
}

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

function begin(): ExecutionState {
  return { version: 1, now: -1, until: -1, told: [], due: false, over: false };
}

function hear({ state, news }: { state: ExecutionState; news: ExecutionNews }): ExecutionState {
  if ('close' in news) return { ...state, over: true };
  if ('to' in news) return withDue({ ...state, until: Math.max(state.until, news.to) });
  const at = Math.max(news.at, state.now);
  return withDue({ ...state, told: news.events, until: Math.max(state.until, at) });
}

function withDue(state: ExecutionState): ExecutionState {
  return { ...state, due: state.told.length > 0 || state.now < state.until };
}

/** Advances to the next minute at which an action begins or ends or an event becomes known. */
function advance(memory: ExecutionMemory, runId: string, state: ExecutionState): AdvancedMoment {
  const { input } = memory.storyOf(runId);
  const { plan } = memory.versionOf(runId, state.version);
  const actions = plan.actions.filter(({ do: kind }) => kind !== 'stay');
  const given = input?.events ?? [];
  const { now: from, until, told } = state;
  const toldAt = told.length === 0 ? until : Math.max(from, parseClock(told[0].at));
  const moments = [
    ...actions.flatMap(({ start, end }) => [start, end]),
    ...given.map(({ at }) => parseClock(at)),
  ];
  const to = Math.min(until, toldAt, ...moments.filter((time) => time > from));
  const isNow = ({ at }: { readonly at: string }) => parseClock(at) === to && to > from;
  const events = [...given.filter(isNow), ...(to === toldAt ? told : [])];
  const hasBegun = (start: number) => from <= start && start < to;
  return {
    from,
    to,
    events,
    changed: events.length > 0,
    began: actions.filter(({ start }) => hasBegun(start)),
    ended: actions.filter(({ start, end }) =>
      start === end ? hasBegun(start) : from < end && end <= to,
    ),
  };
}

/** The next version: the plan repaired after the events. */
function propose(
  memory: ExecutionMemory,
  runId: string,
  { state, advanced }: ChangedMoment,
): ExecutionProposal {
  const { plan: before, problem } = changedWorld(memory, runId, { state, advanced });
  const budget = memory.storyOf(runId).input?.budget ?? REPAIR_BUDGET;
  const made = repairCoordination(problem, before, { now: advanced.to, budget });
  const { phase, plan, violations, changes, editRadius, promises, cost, costBefore } = made;
  const key = (to: string) => `${runId}/version-${state.version + 1}/${to}`;
  return asJson({
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
  });
}

/** The independent judge checks the plan in the log, not the one in the repair's memory. */
function revalidate(
  memory: ExecutionMemory,
  runId: string,
  input: ProposedRepair,
): { valid: true } {
  const { plan: before, problem } = changedWorld(memory, runId, input);
  const past = { plan: before, now: input.advanced.to };
  const { valid, violations } = judge(problem, readPlan(input.proposal.plan), past);
  if (valid) return { valid };
  throw new AlasError('refused', `the judge refuses it: ${violations[0].message}`, violations);
}

/** The current plan, and the problem after the latest events. */
function changedWorld(memory: ExecutionMemory, runId: string, { state, advanced }: ChangedMoment) {
  const { plan, problem } = memory.versionOf(runId, state.version);
  return { plan, problem: advanced.events.reduce(applyEvent, problem) };
}

function settle({
  state,
  advanced,
  committed,
}: ChangedMoment & {
  readonly committed?: { readonly version: number } | undefined;
}): ExecutionState {
  const told = advanced.events.length > 0 ? [] : state.told;
  const version = committed?.version ?? state.version;
  return withDue({ ...state, version, now: advanced.to, told });
}

function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
