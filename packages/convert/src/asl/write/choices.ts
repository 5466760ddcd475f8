import { guardOf, type Link, type NodePlan } from '@alas-jssp/workflow/ir';
import { guardCondition } from '../guard-condition.js';
import { expression } from '../jsonata.js';
import { ownFailure } from './failures.js';
import { addTrial, trialBefore } from './guards.js';
import { inputQuery } from './inputs.js';
import { type PathTests, pathTests, ReadValues } from './path-tests.js';
import { failureState } from './recovery.js';
import {
  commentOf,
  helperState,
  type MachineScope,
  type State,
  stateOf,
  variableOf,
} from './scope.js';

/** The guards of a choice in JSONPath, and the values that they read. */
interface PathChoice {
  readonly values: ReadValues;
  readonly tests: readonly PathTests[];
}

/**
 * The guards of a choice in JSONPath, if requested and possible for all. A state inside of a state
 * in JSONata cannot use another language, so that only those of the outermost machine are.
 */
function pathChoice(scope: MachineScope, { out }: NodePlan): PathChoice | undefined {
  const isInside = scope.title !== '' || scope.strand !== undefined;
  if (scope.writing.guards !== 'jsonpath' || isInside) return undefined;
  const values = new ReadValues();
  const branches = out.filter(({ kind }) => kind === 'branch');
  const tests = branches.flatMap(({ guard = 'false' }) => pathTests(guard, values) ?? []);
  const isSaid = tests.length > 0 && tests.length === branches.length;
  return isSaid ? { values, tests } : undefined;
}

/** The first state of a choice: in JSONPath one that looks up the values of its guards. */
export function choiceEntry(scope: MachineScope, plan: NodePlan): string {
  if (pathChoice(scope, plan) !== undefined) return helperState(scope, plan.node, 'read');
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
  const said = pathChoice(scope, plan);
  const chosen = (link?: Link): State => ({
    [variable]: {
      output: expression(input),
      ...(link === undefined ? {} : { to: target(link).node.id }),
    },
  });
  const branches = ofKind('branch');
  const choices = branches.flatMap((link, k) => {
    const { guard = 'false' } = link;
    const Next = scope.routeTo(plan, target(link));
    if (said !== undefined) {
      // Rules in JSONPath cannot read variables in JSONata: the state after the rule assigns.
      const way = helperState(scope, node, `way ${k + 1}`);
      scope.states[way] = { Type: 'Pass', Assign: chosen(link), Next };
      const rule = { ...said.tests[k].holds, Next: way };
      return [...failingRule(scope, plan, k, guard, said.tests[k]), rule];
    }
    const Condition = guardCondition({ input }, guard);
    return [
      ...guardCheck(scope, plan, { input }, guard),
      { Condition, Assign: chosen(link), Next },
    ];
  });
  const [otherwise] = ofKind('default');
  const state = stateOf(scope, node);
  const comment = commentOf(node);
  const language = said === undefined ? {} : { QueryLanguage: 'JSONPath' };
  if (said === undefined) {
    addTrial(scope, plan, { guards: guardsOf(plan), bindings: { input } }, state);
  } else {
    scope.writing.inJsonPath.add(node);
    const Output = said.values.template(input);
    scope.states[choiceEntry(scope, plan)] = {
      Type: 'Pass',
      Output,
      Next: state,
    };
  }
  if (branches.length === 0) {
    const Next = scope.routeTo(plan, otherwise && target(otherwise));
    scope.states[state] = { ...comment, Type: 'Pass', Assign: chosen(otherwise), Next };
    return;
  }
  if (otherwise !== undefined) {
    const next = scope.routeTo(plan, target(otherwise));
    // Where a rule leads to the same state, moto treats it as the default.
    const isShared = said !== undefined || choices.some(({ Next }) => Next === next);
    const Default = isShared ? helperState(scope, node, 'otherwise') : next;
    const assigned = isShared ? {} : { Assign: chosen(otherwise) };
    scope.states[state] = {
      ...comment,
      ...language,
      Type: 'Choice',
      Choices: choices,
      ...assigned,
      Default,
    };
    if (!isShared) return;
    const fields = { Type: 'Pass', Assign: chosen(otherwise), Next: next };
    scope.states[Default] = fields;
    return;
  }
  const none = helperState(scope, node, 'no branch');
  scope.states[state] = {
    ...comment,
    ...language,
    Type: 'Choice',
    Choices: choices,
    Default: none,
  };
  const failure = ownFailure(scope, plan, 'NoBranch', 'no guard holds and there is no default');
  scope.states[none] = {
    Type: 'Pass',
    Assign: { [scope.failure.slice(1)]: failure },
    Next: failureState(scope, plan),
  };
}

/** The rule of a guard in JSONPath that fails a node where the guard cannot be evaluated. */
function failingRule(
  scope: MachineScope,
  plan: NodePlan,
  k: number,
  guard: string,
  { fails }: PathTests,
): State[] {
  if (fails === undefined) return [];
  const failed = helperState(scope, plan.node, `guard ${k + 1} failed`);
  const message = `the guard ${guard} failed: it compares what has no order, or is no boolean`;
  scope.states[failed] = {
    Type: 'Pass',
    Assign: { [scope.failure.slice(1)]: ownFailure(scope, plan, 'guard_failed', message) },
    Next: failureState(scope, plan),
  };
  return [{ ...fails, Next: failed }];
}

/** The rule that fails a node whose guard is not a boolean. */
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
