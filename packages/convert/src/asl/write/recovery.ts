import { buildsOn, type NodePlan } from '@alas-jssp/workflow/ir';
import { expression, follow, quoted, withinAny } from '../jsonata.js';
import { DEADLINE } from './deadlines.js';
import {
  type CatchRule,
  errorQuery,
  errorValue,
  failureValue,
  hasCode,
  ownFailure,
  rulesOf,
} from './failures.js';
import { inputQuery } from './inputs.js';
import { errorNames, TIMEOUT } from './policies.js';
import {
  effectsIn,
  helperState,
  type MachineScope,
  pathQuery,
  type State,
  stateOf,
  variableOf,
} from './scope.js';
import { addUndoing, stuckWithin } from './undo.js';

/**
 * `Catch` of a state: the rules of the policy first, then all other errors.
 *
 * @param timeout our code of the engine's own timeout
 * @param change variables that a failure changes
 */
export function catchers(
  scope: MachineScope,
  plan: NodePlan,
  timeout?: string,
  change: State = {},
): State[] {
  const failure = failureValue(scope, plan, timeout);
  const isUndone = Object.keys(change).length > 0;
  const { hasDeadlines } = scope.writing;
  const late = { ErrorEquals: [TIMEOUT], Assign: { [scope.failure.slice(1)]: failure, ...change } };
  // No policy catches a passed deadline.
  const first =
    hasDeadlines && rulesOf(plan).length > 0 ? [{ ...late, Next: failureState(scope, plan) }] : [];
  const named = rulesOf(plan).filter(({ errors }) => errorNames(errors, timeout).length > 0);
  const rules = named.map((rule): State => {
    const names = errorNames(rule.errors, timeout);
    if (rule.handler !== undefined && !isUndone) {
      const handled = {
        error: errorValue(scope, plan, timeout),
        input: expression(inputQuery(scope, plan)),
      };
      return {
        ErrorEquals: names,
        Assign: {
          [variableOf(scope, plan.node.id).slice(1)]: { ...handled, caughtBy: rule.handler },
        },
        Next: scope.routeTo(plan, scope.plan.byId.get(rule.handler)),
      };
    }
    const assigned = { [scope.failure.slice(1)]: failure, ...change };
    return { ErrorEquals: names, Assign: assigned, Next: recover(scope, plan, rule) };
  });
  if (rules.some(({ ErrorEquals }) => (ErrorEquals as string[]).includes('States.ALL')))
    return [...first, ...rules];
  const assigned = { [scope.failure.slice(1)]: failure, ...change };
  return [
    ...first,
    ...rules,
    { ErrorEquals: ['States.ALL'], Assign: assigned, Next: scope.failed },
  ];
}

/** The state that handles a failure of a node other than an error of its own state. */
export function failureState(scope: MachineScope, plan: NodePlan): string {
  const rules = rulesOf(plan);
  if (rules.length === 0) return scope.failed;
  const name = helperState(scope, plan.node, 'failed');
  if (scope.states[name] !== undefined) return name;
  scope.states[name] = {};
  const due = { Condition: hasCode(scope, [DEADLINE]), Next: scope.failed };
  const choices = rules.map((rule) => {
    return { Condition: hasCode(scope, rule.errors), Next: recover(scope, plan, rule) };
  });
  scope.states[name] = {
    Type: 'Choice',
    Choices: [...(scope.writing.hasDeadlines ? [due] : []), ...choices],
    Default: scope.failed,
  };
  return name;
}

/** Adds the states that handle a failure by a rule; returns the first. */
function recover(scope: MachineScope, plan: NodePlan, rule: CatchRule): string {
  if (rule.handler !== undefined) return recoverForward(scope, plan, rule.handler);
  return rule.backTo === undefined ? scope.failed : recoverBack(scope, plan, rule, rule.backTo);
}

/** Undoes the failed effects and continues with the handler. */
function recoverForward(scope: MachineScope, plan: NodePlan, handler: string): string {
  const { node } = plan;
  const caught = helperState(scope, node, `caught by ${handler}`);
  scope.states[caught] = {
    Type: 'Pass',
    Assign: {
      [variableOf(scope, node.id).slice(1)]: {
        error: expression(errorQuery(scope)),
        input: expression(inputQuery(scope, plan)),
        caughtBy: handler,
      },
      [scope.failure.slice(1)]: {},
    },
    Next: scope.routeTo(plan, scope.plan.byId.get(handler)),
  };
  const effects = effectsIn(scope.writing, [plan], scope.title);
  if (effects.length === 0) return caught;
  const within = failedPaths(scope, plan);
  const next = helperState(scope, node, 'is it undone');
  const message = `what ${node.id} did could not be undone`;
  scope.states[next] = {
    Type: 'Choice',
    Choices: [
      {
        Condition: expression(`$count(${stuckWithin(scope, within)}) > 0`),
        Assign: {
          [scope.failure.slice(1)]: ownFailure(scope, plan, 'CompensationFailed', message),
        },
        Next: scope.failed,
      },
    ],
    Default: caught,
  };
  return addUndoing({ scope, node, within, effects, next });
}

