import { expression } from '../jsonata.js';
import { declaredQuery } from './deadlines.js';
import { errorQuery, NOWHERE } from './failures.js';
import { outputQuery } from './inputs.js';
import { endInvariants } from './invariants.js';
import { bodyState, effectsIn, type MachineScope, type State } from './scope.js';
import { addUndoing } from './undo.js';

/** Whether the existence of an effect is unknown: an attempt at it timed out. */
const IN_DOUBT = [
  "$inDoubt := function($effect) { $effect.doubt and ($effect.status in ['undone', 'absent']",
  "or ($effect.status = 'held' and $not($effect.confirmed))) };",
].join(' ');

/** Adds the ends of a machine: with its output, or with a failure after all possible undoing. */
export function addEnds(scope: MachineScope, end: string): void {
  const { hasEffects } = scope.writing;
  const { states } = scope;
  const succeeded = bodyState(scope, 'completed');
  const checks = [...endInvariants(scope), ...(hasEffects ? [doubtCheck(scope)] : [])];
  const done = { Type: 'Succeed', Output: expression(outputQuery(scope)) };
  if (checks.length === 0) states[end] = done;
  else {
    states[end] = { Type: 'Choice', Choices: checks, Default: succeeded };
    states[succeeded] = done;
  }
  const { failure, failed } = scope;
  if (!hasEffects) {
    const error = errorQuery(scope);
    const cause = `{'status': 'FAILED', 'error': ${error}, 'remaining': [], 'inDoubt': []}`;
    states[failed] = failState(`${failure}.code`, cause);
    return;
  }
  const judged = bodyState(scope, 'what is left');
  const over = bodyState(scope, 'not completed');
  const effects = effectsIn(scope.writing, scope.plan.nodes, '');
  states[failed] = { Type: 'Pass', Next: addUndoing({ scope, effects, next: judged }) };
  states[judged] = { Type: 'Pass', Output: expression(endQuery(scope)), Next: over };
  states[over] = failState('$states.input.error.code', '$states.input');
}

function failState(code: string, cause: string): State {
  return { Type: 'Fail', Error: expression(code), Cause: expression(`$string(${cause})`) };
}

/** A run whose body is done, although a caught failure may have left its effect. */
function doubtCheck(scope: MachineScope): State {
  const { undo, failure } = scope;
  const doubts = `$count($filter(${undo}, $inDoubt)) > 0`;
  const message = 'the effect of a step that timed out may exist or not';
  return {
    Condition: expression(`(${IN_DOUBT} ${doubts})`),
    Assign: {
      [failure.slice(1)]: { code: 'InDoubt', message, nodeId: NOWHERE, compensates: false },
    },
    Next: bodyState(scope, 'what is left'),
  };
}

/**
 * The end of a run that did not complete: its status, and the effects that are left or in doubt.
 */
function endQuery(scope: MachineScope): string {
  const { undo } = scope;
  const open = `$not(${declaredQuery(scope)})`;
  return [
    '(',
    IN_DOUBT,
    `$doubts := $filter(${undo}, $inDoubt);`,
    `$isDone := ${scope.failure}.code = 'InDoubt';`,
    `$left := $filter(${undo}, function($effect) { $not($isDone) and $not($inDoubt($effect)) and $effect.status != 'absent'`,
    `and ($effect.status != 'undone' or $exists($effect.remaining)) });`,
    `$meant := function($effect) { $effect.status = 'held' and $effect.undoable and ${open} };`,
    '$bad := $count($filter($left, function($effect) { $not($meant($effect)) })) > 0;',
    "$status := $bad ? 'COMPENSATION_FAILED' : $count($doubts) > 0 ? 'IN_DOUBT'",
    `: $count(${undo}[status = 'undone']) > 0 ? 'COMPENSATED' : 'FAILED';`,
    `{'status': $status, 'error': ${errorQuery(scope)},`,
    "'remaining': [$left.path], 'inDoubt': [$doubts.path]} )",
  ].join(' ');
}
