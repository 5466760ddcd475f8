import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json, LogEntry } from '@alas-jssp/workflow';
import { estimateTokens } from 'alas-jssp/llm';
import {
  type ContextFacts,
  distances,
  type EntityFacts,
  type NodeFacts,
  type Statement,
} from './context-facts.js';
import {
  type LoggedDecision,
  type OperationHistory,
  type OperationStatus,
  readHistory,
} from './run-history.js';

/** Kinds of facts that a context keeps. `decisions` are operations with inputs, outputs, status and decisions. */
export const CONTEXT_KINDS = [
  'goals',
  'constraints',
  'decisions',
  'dependencies',
  'entities',
] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** The scope κ of a node. */
export interface ContextScope {
  /** The id of the node that asks. */
  readonly node: string;
  /** Default: all kinds. */
  readonly keeps?: readonly ContextKind[] | undefined;
  /** Ids of nodes whose results it must see. */
  readonly sees?: readonly string[] | undefined;
  /** The limit of the context, in estimated tokens. */
  readonly tokens: number;
}

/** The last state of an entity (SagaLLM's application state, S_A). */
export interface EntityState {
  readonly entity: string;
  readonly name: string;
  readonly state: Json;
  /** The path of the node whose output shows it, and the version of its entry. */
  readonly from: string;
  readonly version: number;
}

/** An operation (SagaLLM's operation state, S_O). */
export interface OperationState {
  readonly node: string;
  readonly does: string;
  readonly status: OperationStatus;
  readonly version: number;
  readonly input?: Json;
  readonly output?: Json;
  readonly error?: Json;
  readonly decision?: LoggedDecision;
}

/** A node that the asking node depends on (SagaLLM's dependency state, S_D). */
interface SatisfiedDependency {
  readonly node: string;
  /** The version of the entry that proves it, and that of the validator's acceptance. */
  readonly evidence: number;
  readonly validated?: number;
}

interface UnresolvedDependency {
  readonly node: string;
  readonly reason: string;
  /** The version of the entry that says so; absent if the node has not begun. */
  readonly evidence?: number;
}

/** The facts that a node needs besides its input. */
export interface RelevantContext {
  readonly goals: readonly Statement[];
  readonly constraints: readonly Statement[];
  readonly entities: readonly EntityState[];
  readonly operations: readonly OperationState[];
  readonly satisfied: readonly SatisfiedDependency[];
  readonly unresolved: readonly UnresolvedDependency[];
  /** The number of relevant facts that exceed the limit. */
  readonly omitted: number;
  readonly tokens: number;
}

/**
 * Selects what a node has to know, by relevance: facts of nodes that it depends on or that depend on it, that it `sees`,
 * or that share entities or constraints with it. Goals, and constraints of the node, are never cut. Facts of other nodes
 * never enter, so that the context does not depend on how many of them there are, or on when they were logged.
 *
 * @param entries of one run, in order
 * @throws InputError `unknown_node`; `context_too_small` if goals and constraints alone exceed the limit
 */
export function relevantContext(
  entries: Iterable<LogEntry>,
  facts: ContextFacts,
  scope: ContextScope,
): RelevantContext {
  const keeps = new Set(scope.keeps ?? CONTEXT_KINDS);
  const asking = requireNode(facts, scope.node);
  const goals = keeps.has('goals') ? facts.goals.map(statement) : [];
  const constraints = keeps.has('constraints')
    ? facts.constraints.filter((one) => limits(one.nodes, asking.id)).map(statement)
    : [];
  const fixed = tokensOf(goals) + tokensOf(constraints);
  if (fixed > scope.tokens) throw tooSmall(scope, fixed);

  const histories = readHistory(entries, new Set(facts.nodes.map(({ id }) => id)));
  const dependencies = dependenciesOf(asking, scope, histories);
  const score = createScore(facts, asking, scope, histories);
  const ranked = histories
    .map((history) => ({ history, score: score(history) }))
    .filter(({ history, score }) => score > 0 && !isBlank(history))
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.history.version - a.history.version ||
        (a.history.path < b.history.path ? -1 : 1),
    );
  const entitiesOf = createEntitiesOf(facts);
  const states = openStates(facts, histories);
  const items: Item[] = [
    ...(keeps.has('dependencies') ? dependencies : []),
    ...(keeps.has('entities') ? states.of(asking.entities ?? []) : []),
    ...ranked.flatMap(({ history }) => [
      ...(keeps.has('decisions') ? [operationItem(facts, history)] : []),
      ...(keeps.has('entities') ? states.of(entitiesOf(history)) : []),
    ]),
  ];
  return fill(items, { goals, constraints }, fixed, scope.tokens);
}

