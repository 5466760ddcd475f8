import type { Action, CoordinationPlan } from '../model/plan.js';
import { UNSOUND_CODES, type Violation } from './violation.js';

/** A cause, and the violations that follow from it. */
export interface ViolationGroup {
  readonly root: Violation;
  readonly cascades: readonly Violation[];
}

/**
 * Groups violations by cause. All violations of one action belong to its first; a missing activity explains the
 * violations of actions that require it; an unreadable action explains the violations of its people, vehicle and
 * activity. The groups are in the order of their roots.
 *
 * @param violations as `judge` lists them, causes first
 */
export function groupViolations(
  { actions }: CoordinationPlan,
  violations: readonly Violation[],
): ViolationGroup[] {
  const groups: { root: Violation; cascades: Violation[] }[] = [];
  const isRoot = (one: Violation) =>
    !violations.some((other) => other !== one && isMissing(other, one));
  const later: Violation[] = [];
  for (const violation of violations) {
    if (!isRoot(violation)) later.push(violation);
    else {
      const group = groups.find(({ root }) => explains(actions, root, violation));
      if (group === undefined) groups.push({ root: violation, cascades: [] });
      else group.cascades.push(violation);
    }
  }
  for (const violation of later) {
    const group = groups.find(({ root }) => isMissing(root, violation));
    if (group === undefined) groups.push({ root: violation, cascades: [] });
    else group.cascades.push(violation);
  }
  return groups;
}

/** Whether the root reports a missing activity, and the other violation its absence before something that needs it. */
function isMissing(root: Violation, { code, activity }: Violation): boolean {
  const waits = code === 'left_early' || code === 'vehicle_not_ready';
  return waits && root.code === 'missing_activity' && root.activity === activity;
}

function explains(actions: readonly Action[], root: Violation, other: Violation): boolean {
  if (root.action === undefined) return false;
  if (root.action === other.action) return true;
  if (!UNSOUND_CODES.includes(root.code)) return false;
  const action = actions[root.action];
  const concerns = (name: string | undefined) => name !== undefined && namesOf(action).has(name);
  return concerns(other.person) || concerns(other.vehicle) || concerns(other.activity);
}

function namesOf(action: Action): ReadonlySet<string> {
  if (action.do === 'drive') return new Set([action.vehicle, action.who ?? '', ...action.with]);
  return new Set([...action.who, ...(action.do === 'activity' ? [action.activity] : [])]);
}
