import type { InputLocation } from '@alas-jssp/core/errors';
import type { Body, Node, Workflow } from '@alas-jssp/workflow';
import { planWorkflow } from '@alas-jssp/workflow/ir';
import { embedWorkflow, extractWorkflow } from '../embedded.js';
import { featuresOf, type WorkflowUse } from '../features.js';
import type { HandlerMap } from '../mapping.js';
import { type Conversion, type FeatureTable, reportOf } from '../report.js';
import type { GuardLanguage } from './guard-condition.js';
import { expression } from './jsonata.js';
import { stateNames, variableNames } from './names.js';
import { ASL_SUPPORT } from './support.js';
import { addNodes, newVariables, routedScope } from './write/bodies.js';
import { NEVER } from './write/deadlines.js';
import { addEnds } from './write/ends.js';
import {
  type AslWriting,
  bodyState,
  branchTitle,
  openScope,
  type State,
  type States,
  titleOf,
} from './write/scope.js';

/**
 * Writes a workflow as a machine in the Amazon States Language, with expressions in JSONata.
 *
 * @param guards `jsonpath` to compare the guards of choices in JSONPath where possible
 * @throws AlasError `bad_workflow` for edges and policies that lead nowhere
 */
export async function writeAsl(
  workflow: Workflow,
  map: HandlerMap,
  guards: GuardLanguage = 'jsonata',
): Promise<Conversion> {
  const { machine, inJsonPath } = machineFor(workflow, map, guards);
  const table: FeatureTable<WorkflowUse> = {
    ...ASL_SUPPORT,
    guard: (use) => {
      if (guards === 'jsonata') return ASL_SUPPORT.guard(use);
      const isPath = use.node !== undefined && inJsonPath.has(use.node);
      return { level: 'native', how: isPath ? 'in JSONPath' : 'in JSONata' };
    },
  };
  const report = reportOf(featuresOf(workflow), table);
  const document = { Comment: MARK + embedWorkflow(workflow, machine), ...machine };
  return { text: `${JSON.stringify(document, null, 2)}\n`, report };
}

/** The first word of the comment that holds the workflow of a machine. */
const MARK = 'alas-jssp ';

/**
 * Reads the workflow from a machine that {@link writeAsl} wrote.
 *
 * @param machine the document, parsed
 * @throws InputError as `extractWorkflow` does
 */
export function readAsl({ Comment, ...machine }: State, location: InputLocation): Workflow {
  const isOwn = typeof Comment === 'string' && Comment.startsWith(MARK);
  return extractWorkflow(isOwn ? Comment.slice(MARK.length) : undefined, machine, location);
}

/** A workflow as a machine (JSON), and which of its choices are in JSONPath. */
export function machineFor(
  workflow: Workflow,
  map: HandlerMap,
  guards: GuardLanguage,
): { readonly machine: State; readonly inJsonPath: ReadonlySet<Node> } {
  const plan = planWorkflow(workflow);
  const policies = Object.values(workflow.policies);
  const writing: AslWriting = {
    plan,
    map,
    guards,
    inJsonPath: new Set(),
    stateNames: stateNames(),
    variables: variableNames(),
    hasEffects: placesOf(workflow.nodes, '').some(({ node }) => {
      return node.type === 'task' && node.effect !== 'none';
    }),
    hasDeadlines: policies.some(({ compensation }) => compensation?.triggers.includes('deadline')),
    goesBack: policies.some((policy) => policy.catch?.some(({ backTo }) => backTo !== undefined)),
  };
  nameNodes(writing, workflow.nodes);
  const states: States = {};
  const opened = openScope({ writing, repeated: false, states }, workflow, '');
  const end = bodyState(opened, 'end');
  const scope = routedScope(opened, end);
  const begin = bodyState(scope, 'begin');
  const first = addNodes(scope);
  states[begin] = {
    Type: 'Pass',
    Assign: newVariables(scope, {
      input: expression('$states.input'),
      ...(writing.hasEffects ? { after: [] } : {}),
      ...(writing.goesBack ? { outerResets: 0 } : {}),
      ...(writing.hasDeadlines ? { due: Number(NEVER) } : {}),
    }),
    Next: first,
  };
  addEnds(scope, end);
  const isPath = guards === 'jsonpath';
  const QueryLanguage = isPath ? 'JSONPath' : 'JSONata';
  const ordered = inReadingOrder(states, begin);
  const States = isPath ? eachInJsonata(ordered) : ordered;
  const machine = { QueryLanguage, StartAt: begin, States };
  return { machine, inJsonPath: writing.inJsonPath };
}

/** Marks states as JSONata, unless they are in JSONPath; so are those inside. */
function eachInJsonata(states: States): States {
  const inner = (machine: State) => ({
    ...machine,
    States: eachInJsonata(machine.States as States),
  });
  const entries = Object.entries(states).map(([name, state]) => {
    const { Branches, ItemProcessor } = state;
    const bodies = {
      ...(Branches === undefined ? {} : { Branches: (Branches as State[]).map(inner) }),
      ...(ItemProcessor === undefined ? {} : { ItemProcessor: inner(ItemProcessor as State) }),
    };
    return [name, { QueryLanguage: 'JSONata', ...state, ...bodies }];
  });
  return Object.fromEntries(entries);
}

/**
 * Registers names for the principal states of all nodes: their ids, or their paths where ids
 * repeat.
 */
function nameNodes(writing: AslWriting, nodes: readonly Node[]): void {
  const placed = placesOf(nodes, '');
  const isTwice = (id: string) => placed.filter(({ node }) => node.id === id).length > 1;
  for (const { node, title } of placed) {
    const path = titleOf({ title }, node.id);
    writing.stateNames.of(path, isTwice(node.id) ? path : node.id);
  }
}

/** Nodes and those inside them, each with the title of its body. */
function placesOf(nodes: readonly Node[], title: string): { node: Node; title: string }[] {
  return nodes.flatMap((node) => {
    const path = titleOf({ title }, node.id);
    const inner = (body: Body, name: string) => placesOf(body.nodes, name);
    const parts =
      node.type === 'map'
        ? inner(node.body, path)
        : node.type === 'parallel'
          ? Object.entries(node.branches).flatMap(([name, body]) => {
              return inner(body, branchTitle(path, name));
            })
          : [];
    return [{ node, title }, ...parts];
  });
}

/**
 * States in the order of their transitions; unreachable ones are dropped unless they belong to
 * nodes.
 */
function inReadingOrder(states: States, begin: string): States {
  const seen = new Set<string>([begin]);
  const visit = (name: string): void => {
    for (const next of targetsOf(states[name])) {
      if (seen.has(next)) continue;
      seen.add(next);
      visit(next);
    }
  };
  visit(begin);
  return Object.fromEntries([...seen].map((name) => [name, states[name]]));
}

function targetsOf({ Next, Choices = [], Default, Catch = [] }: State): string[] {
  const rules = [...(Choices as State[]), { Next: Default }, ...(Catch as State[])];
  return [Next, ...rules.map((rule) => rule.Next)].filter((next) => typeof next === 'string');
}
