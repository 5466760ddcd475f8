import type {
  Doubt,
  EffectSummary,
  Failure,
  Remaining,
  RunStatus,
  TriggerKind,
} from './entries.js';
import { dependsOn, type WorkflowPlan } from './plan.js';
import { matchesCode } from './policies.js';
import { type Effect, isInDoubt, type RunState } from './state.js';

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
 * The effects that are to be undone, the last to come about first. What a step builds on came about
 * before it began, so that dependencies are undone in reverse across branches too.
 */
export function effectsToUndo(
  { effects }: RunState,
  kind: TriggerKind,
  failure: Failure,
  within: Within,
): Effect[] {
  const found = [...effects.values()].filter((effect) => {
    return canBeUndone(effect) && within(effect.nodeId) && isDeclared(effect, kind, failure);
  });
  return found.sort(laterFirst);
}

/** Whether something that could not be undone builds on an effect: then it is left alone. */
export function isBlocked(
  { plan }: Sources,
  { nodeId }: Effect,
  failed: readonly Effect[],
): boolean {
  return failed.some((other) => dependsOn(plan, other.nodeId, nodeId));
}

/** The effects whose compensators failed for good. */
export function failedEffects({ effects }: RunState): Effect[] {
  return [...effects.values()].filter(({ status }) => status === 'failed');
}

/**
 * The effects that are left when all has been undone that can be, the last one first. Those in doubt
 * are not among them.
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
  const { state } = sources;
  const failed = failedEffects(state);
  const left = [...state.effects.values()].filter(({ nodeId }) => within(nodeId));
  return left.sort(laterFirst).flatMap((effect) => {
    if (isInDoubt(effect)) return [];
    const declared = reached(effect.nodeId) && isDeclared(effect, kind, failure);
    const reason = reasonOf(sources, effect, declared, failed);
    if (reason === undefined) return [];
    const detail = reason === 'partial' ? effect.remaining : effect.error;
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
  sources: Sources,
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

/** Effects whose outcome is not known came last. */
function laterFirst(a: Effect, b: Effect): number {
  const place = ({ settled = Number.MAX_SAFE_INTEGER }: Effect) => settled;
  return place(b) - place(a) || b.registered - a.registered;
}
