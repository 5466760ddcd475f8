import { isWithin } from '../log/slice.js';
import type {
  Doubt,
  EffectSummary,
  Failure,
  Remaining,
  RunStatus,
  TriggerKind,
} from './entries.js';
import { dependsOn, type NodePlan, nodeAt, type WorkflowPlan } from './plan.js';
import { matchesCode } from './policies.js';
import { type Effect, isInDoubt, type RunState } from './state.js';

/** Whether an undo includes an effect, by path. */
export type Within = (nodeId: string) => boolean;

/** A run and its workflow. */
export type RunAndPlan = { readonly state: RunState; readonly plan: WorkflowPlan };

/** The declarations that make a trigger undo an effect; a person may undo all effects. */
const DECLARED: Readonly<Record<TriggerKind, readonly string[]>> = {
  failure: ['onFailure'],
  cancel: ['onCancel'],
  deadline: ['deadline', 'onFailure'],
  manual: ['*'],
};

/** Whether there is anything to undo. */
export function heldWithin(sources: RunAndPlan, within: Within): boolean {
  for (const effect of sources.state.effects.values()) {
    const { status } = effect;
    const isThere = status === 'held' || status === 'undoing';
    if (isThere && isGivenUp(sources, effect, within)) return true;
  }
  return false;
}

/**
 * Whether no step keeps an effect: neither its maker nor steps that received its output. An effect
 * is not undone while a step whose saga has not failed keeps it.
 */
export function isGivenUp(
  sources: RunAndPlan,
  { nodeId, users = [] }: Effect,
  within: Within,
): boolean {
  if (users.length === 0) return within(nodeId);
  const all = [nodeId, ...users];
  return all.some(within) && all.every((path) => within(path) || isUndone(sources, path));
}

/** The steps that received an effect's output and keep it. */
function keepersOf(sources: RunAndPlan, { users = [] }: Effect, within: Within): string[] {
  return users.filter((path) => !within(path) && !isUndone(sources, path));
}

