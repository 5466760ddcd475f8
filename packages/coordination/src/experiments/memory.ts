import { type ContextFacts, relevantContext, renderContext } from '@alas-jssp/agents';
import type { Json, LogEntry } from '@alas-jssp/workflow';
import type { Past } from '../judge/past.js';
import { writeSentence } from '../llm/answer-forms.js';
import { formatClock } from '../model/clock.js';
import type { Action } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type ConversationTurn, tokensOfTurn } from './conversation.js';

/** The latest turns that fit into a memory of so many tokens. */
export function latestTurns(
  turns: readonly ConversationTurn[],
  memory: number,
): ConversationTurn[] {
  let tokens = 0;
  const first = turns.findLastIndex((turn) => {
    tokens += tokensOfTurn(turn);
    return tokens > memory;
  });
  return turns.slice(first + 1);
}

/** The id of the node that plans. */
const PLAN = 'plan';

/**
 * The parts of a conversation that a planner needs, by relevance, within a memory of so many tokens. The conversation is the
 * log of a run: constraints limit the node that plans, as in a workflow, and each other turn is an earlier operation with
 * the people and places that it mentions.
 *
 * @throws InputError `context_too_small` if the constraints alone exceed the memory
 */
export function relevantTurns(
  problem: Problem,
  turns: readonly ConversationTurn[],
  memory: number,
): string {
  const constraints = turns.flatMap(({ constraint, text }) =>
    constraint === null ? [] : [{ id: constraint, text, nodes: [PLAN] }],
  );
  return slice(problem, constraints, talkOf(turns), memory);
}

/**
 * The parts of the past that a planner needs, by relevance, out of the log of the execution and the talk since then: begun
 * actions, and where people and vehicles are.
 *
 * @throws InputError `context_too_small`
 */
export function relevantPast(
  problem: Problem,
  { plan, now }: Past,
  turns: readonly ConversationTurn[],
  memory: number,
): string {
  const begun = plan.actions.filter((one) => one.do !== 'stay' && one.start < now);
  const actions = begun.map((action, at) => ({
    id: `action-${at}`,
    does: writeSentence(action),
    entities: namesIn(action),
    ...(action.end <= now ? { output: whereaboutsAfter(action) } : { choice: 'under way' }),
  }));
  const text = `what has happened by ${formatClock(now)}, or is under way then, is part of the plan as it was: with its times, people and places`;
  const constraints = [{ id: 'past', text, nodes: [PLAN] }];
  return slice(problem, constraints, [...talkOf(turns), ...actions], memory);
}

/** An operation in a log: ended with an output, or decided and not ended. */
interface LoggedOperation {
  readonly id: string;
  readonly does: string;
  readonly entities: readonly string[];
  readonly output?: Json;
  readonly choice?: Json;
}

function talkOf(turns: readonly ConversationTurn[]): LoggedOperation[] {
  return turns
    .filter(({ constraint }) => constraint === null)
    .map(({ text, mentions }, at) => ({
      id: `talk-${at}`,
      does: 'talk',
      entities: mentions,
      output: { said: text },
    }));
}

function slice(
  problem: Problem,
  constraints: ContextFacts['constraints'],
  operations: readonly LoggedOperation[],
  memory: number,
): string {
  const { people, vehicles, places, name } = problem;
  const things = [...people.keys(), ...vehicles.keys()];
  const facts: ContextFacts = {
    goals: [{ id: PLAN, text: `make a plan for '${name}'` }],
    constraints,
    entities: things.map((id) => ({ id, name: id, fields: [] })),
    nodes: [
      { id: PLAN, does: 'plan the day', after: [], entities: [...things, ...places.keys()] },
      ...operations.map(({ id, does, entities }) => ({ id, does, after: [], entities })),
    ],
  };
  const entries = operations.flatMap(entriesOf);
  return renderContext(relevantContext(entries, facts, { node: PLAN, tokens: memory }));
}

/** The entries of an operation. Contexts read their node, type, payload and version only. */
function entriesOf({ id, output, choice = null }: LoggedOperation, version: number): LogEntry[] {
  const entry = (eventType: LogEntry['eventType'], payload: Json): LogEntry => ({
    runId: 'conversation',
    ts: new Date(0).toISOString(),
    nodeId: id,
    eventType,
    payload,
    correlationId: id,
    version,
    hash: '',
  });
  const end = output === undefined ? entry('Decide', { choice }) : entry('EndNode', { output });
  return [entry('StartNode', {}), end];
}

function namesIn(action: Action): string[] {
  if (action.do !== 'drive') return [...action.who, action.at];
  const { vehicle, who, from, to, with: passengers } = action;
  return [vehicle, ...(who === null ? [] : [who]), ...passengers, from, to];
}

/** Where the people and the vehicle of an action are when it has ended. */
function whereaboutsAfter(action: Action): Json {
  const at = action.do === 'drive' ? action.to : action.at;
  const things =
    action.do === 'drive'
      ? [action.vehicle, ...(action.who === null ? [] : [action.who]), ...action.with]
      : action.who;
  const state = { at, since: formatClock(action.end) };
  return Object.fromEntries(things.map((thing) => [thing, state]));
}
