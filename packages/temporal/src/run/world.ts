import {
  declaresSchemas,
  drain,
  encodeState,
  type GivenClaim,
  type Host,
  type Workflow,
} from '@alas-jssp/workflow/interpreter';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import { type Children, createChildren } from './children.js';
import type { ClaimRequest } from './claim-workflow.js';
import { type Claims, createClaims } from './claims.js';
import { type Desk, lastOf } from './desk.js';
import {
  type CarriedRun,
  claimIdOf,
  type RegistryFacts,
  type RunFunction,
  type RunStart,
} from './protocol.js';
import { askWorker, createTemporalHost, digest, type TemporalHost } from './temporal-host.js';

/** The environment of a run in one history. */
export interface World {
  readonly host: TemporalHost;
  readonly facts: RegistryFacts;
  readonly claims: Claims;
  readonly children: Children;
}

export async function openWorld(desk: Desk): Promise<World> {
  const { start, log, state, inbox } = desk;
  const { runId, workflow, leaseSeconds, within, carried } = start;
  const facts = carried?.facts ?? (await lookUp(start));
  const askClaim = (request: ClaimRequest, seconds: number) => {
    const work = { kind: 'claim', id: claimIdOf(digest(request.key)), request } as const;
    return askWorker<GivenClaim>('claim', work, start, {
      summary: request.key,
      scheduleToCloseTimeout: seconds * 1000,
    });
  };
  const claims = createClaims(state, digest, carried?.claims ?? [], askClaim);
  const children = createChildren(start, digest, carried?.children ?? []);
  const host = createTemporalHost({
    runId,
    workflow,
    log,
    facts,
    leaseSeconds,
    inbox,
    claims,
    children,
    within,
    check: checkOf(workflow),
    onAppend: () => {
      if (desk.run !== undefined && isFull(start)) drain(desk.run, RENEWED);
    },
  });
  return { host, facts, claims, children };
}

/** The interruption with which a run continues in a new history. */
export const RENEWED = ApplicationFailure.nonRetryable('continued in a new history', 'Renewed');

/** Whether the history is so long that the run should continue in a new one. */
export function isFull({ renewAfter }: RunStart): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength >= (renewAfter ?? Number.POSITIVE_INFINITY);
}

/** Continues in a new history; only handlers that are no longer awaited are in flight. */
export async function renew(desk: Desk, world: World): Promise<never> {
  await condition(allHandlersFinished);
  await world.claims.settled();
  const { start } = desk;
  return continueAsNew<RunFunction>({ ...start, carried: carriedOf(desk, world) });
}

export function carriedOf({ state, token, inbox }: Desk, world: World): CarriedRun {
  const { claims, children, facts } = world;
  const { startedAt, versions } = state;
  const ended = state.end !== undefined;
  return {
    startedAt,
    versions,
    token,
    facts,
    ended,
    state: encodeState(state),
    inbox: inbox.messages.filter(({ id }) => id > state.inbox),
    lastMessage: Math.max(lastOf(inbox), state.inbox),
    claims: [...claims.held],
    children: [...children.ends],
    before: workflowInfo().runId,
  };
}

/** Asks a worker for the facts about the handlers; it rejects a run that could not finish. */
async function lookUp(start: RunStart): Promise<RegistryFacts> {
  const { workflow, input, unchecked = false, inject } = start;
  const violations = (inject?.rules ?? []).flatMap((rule) =>
    rule.kind === 'violation' ? [rule.code] : [],
  );
  const call = { kind: 'facts', workflow, input, unchecked, violations } as const;
  try {
    return await askWorker('look up handlers', call, start);
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)
      throw error.cause;
    throw error;
  }
}

function checkOf(workflow: Workflow): Host['check'] {
  if (!declaresSchemas(workflow)) return undefined;
  const checks = createSchemaChecks(workflow.schemas);
  return (schema, value) => checks(schema)(value);
}