/** Whether a step belongs to a failed saga whose failure was caught. */
export function isUndone(sources: RunAndPlan, path: string): boolean {
  const { state, plan } = sources;
  const ends = [...path.matchAll(/[/[]|$/g)].map(({ index }) => index);
  return ends.some((end) => {
    const outer = path.slice(0, end);
    if (state.nodes.get(outer)?.caughtBy === undefined) return false;
    const node = nodeAt(plan, outer);
    return node !== undefined && failedSaga(sources, outer, node)(path);
  });
}

/** Whether an effect belongs to the failed saga of a node, by path. */
export function failedSaga(
  { state, plan: { planOf } }: RunAndPlan,
  path: string,
  { node }: NodePlan,
): Within {
  if (node.type !== 'parallel' && (node.type !== 'map' || node.items === undefined)) {
    return (other: string) => isWithin(other, path);
  }
  const failed = new Set<string>();
  const bodies = node.type === 'map' ? [node.body] : Object.values(node.branches);
  const ids = new Set(bodies.flatMap((body) => planOf(body).nodes.map((plan) => plan.node.id)));
  for (const [other, { status, caughtBy }] of state.nodes) {
    const cut = other.lastIndexOf('/');
    if (status !== 'failed' || caughtBy !== undefined || !isWithin(other, path)) continue;
    if (ids.has(other.slice(cut + 1))) failed.add(other.slice(0, cut));
  }
  return (other: string) => [...failed].some((part) => isWithin(other, part));
}

/**
 * The step at a path and those that build on it, including steps that received an effect's output,
 * and steps that build on those.
 */
export function reachOf({ state, plan }: RunAndPlan, within: string | undefined): Within {
  if (within === undefined) return () => true;
  const builds = (path: string, on: string) => isWithin(path, on) || dependsOn(plan, path, on);
  const roots = [within];
  const shared = [...state.effects.values()].filter(({ users = [] }) => users.length > 0);
  // The loop also visits nodes that are added meanwhile.
  for (const root of roots) {
    for (const { nodeId, users = [] } of shared) {
      if (builds(nodeId, root)) roots.push(...users.filter((user) => !roots.includes(user)));
    }
  }
  return (path) => roots.some((root) => builds(path, root));
}

/**
 * The effects to undo, the latest first. The effects that a step builds on exist before it begins,
 * so that dependencies are undone in reverse across branches too.
 */
export function effectsToUndo(
  sources: RunAndPlan,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Effect[] {
  const found = [...sources.state.effects.values()].filter((effect) => {
    const isMeant = canBeUndone(effect) && isDeclared(effect, kind, failure);
    return isMeant && isGivenUp(sources, effect, within);
  });
  return found.sort(laterFirst);
}

/** Whether an effect that could not be undone builds on this one: then it is kept. */
export function isBlocked(
  sources: RunAndPlan,
  { nodeId, users = [] }: Effect,
  failed: readonly Effect[],
): boolean {
  if (users.length === 0)
    return failed.some((other) => dependsOn(sources.plan, other.nodeId, nodeId));
  const reached = reachOf(sources, nodeId);
  return failed.some((other) => other.nodeId !== nodeId && reached(other.nodeId));
}

/** The effects whose compensators failed for good. */
export function failedEffects({ effects }: RunState): Effect[] {
  return [...effects.values()].filter(({ status }) => status === 'failed');
}

/**
 * The effects that are left after all possible undoing, the latest first, without those in doubt.
 *
 * @param reached the effects that should be undone, if not all
 */
export function remainingWithin(
  sources: RunAndPlan,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
  reached: Within = within,
): Remaining[] {
  const { state } = sources;
  const failed = failedEffects(state);
  const left = [...state.effects.values()].filter(({ nodeId }) => within(nodeId));
  return left.sort(laterFirst).flatMap((effect) => {
    if (isInDoubt(effect)) return [];
    const keepers = effect.status === 'held' ? keepersOf(sources, effect, reached) : [];
    const declared = reached(effect.nodeId) && isDeclared(effect, kind, failure);
    const reason = keepers.length > 0 ? 'used' : reasonOf(sources, effect, declared, failed);
    if (reason === undefined) return [];
    const { remaining, error } = effect;
    const detail =
      reason === 'used'
        ? `kept for ${keepers.join(', ')}`
        : reason === 'partial'
          ? remaining
          : error;
    return [{ ...summaryOf(effect), reason, ...(detail === undefined ? {} : { detail }) }];
  });
}

/** The effects that are in doubt. */
export function doubtsOf({ effects }: RunState): Doubt[] {
  return [...effects.values()]
    .filter(isInDoubt)
    .map((effect) => ({ ...summaryOf(effect), attempts: effect.open }));
}

/** An effect as results list it. */
export function summaryOf({ nodeId, effect, key, externalRef }: Effect): EffectSummary {
  const summary = { nodeId, effect, idempotencyKey: key };
  return externalRef === undefined ? summary : { ...summary, externalRef };
}

/** The end of a run that did not complete, if nothing were in doubt. */
export function statusOf(
  { effects }: RunState,
  kind: TriggerKind,
  remaining: readonly Remaining[],
): RunStatus {
  if (remaining.some(({ reason }) => reason !== 'declared')) return 'COMPENSATION_FAILED';
  for (const { status } of effects.values()) if (status === 'undone') return 'COMPENSATED';
  return kind === 'cancel' ? 'CANCELLED' : 'FAILED';
}

function reasonOf(
  sources: RunAndPlan,
  effect: Effect,
  declared: boolean,
  failed: readonly Effect[],
): Remaining['reason'] | undefined {
  if (effect.status === 'absent') return undefined;
  if (effect.status === 'undone') return effect.remaining === undefined ? undefined : 'partial';
  if (effect.status === 'failed') return 'failed';
  if (!isUndoable(effect)) return 'irreversible';
  if (!declared) return 'declared';
  return isBlocked(sources, effect, failed) ? 'blocked' : 'failed';
}

function canBeUndone(effect: Effect): boolean {
  return (effect.status === 'held' || effect.status === 'undoing') && isUndoable(effect);
}

function isUndoable({ effect, compensator }: Effect): boolean {
  return effect !== 'irreversible' && compensator !== null;
}

function isDeclared({ triggers }: Effect, kind: TriggerKind, failure: Failure): boolean {
  if (kind === 'manual') return true;
  return failure.compensates && triggers.some((trigger) => matchesCode(DECLARED[kind], trigger));
}

/** Effects with an unknown outcome count as the latest. */
function laterFirst(a: Effect, b: Effect): number {
  const place = ({ settled = Number.MAX_SAFE_INTEGER }: Effect) => settled;
  return place(b) - place(a) || b.registered - a.registered;
}
