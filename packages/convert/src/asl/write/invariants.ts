import { guardOf, type NodePlan } from '@alas-jssp/workflow/ir';
import { expression, objectQuery, plainText } from '../jsonata.js';
import { NOWHERE } from './failures.js';
import { outputQuery } from './inputs.js';
import { helperState, type MachineScope, type State, variableOf } from './scope.js';

/** An invariant of the workflow, and the outputs of nodes that it reads. */
interface Invariant {
  readonly name: string;
  readonly holds: string;
  readonly ids: readonly string[];
  readonly readsOutput: boolean;
  readonly readsAll: boolean;
}

function invariantsOf({ writing, plan }: MachineScope): Invariant[] {
  return writing.plan.workflow.invariants.map(({ name, holds }) => {
    const { outputs, output } = guardOf(holds).reads;
    const readsAll = outputs === 'all';
    const ids = readsAll ? plan.nodes.map(({ node }) => node.id) : outputs;
    return { name, holds, ids, readsOutput: output, readsAll };
  });
}

/**
 * Adds the state that checks, after a node of the workflow, the invariants that read its output.
 *
 * @returns the state that follows the node
 */
export function checkedAfter(scope: MachineScope, { node }: NodePlan, next: string): string {
  if (scope.title !== '') return next;
  const names = scope.writing.plan.readersOf(node.id);
  const asked = invariantsOf(scope).filter((one) => names.includes(one.name) && !one.readsOutput);
  if (asked.length === 0) return next;
  const name = helperState(scope, node, 'do invariants hold');
  scope.states[name] = {
    Type: 'Choice',
    Choices: asked.map((one) => brokenRule(scope, one, undefined)),
    Default: next,
  };
  return name;
}

/** Checks all invariants at the end. */
export function endInvariants(scope: MachineScope): State[] {
  return invariantsOf(scope).map((one) => brokenRule(scope, one, outputQuery(scope)));
}

function brokenRule(scope: MachineScope, invariant: Invariant, output: string | undefined): State {
  const { name, holds, ids, readsAll } = invariant;
  const message = plainText(`the invariant ${name} does not hold`);
  const outputOf = (id: string) => `${variableOf(scope, id)}.output`;
  const parts = ids.map((id) => {
    return `$exists(${outputOf(id)}) ? ${objectQuery([[id, outputOf(id)]])} : {}`;
  });
  const bindings = [
    `$input := ${scope.self}.input`,
    `$outputs := $merge([${parts.join(', ')}])`,
    `$output := ${output ?? 'null'}`,
    `$holds := (${holds})`,
  ];
  const ready = readsAll || output !== undefined ? [] : ids.map((id) => `$exists(${outputOf(id)})`);
  const broken = [...ready, '$not($exists($holds) and $holds)'].join(' and ');
  return {
    Condition: expression(`(${bindings.join('; ')}; ${broken})`),
    Assign: {
      [scope.failure.slice(1)]: { code: 'Invariant', message, nodeId: NOWHERE, compensates: true },
    },
    Next: scope.failed,
  };
}
