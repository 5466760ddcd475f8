import { type BodyPlan, buildsOn, type NodePlan, type WorkflowPlan } from '@alas-jssp/workflow/ir';
import { literal } from './expressions.js';

/** A step with an effect, and its place. */
export interface EffectStep {
  /** The id of its sub-process. */
  readonly id: string;
  readonly plan: NodePlan;
  /** Whether it may run several times in one run. */
  readonly repeats: boolean;
  /** Its place: the nodes on the path to it, outermost first. */
  readonly stations: readonly Station[];
}

/** A node on the path to a step. */
export interface Station {
  readonly body: BodyPlan;
  readonly node: NodePlan;
  /** The branch through which the path leads. */
  readonly branch?: string;
}

/** The variable with the effects of a run: registered before their steps, in order. */
export const EFFECTS = 'effects';

/** Registers an effect. */
export function registerText(id: string, undoCall: string): string {
  const entry = `{"step": ${literal(id)}, "path": $path, "status": "held", "call": ${undoCall}}`;
  return `$append($${EFFECTS}, [${entry}])`;
}

/** Records the outcome of an effect: the latest effect is undone first. */
export function settleText(change: string): string {
  const others = `[$${EFFECTS}[path != $path or status = "undone"]]`;
  const own = `$${EFFECTS}[path = $path and status != "undone"]`;
  return `$append(${others}, [$merge([${own}, ${change}])])`;
}

/** Removes an effect that does not exist. */
export const FORGET = `[$${EFFECTS}[path != $path]]`;

/**
 * The next effect to undo: the latest that can be undone, and on which no effect builds that could
 * not.
 */
export function nextText(steps: readonly EffectStep[], within: string): string {
  const on = (trigger: 'onFailure' | 'onCancel') =>
    literal(steps.filter((step) => hasCompensator(step, trigger)).map(({ id }) => id));
  const loops = steps.some(({ repeats }) => repeats);
  return `(
  $stuck := [$${EFFECTS}[status = "failed"]];
  $builds := ${loops ? buildsInLoops(steps) : buildsPlainly(steps)};
  $left := [$filter($${EFFECTS}, function($one) {(
    $one.status = "held" and $one.step in ($cancelled = true ? ${on('onCancel')} : ${on('onFailure')}) and (${within})
      and $count([$stuck[$builds($, $one)]]) = 0
  )})];
  $count($left) = 0 ? null : $left[-1]
)`;
}

/** The effects that should have been undone but could not. */
export function stuckText(within: string): string {
  const all = `[$filter($${EFFECTS}, function($one) { $one.status in ["held", "failed"] and (${within}) })]`;
  return `$count(${all}) > 0`;
}

/** Whether a step has a compensator, and its policy uses it. */
export function hasCompensator(
  { plan: { node, policy } }: EffectStep,
  trigger: 'onFailure' | 'onCancel',
): boolean {
  if (node.type !== 'task' || node.effect === 'irreversible') return false;
  return policy.compensation?.triggers.includes(trigger) === true;
}

function buildsPlainly(steps: readonly EffectStep[]): string {
  const table = Object.fromEntries(
    steps.map((later) => {
      return [later.id, steps.filter((earlier) => relation(later, earlier).on).map(({ id }) => id)];
    }),
  );
  return `function($later, $earlier) { $earlier.step in $lookup(${literal(table)}, $later.step) }`;
}

function buildsInLoops(steps: readonly EffectStep[]): string {
  const table: Record<string, { on: boolean; loops: string[] }> = {};
  for (const later of steps) {
    for (const earlier of steps) {
      const found = relation(later, earlier);
      if (found.on || found.loops.length > 0) table[`${later.id} ${earlier.id}`] = found;
    }
  }
  return `function($later, $earlier) {(
    $way := $lookup(${literal(table)}, $later.step & " " & $earlier.step);
    $turns := function($path) { [$match($path, /\\[(\\d+)\\]/).groups.$number($)] };
    $a := $turns($later.path);
    $b := $turns($earlier.path);
    $parts := [$filter([0..$count($way.loops) - 1], function($k) { $a[$k] != $b[$k] })];
    $exists($way) ? ($count($parts) = 0 ? $way.on : $way.loops[$parts[0]] = "until" and $a[$parts[0]] > $b[$parts[0]]) : false
  )}`;
}

/** Whether a step builds on another in the same iterations, and the loops around both. */
function relation(later: EffectStep, earlier: EffectStep): { on: boolean; loops: string[] } {
  const loops: string[] = [];
  for (let k = 0; k < later.stations.length && k < earlier.stations.length; k++) {
    const a = later.stations[k];
    const b = earlier.stations[k];
    if (a.node !== b.node) return { on: buildsOn(a.body, a.node, b.node), loops };
    if (a.branch !== b.branch) return { on: false, loops };
    const { node } = a.node;
    if (node.type === 'map') loops.push(node.items === undefined ? 'until' : 'items');
  }
  return { on: false, loops };
}

/** All steps with effects, with their places. */
export function effectSteps(
  { planOf }: WorkflowPlan,
  body: BodyPlan,
  idOf: (stations: readonly Station[]) => string,
  around: readonly Station[] = [],
): EffectStep[] {
  const found: EffectStep[] = [];
  const inner = (part: BodyPlan, stations: readonly Station[]) => {
    found.push(...effectSteps({ planOf } as WorkflowPlan, part, idOf, stations));
  };
  for (const plan of body.nodes) {
    const { node } = plan;
    const stations = [...around, { body, node: plan }];
    if (node.type === 'map') inner(planOf(node.body), stations);
    if (node.type === 'parallel') {
      for (const [branch, part] of Object.entries(node.branches)) {
        inner(planOf(part), [...around, { body, node: plan, branch }]);
      }
    }
    if (node.type !== 'task' || node.effect === 'none') continue;
    const repeats = stations.some(({ node: { node: one } }) => one.type === 'map');
    found.push({ id: idOf(stations), plan, repeats, stations });
  }
  return found;
}
