import type { Node, TaskNode } from '@alas-jssp/workflow';
import { expression, quoted, withinAny } from '../jsonata.js';
import { callFields } from './calls.js';
import { declaredQuery } from './deadlines.js';
import { retryFields, timeoutFields } from './policies.js';
import { bodyState, type EffectPlace, helperState, type MachineScope, titleOf } from './scope.js';

/** Default timeout of a compensator, in seconds. */
const COMPENSATION_SECONDS = 60;

/** The undoing of a whole run, or of the failed effects of a node. */
export interface Undoing {
  readonly scope: MachineScope;
  /** The node whose failure is caught; undefined if it is not. */
  readonly node?: Node;
  /** The paths within which effects are undone, as an expression; undefined for all. */
  readonly within?: string;
  /** Whether effects are undone even if their policies do not declare it. */
  readonly evenUndeclared?: boolean;
  /** The tasks that may have effects there. */
  readonly effects: readonly EffectPlace[];
  /** The state after all possible undoing. */
  readonly next: string;
}

/** Whether the effect of a task can be undone. */
function isUndoable({ plan: { node, policy } }: EffectPlace): boolean {
  return (node as TaskNode).effect !== 'irreversible' && policy.compensation !== undefined;
}

/**
 * Adds the states that undo effects one after the other, the latest first, except for those on
 * which an effect builds that could not be undone.
 *
 * @returns the first state
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

/** The next effect to undo, under `effect`; none if no effect is left that can be undone. */
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

/** The call of a compensator: its effect is undone afterwards, or could not be. */
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

/** The registered effects with a change of one of them, as an expression. */
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