/**
 * The paths of the failed parts of a node: itself, or the failed branches or iterations, as an
 * expression.
 */
function failedPaths(scope: MachineScope, { node }: NodePlan): string {
  const isMany = node.type === 'parallel' || (node.type === 'map' && node.items !== undefined);
  if (isMany) return `[${variableOf(scope, node.id)}.failed]`;
  return `[${pathQuery(scope, node.id)}]`;
}

/**
 * Undoes the effects after an earlier node and continues from there, as often as the rule allows.
 */
function recoverBack(
  scope: MachineScope,
  plan: NodePlan,
  { times = 1 }: CatchRule,
  to: string,
): string {
  const { node } = plan;
  const { self, undo, failure } = scope;
  const origin = scope.plan.byId.get(to) as NodePlan;
  const after = scope.plan.nodes.filter((one) => one === plan || buildsOn(scope.plan, one, origin));
  const paths = `[${after.map((one) => pathQuery(scope, one.node.id)).join(', ')}]`;
  const begin = helperState(scope, node, `back to ${to}`);
  const check = helperState(scope, node, `is all after ${to} undone`);
  const back = helperState(scope, node, `reset to ${to}`);
  const effects = effectsIn(scope.writing, after, scope.title);
  const undoing = addUndoing({
    scope,
    node,
    within: paths,
    effects,
    next: check,
    evenUndeclared: true,
  });
  const count = follow(`${self}.returns`, [to]);
  scope.states[begin] = {
    Type: 'Choice',
    Choices: [
      { Condition: expression(`($exists(${count}) ? ${count} : 0) < ${times}`), Next: undoing },
    ],
    Default: scope.failed,
  };
  const gone = `$effect.status in ['undone', 'absent'] and $not($effect.doubt)`;
  const left = `$filter(${undo}, function($effect) { ${withinAny('$effect.path', paths)} and $not(${gone}) })`;
  const message = `cannot return to ${to}: a later effect is possibly not undone`;
  scope.states[check] = {
    Type: 'Choice',
    Choices: [
      {
        Condition: expression(`$count(${left}) > 0`),
        Assign: {
          [failure.slice(1)]: expression(
            `$merge([${failure}, {'code': 'CompensationFailed', 'message': ${quoted(message)}}])`,
          ),
        },
        Next: scope.failed,
      },
    ],
    Default: back,
  };
  const more = (word: string, ids: readonly string[]) => {
    const parts = ids.map((id) => {
      const known = follow(`${self}.${word}`, [id]);
      return `${quoted(id)}: ($exists(${known}) ? ${known} : 0) + 1`;
    });
    return `'${word}': $merge([${self}.${word}, {${parts.join(', ')}}])`;
  };
  const resets = after.map((one) => one.node.id);
  const kept = `[$filter(${undo}, function($effect) { $not(${withinAny('$effect.path', paths)}) })]`;
  scope.states[back] = {
    Type: 'Pass',
    Assign: {
      [self.slice(1)]: expression(
        `$merge([${self}, {${more('returns', [to])}, ${more('resets', resets)}}])`,
      ),
      [undo.slice(1)]: expression(kept),
      [failure.slice(1)]: {},
      ...Object.fromEntries(after.map((one) => [variableOf(scope, one.node.id).slice(1), {}])),
    },
    Next: onFrom(scope, origin),
  };
  return begin;
}

/** The state after a node that is done. */
function onFrom(scope: MachineScope, plan: NodePlan): string {
  const ways = plan.out.filter(({ kind }) => kind === 'branch' || kind === 'default');
  if (!scope.single || ways.length === 0) return scope.routeTo(plan);
  const name = helperState(scope, plan.node, 'on from here');
  const choices = ways.map(({ to }) => {
    const { node } = scope.plan.nodes[to];
    const Condition = expression(`${variableOf(scope, plan.node.id)}.to = ${quoted(node.id)}`);
    return { Condition, Next: scope.routeTo(plan, scope.plan.nodes[to]) };
  });
  scope.states[name] = {
    Type: 'Choice',
    Choices: choices,
    Default: stateOf(scope, plan.node),
  };
  return name;
}
