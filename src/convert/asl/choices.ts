import { guardOf, type Link, type NodePlan } from '../../workflow/interpreter/plan.js';
import { guardCondition, nodeComment } from './annotations.js';
import { ownFailure } from './failures.js';
import { addTrial, trialBefore } from './guards.js';
import { inputQuery } from './inputs.js';
import { expression } from './jsonata.js';
import { failureState } from './recovery.js';
import {
  addHelper,
  helperState,
  type MachineScope,
  type State,
  stateOf,
  variableOf,
} from './scope.js';

/** The state with which a choice begins. */
export function choiceEntry(scope: MachineScope, plan: NodePlan): string {
  return trialBefore(scope, plan, guardsOf(plan), stateOf(scope, plan.node));
}

function guardsOf({ out }: NodePlan): string[] {
  return out.filter(({ kind }) => kind === 'branch').map(({ guard }) => guard ?? 'false');
}

/** Adds the state of a choice: one rule for each branch, and its default. */
export function addChoice(scope: MachineScope, plan: NodePlan): void {
  const { node, out } = plan;
  const input = inputQuery(scope, plan);
  const variable = variableOf(scope, node.id).slice(1);
  const ofKind = (kind: Link['kind']) => out.filter((link) => link.kind === kind);
  const target = ({ to }: Link) => scope.plan.nodes[to];
  const chosen = (link?: Link): State => ({
    [variable]: {
      output: expression(input),
      ...(link === undefined ? {} : { to: target(link).node.id }),
    },
  });
  const branches = ofKind('branch');
  const choices = branches.flatMap((link) => [
    ...guardCheck(scope, plan, { input }, link.guard ?? 'false'),
    {
      Condition: guardCondition({ input }, link.guard ?? 'false'),
      Assign: chosen(link),
      Next: scope.routeTo(plan, target(link)),
    },
  ]);
  const [otherwise] = ofKind('default');
  const state = stateOf(scope, node);
  const Comment = nodeComment(node);
  addTrial(scope, plan, { guards: guardsOf(plan), bindings: { input } }, state);
  if (branches.length === 0) {
    const Next = scope.routeTo(plan, otherwise && target(otherwise));
    scope.states[state] = { Comment, Type: 'Pass', Assign: chosen(otherwise), Next };
    return;
  }
  if (otherwise !== undefined) {
    const next = scope.routeTo(plan, target(otherwise));
    // Where a rule leads to the same state, moto takes it for the default.
    const isShared = choices.some(({ Next }) => Next === next);
    const Default = isShared ? helperState(scope, node, 'otherwise') : next;
    const assigned = isShared ? {} : { Assign: chosen(otherwise) };
    scope.states[state] = { Comment, Type: 'Choice', Choices: choices, ...assigned, Default };
    if (!isShared) return;
    const fields = { Type: 'Pass', Assign: chosen(otherwise), Next: next };
    addHelper(scope, node, 'route', Default, fields);
    return;
  }
  const none = helperState(scope, node, 'no branch');
  scope.states[state] = { Comment, Type: 'Choice', Choices: choices, Default: none };
  const failure = ownFailure(scope, plan, 'NoBranch', 'no guard holds and there is no default');
  addHelper(scope, node, 'caught', none, {
    Type: 'Pass',
    Assign: { [scope.failure.slice(1)]: failure },
    Next: failureState(scope, plan),
  });
}

/** The rule that fails a node whose guard may be no boolean, where it is none. */
export function guardCheck(
  scope: MachineScope,
  plan: NodePlan,
  bindings: Readonly<Record<string, string>>,
  guard: string,
): State[] {
  if (guardOf(guard).typed) return [];
  const bound = Object.entries(bindings).map(([name, value]) => `$${name} := ${value}; `);
  const holds = `$holds := (${guard})`;
  const message = `the guard ${guard} is no boolean`;
  return [
    {
      Condition: expression(
        `(${bound.join('')}${holds}; $exists($holds) and $type($holds) != 'boolean')`,
      ),
      Assign: { [scope.failure.slice(1)]: ownFailure(scope, plan, 'guard_failed', message) },
      Next: failureState(scope, plan),
    },
  ];
}