/** A fact that may be cut. */
type Item =
  | { readonly kind: 'satisfied'; readonly value: SatisfiedDependency }
  | { readonly kind: 'unresolved'; readonly value: UnresolvedDependency }
  | { readonly kind: 'operations'; readonly value: OperationState }
  | { readonly kind: 'entities'; readonly value: EntityState };

/** Takes items in their order, as far as they fit. */
function fill(
  items: readonly Item[],
  fixed: Pick<RelevantContext, 'goals' | 'constraints'>,
  used: number,
  limit: number,
): RelevantContext {
  let tokens = used;
  const taken = items.filter(({ value }) => {
    const size = tokensOf([value]);
    if (tokens + size > limit) return false;
    tokens += size;
    return true;
  });
  const of = <K extends Item['kind']>(kind: K) =>
    taken.flatMap((item) => (item.kind === kind ? [item.value] : [])) as Extract<
      Item,
      { kind: K }
    >['value'][];
  return {
    ...fixed,
    entities: of('entities'),
    operations: of('operations'),
    satisfied: of('satisfied'),
    unresolved: of('unresolved'),
    omitted: items.length - taken.length,
    tokens,
  };
}

/** The relevance of an operation for the asking node; 0 for none. */
function createScore(
  facts: ContextFacts,
  asking: NodeFacts,
  { sees = [] }: ContextScope,
  histories: readonly OperationHistory[],
): (history: OperationHistory) => number {
  const byId = new Map(facts.nodes.map((node) => [node.id, node]));
  const before = distances(asking.id, (id) => byId.get(id)?.after ?? []);
  const following = new Map<string, string[]>();
  for (const { id, after } of facts.nodes) {
    for (const earlier of after) following.set(earlier, [...(following.get(earlier) ?? []), id]);
  }
  const behind = distances(asking.id, (id) => following.get(id) ?? []);
  const entitiesOf = createEntitiesOf(facts);
  const own = new Set([
    ...(asking.entities ?? []),
    ...histories.filter(({ node }) => node === asking.id).flatMap(entitiesOf),
  ]);
  const shared = facts.constraints.filter(({ nodes }) => nodes.includes(asking.id));
  const closeness = (found: ReadonlyMap<string, number>, id: string) => {
    const distance = found.get(id);
    return distance === undefined ? 0 : 1 / Math.max(1, distance);
  };
  return (history) => {
    const { node } = history;
    const entities = entitiesOf(history).filter((id) => own.has(id)).length;
    const constraints = shared.filter(({ nodes }) => nodes.includes(node)).length;
    const isSeen = sees.includes(node) ? 4 : 0;
    return isSeen + 2 * closeness(before, node) + closeness(behind, node) + entities + constraints;
  };
}

/** The ids of the entities that a node declares, or that its output shows. */
function createEntitiesOf(facts: ContextFacts): (history: OperationHistory) => string[] {
  const declared = new Map(facts.nodes.map(({ id, entities = [] }) => [id, entities]));
  return ({ node, output }) => {
    const shown = facts.entities.filter((entity) => stateIn(output, entity) !== undefined);
    return [...new Set([...(declared.get(node) ?? []), ...shown.map(({ id }) => id)])];
  };
}

