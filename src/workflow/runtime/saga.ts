import { matchesCode } from './backoff.js';
import type { Failure, Remaining, RunStatus, TriggerKind } from './payloads.js';
import { type BodyPlan, buildsOn, type NodePlan, type WorkflowPlan } from './plan.js';
import type { Effect, RunState } from './state.js';

/** Which effects belong to what is undone, by path. */
export type Within = (nodeId: string) => boolean;

type Sources = { readonly state: RunState; readonly plan: WorkflowPlan };

/** The declarations that make a trigger undo an effect; a person may undo everything. */
const DECLARED: Readonly<Record<TriggerKind, readonly string[]>> = {
  failure: ['onFailure'],
  cancel: ['onCancel'],
  deadline: ['deadline', 'onFailure'],
  manual: ['*'],
};

/** Whether there is anything that was not undone. */
export function heldWithin({ effects }: RunState, within: Within): boolean {
  for (const { nodeId, status } of effects.values()) {
    if (within(nodeId) && (status === 'held' || status === 'undoing')) return true;
  }
  return false;
}

/**
 * The effect that is to be undone next: of those that are held the last to come about (last in,
 * first out). What a step builds on came about before it began, so that dependencies are undone in
 * reverse across branches too. What something builds on that could not be undone is left alone.
 */
export function nextToUndo(
  sources: Sources,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Effect | undefined {
  let next: Effect | undefined;
  for (const effect of sources.state.effects.values()) {
    if (!within(effect.nodeId) || !isHeld(effect) || !isUndoable(effect)) continue;
    if (!isDeclared(effect, kind, failure) || isBlocked(sources, effect)) continue;
    if (next === undefined || isLater(effect, next)) next = effect;
  }
  return next;
}

/**
 * The effects that are left when all has been undone that can be, the last one first.
 *
 * @param reached those that were to be undone, if not all
 */
export function remainingWithin(
  sources: Sources,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
  reached: Within = within,
): Remaining[] {
  const left = [...sources.state.effects.values()].filter(({ nodeId }) => within(nodeId));
  left.sort((a, b) => (isLater(a, b) ? -1 : 1));
  return left.flatMap((effect) => {
    const declared = reached(effect.nodeId) && isDeclared(effect, kind, failure);
    const reason = reasonOf(sources, effect, declared);
    if (reason === undefined) return [];
    const { nodeId, key: idempotencyKey, externalRef, effect: effectClass } = effect;
    const detail = reason === 'partial' ? effect.remaining : effect.error;
    return [
      {
        nodeId,
        effect: effectClass,
        idempotencyKey,
        reason,
        ...(externalRef === undefined ? {} : { externalRef }),
        ...(detail === undefined ? {} : { detail }),
      },
    ];
  });
}

/** How a run ends that did not complete. */
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
  sources: Sources,
  effect: Effect,
  declared: boolean,
): Remaining['reason'] | undefined {
  if (effect.status === 'absent') return undefined;
  if (effect.status === 'undone') return effect.remaining === undefined ? undefined : 'partial';
  if (effect.status === 'failed') return 'failed';
  if (!isUndoable(effect)) return 'irreversible';
  if (!declared) return 'declared';
  return isBlocked(sources, effect) ? 'blocked' : 'failed';
}

function isHeld({ status }: Effect): boolean {
  return status === 'held' || status === 'undoing';
}

function isUndoable({ effect, compensator }: Effect): boolean {
  return effect !== 'irreversible' && compensator !== null;
}

function isDeclared({ triggers }: Effect, kind: TriggerKind, failure: Failure): boolean {
  if (kind === 'manual') return true;
  return failure.compensates && triggers.some((trigger) => matchesCode(DECLARED[kind], trigger));
}

/** Effects whose outcome is not known came last. */
function isLater(a: Effect, b: Effect): boolean {
  const place = ({ settled }: Effect) => settled ?? Number.POSITIVE_INFINITY;
  return place(a) === place(b) ? a.registered > b.registered : place(a) > place(b);
}

function isBlocked({ state, plan }: Sources, effect: Effect): boolean {
  for (const other of state.effects.values()) {
    if (other.status === 'failed' && dependsOn(plan, other.nodeId, effect.nodeId)) return true;
  }
  return false;
}

/** Tells whether the step at a path builds on the one at another: where their ways part. */
export function dependsOn(plan: WorkflowPlan, later: string, earlier: string): boolean {
  const a = stationsOf(plan, later);
  const b = stationsOf(plan, earlier);
  for (let k = 0; k < a.length && k < b.length; k++) {
    if (a[k].node !== b[k].node) return buildsOn(a[k].body, a[k].node, b[k].node);
    if (a[k].part === b[k].part) continue;
    const { node } = a[k].node;
    return node.type === 'map' && node.items === undefined && Number(a[k].part) > Number(b[k].part);
  }
  return false;
}

/** A node on the way to another, and the branch or the turn that the way goes through. */
interface Station {
  readonly body: BodyPlan;
  readonly node: NodePlan;
  readonly part: string;
}

function stationsOf({ root, planOf }: WorkflowPlan, path: string): Station[] {
  const stations: Station[] = [];
  const words = path.split('/');
  for (let body = root, k = 0; k < words.length; ) {
    const [id, turn] = words[k++].split(/[[\]]/);
    const node = body.byId.get(id);
    if (node === undefined) break;
    const { type } = node.node;
    const part = type === 'parallel' ? decodeURIComponent(words[k++] ?? '') : (turn ?? '');
    stations.push({ body, node, part });
    if (node.node.type === 'map') body = planOf(node.node.body);
    else if (node.node.type === 'parallel' && part !== '') body = planOf(node.node.branches[part]);
  }
  return stations;
}

/** The node at a path. */
export function nodeAt(plan: WorkflowPlan, path: string): NodePlan | undefined {
  return stationsOf(plan, path).at(-1)?.node;
}
