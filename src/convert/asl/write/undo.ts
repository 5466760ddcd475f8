import type { Node, TaskNode } from '../../../workflow/ir/workflow.js';
import { expression, quoted, withinAny } from '../jsonata.js';
import { callFields } from './calls.js';
import { declaredQuery } from './deadlines.js';
import { retryFields, timeoutFields } from './policies.js';
import { bodyState, type EffectPlace, helperState, type MachineScope, titleOf } from './scope.js';

/** Seconds that a compensator has if its policy names none. */
const COMPENSATION_SECONDS = 60;

/** Undoing of effects: those of a whole run, or of what failed in a node. */
export interface Undoing {
  readonly scope: MachineScope;
  /** The node whose failure is caught; none if it is not. */
  readonly node?: Node;
  /** The paths within which effects are undone, as an expression; all if there is none. */
  readonly within?: string;
  /** Whether effects are undone whatever their policies say of failures. */
  readonly evenUndeclared?: boolean;
  /** The tasks that may have effects there. */
  readonly effects: readonly EffectPlace[];
  /** The state that goes on when nothing is left that can be undone. */
  readonly next: string;
}

/** Whether something can undo the effect of a task. */
function isUndoable({ plan: { node, policy } }: EffectPlace): boolean {
  return (node as TaskNode).effect !== 'irreversible' && policy.compensation !== undefined;
}

/**
 * Adds the states that undo effects one after the other, the last to come about first, and leave
 * alone what something builds on that could not be undone.
 *
 * @returns the state with which it begins
 */
export function addUndoing(undoing: Undoing): string {
  const { scope, node, effects, next } = undoing;
  const undoable = effects.filter(isUndoable);
  if (undoable.length === 0) return next;
  const named = (word: string) => {
    return node === undefined ? bodyState(scope, word) : helperState(scope, node, word);
  };
  const begin = named('undo the last');
  const whom = named('undo which');
  const undone = `$${scope.writing.variables.of(`${scope.undo}|undone`, `${scope.undo.slice(1)}ne`)}`;
  scope.states[begin] = {
    Type: 'Pass',
    Assign: { [undone.slice(1)]: expression(lastHeld(undoing)) },
    Next: whom,
  };
  const choices = undoable.map((effect) => {
    const path = titleOf(effect, effect.plan.node.id);
    const name = named(`undo ${path}`);
    scope.states[name] = { ...undoState(scope, effect, undone), Next: begin };
    const catcher = (scope.states[name].Catch as { Next?: string }[])[0];
    catcher.Next = begin;
    return { Condition: expression(`${undone}.effect.node = ${quoted(path)}`), Next: name };
  });
  scope.states[whom] = { Type: 'Choice', Choices: choices, Default: next };
  return begin;
}

/** The effect that is undone next, under `effect`; none if nothing is left that can be. */
function lastHeld({ scope, within, evenUndeclared = false }: Undoing): string {
  const { undo } = scope;
  const declared = evenUndeclared ? '' : ` and ${declaredQuery(scope)}`;
  const inside = within === undefined ? '' : ` and ${withinAny('$effect.path', within)}`;
  const failed = `${undo}[status = 'failed'].after`;
  const free = `$not(${withinAny('$effect.path', failed)})`;
  const held = `$effect.status = 'held' and $effect.undoable${declared}${inside} and ${free}`;
  const left = `$filter(${undo}, function($effect) { ${held} })`;
  const later = 'function($a, $b) { $b.settled >= $a.settled ? $b : $a }';
  return `{'effect': $reduce(${left}, ${later})}`;
}

/** The call of what undoes an effect: it is undone afterwards, or could not be. */
function undoState(
  scope: MachineScope,
  { plan }: EffectPlace,
  undone: string,
): Record<string, unknown> {
  const { compensation } = plan.policy;
  const { retry, backoff, timeout, safeReinvoke } = compensation ?? {};
  const field = (key: string) => expression(`${undone}.effect.${key}`);
  const call = callFields(scope, {
    kind: 'undo',
    name: compensation?.handler ?? '',
    path: field('path'),
    key: field('key'),
    input: field('input'),
    output: field('output'),
  });
  const left = '$states.result.Payload.remaining';
  const partial = `$exists(${left}) and ${left} != null ? {'remaining': $string(${left})} : {}`;
  const done = `$merge([{'status': 'undone'}, ${partial}])`;
  return {
    ...call,
    ...timeoutFields(timeout?.seconds ?? COMPENSATION_SECONDS),
    ...(safeReinvoke === true ? retryFields({ retry, backoff }) : {}),
    Assign: { [scope.undo.slice(1)]: expression(changed(scope, `${undone}.effect.path`, done)) },
    Catch: [
      {
        ErrorEquals: ['States.ALL'],
        Assign: {
          [scope.undo.slice(1)]: expression(
            changed(scope, `${undone}.effect.path`, "{'status': 'failed'}"),
          ),
        },
      },
    ],
  };
}

/** The registered effects with a change of the one at a path, as an expression. */
export function changed({ undo }: MachineScope, path: string, change: string): string {
  const merged = `$merge([$effect, ${change}])`;
  return `[$map(${undo}, function($effect) { $effect.path = ${path} ? ${merged} : $effect })]`;
}

/** The effects within some paths that could not be undone, as an expression. */
export function stuckWithin(scope: MachineScope, within: string): string {
  const held = `$effect.status = 'held' and $effect.undoable and ${declaredQuery(scope)}`;
  const stuck = `($effect.status = 'failed' or (${held})) and ${withinAny('$effect.path', within)}`;
  return `$filter(${scope.undo}, function($effect) { ${stuck} })`;
}