/** The state of an entity in an output: the value under its id or name, or the fields that it has. */
function stateIn(output: Json | undefined, { id, name, fields }: EntityFacts): Json | undefined {
  if (!isObject(output)) return undefined;
  const members = output as Readonly<Record<string, Json>>;
  for (const key of [id, name]) if (Object.hasOwn(members, key)) return members[key];
  const found = fields.filter((field) => Object.hasOwn(members, field));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map((field) => [field, members[field]]));
}

/** The last states of entities, each given once. */
function openStates(facts: ContextFacts, histories: readonly OperationHistory[]) {
  const given = new Set<string>();
  const stateOf = (entity: EntityFacts): Item[] => {
    if (given.has(entity.id)) return [];
    given.add(entity.id);
    let last: EntityState | undefined;
    // Also of nodes that are not relevant otherwise: an older state would be wrong.
    for (const { path: from, output, status, version } of histories) {
      const state = status === 'completed' ? stateIn(output, entity) : undefined;
      if (state === undefined || version < (last?.version ?? 0)) continue;
      last = { entity: entity.id, name: entity.name, state, from, version };
    }
    return last === undefined ? [] : [{ kind: 'entities', value: last }];
  };
  return {
    of: (ids: readonly string[]): Item[] =>
      facts.entities.filter(({ id }) => ids.includes(id)).flatMap(stateOf),
  };
}

/** Whether an operation has only begun: its start says nothing. */
function isBlank({ status, output, decision, error }: OperationHistory): boolean {
  return (
    status === 'running' && output === undefined && decision === undefined && error === undefined
  );
}

function operationItem(facts: ContextFacts, history: OperationHistory): Item {
  const { path, node, status, version, input, output, error, decision } = history;
  const does = facts.nodes.find(({ id }) => id === node)?.does ?? '';
  const value: OperationState = {
    node: path,
    does,
    status,
    version,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(decision !== undefined && { decision }),
  };
  return { kind: 'operations', value };
}

/** The nodes directly before a node and those that it sees, with the evidence that they are done. */
function dependenciesOf(
  { after }: NodeFacts,
  { sees = [] }: ContextScope,
  histories: readonly OperationHistory[],
): Item[] {
  return [...new Set([...after, ...sees])].flatMap((node): Item[] => {
    const own = histories.filter((history) => history.node === node);
    if (own.length === 0) {
      return [{ kind: 'unresolved', value: { node, reason: 'it has not begun' } }];
    }
    return own.map((history): Item => {
      const { path, status, version: evidence, validated } = history;
      if (status === 'completed') {
        const value = { node: path, evidence, ...(validated !== undefined && { validated }) };
        return { kind: 'satisfied', value };
      }
      return { kind: 'unresolved', value: { node: path, reason: reasonOf(history), evidence } };
    });
  });
}

function reasonOf({ status, error }: OperationHistory): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (status === 'failed' && typeof code === 'string') return `it failed: ${code}`;
  return `it is ${status}`;
}

function limits(nodes: readonly string[], id: string): boolean {
  return nodes.length === 0 || nodes.includes(id);
}

function statement({ id, text }: Statement): Statement {
  return { id, text };
}

function tokensOf(values: readonly object[]): number {
  return values.reduce((sum, value) => sum + estimateTokens(JSON.stringify(value)), 0);
}

function requireNode({ nodes }: ContextFacts, id: string): NodeFacts {
  const found = nodes.find((node) => node.id === id);
  if (found !== undefined) return found;
  const problem = `the facts have no node '${id}'`;
  throw new InputError('unknown_node', problem, 'give its facts', {}, id);
}

function tooSmall({ node, tokens }: ContextScope, needed: number): InputError {
  return new InputError(
    'context_too_small',
    `the goals and constraints of ${node} need about ${needed} tokens, and its context has ${tokens}`,
    `give the role a context of ${needed} tokens or more, or fewer constraints`,
    {},
    tokens,
  );
}
