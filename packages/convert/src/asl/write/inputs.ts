import type { Link, NodePlan } from '@alas-jssp/workflow/ir';
import { expression, firstOf, follow, objectQuery, quoted } from '../jsonata.js';
import { type MachineScope, variableOf } from './scope.js';

/** The input of a node, as an expression: by its mapping, or by the links that led to it. */
export function inputQuery(scope: MachineScope, plan: NodePlan): string {
  const { input: mapping } = plan.node;
  if (mapping === undefined) return givenInput(scope, plan);
  if (typeof mapping === 'string' || Array.isArray(mapping)) {
    return firstOf(resolve(scope, mapping));
  }
  return objectQuery(
    Object.entries(mapping).map(([key, reference]) => [key, firstOf(resolve(scope, reference))]),
  );
}

/**
 * The input of a node, as a template: an object of expressions if its keys have several sources.
 */
export function inputValue(scope: MachineScope, plan: NodePlan): unknown {
  const { input: mapping } = plan.node;
  if (typeof mapping !== 'object' || Array.isArray(mapping)) {
    return expression(inputQuery(scope, plan));
  }
  return Object.fromEntries(
    Object.entries(mapping).map(([key, reference]) => {
      return [key, expression(firstOf(resolve(scope, reference)))];
    }),
  );
}

/** The possible values of a reference, the first that exists. */
function resolve(scope: MachineScope, reference: string | readonly string[]): string[] {
  return [reference].flat().flatMap((one: string) => {
    const [root, ...keys] = one.split('.');
    if (root === 'input') return [follow(`${scope.self}.input`, keys)];
    const id = keys.shift() ?? '';
    if (root !== 'outputs' || !scope.plan.byId.has(id)) return [];
    return [follow(`${variableOf(scope, id)}.output`, keys)];
  });
}

/** The output of the only predecessor that ran, of several by id, or the input of the body. */
function givenInput(scope: MachineScope, { into }: NodePlan): string {
  const caught = into.filter(({ kind }) => kind === 'catch');
  const ways = distinct(into.filter(({ kind }) => kind !== 'catch'));
  const input = `${scope.self}.input`;
  const plain = ways.length === 0 && caught.length === 0 ? input : outputsOf(scope, ways);
  const failures = caught.map((link) => {
    const { error, input: given } = variablesOf(scope, link);
    return [
      takenQuery(scope, link),
      objectQuery([
        ['error', error],
        ['input', given],
      ]),
    ] as const;
  });
  const [last] = failures.slice(-1);
  const certain = plain === undefined && last !== undefined;
  const tests = certain ? failures.slice(0, -1) : failures;
  const otherwise = certain ? last[1] : (plain ?? input);
  return [...tests.map(([test, value]) => `${test} ? ${value} : `), otherwise].join('');
}

function variablesOf(scope: MachineScope, { from }: Link) {
  const variable = variableOf(scope, scope.plan.nodes[from].node.id);
  return { error: `${variable}.error`, input: `${variable}.input`, output: `${variable}.output` };
}

/** One link from each node: several links from a choice to one node are equivalent. */
function distinct(links: readonly Link[]): Link[] {
  return [...new Map(links.map((link) => [link.from, link])).values()];
}

/** The outputs of the nodes with taken links; undefined if there are none. */
function outputsOf(scope: MachineScope, links: readonly Link[]): string | undefined {
  const outputs = links.map((link) => {
    const test = takenQuery(scope, link);
    return {
      id: scope.plan.nodes[link.from].node.id,
      test,
      output: variablesOf(scope, link).output,
    };
  });
  const [last] = outputs.slice(-1);
  if (last === undefined || outputs.length === 1) return last?.output;
  if (scope.single) {
    // One link was taken, unless this is the handler of a failure.
    const tests = outputs.slice(0, -1).map(({ test, output }) => `${test} ? ${output} : `);
    return `(${tests.join('')}${last.output})`;
  }
  const parts = outputs.map(({ id, test, output }) => `${test} ? {${quoted(id)}: ${output}} : {}`);
  const only = outputs.slice(0, -1).map(({ id, output }) => {
    return `$exists($lookup($taken, ${quoted(id)})) ? ${output} : `;
  });
  const one = `$count($keys($taken)) = 1 ? (${only.join('')}${last.output})`;
  return `($taken := $merge([${parts.join(', ')}]); ${one} : $taken)`;
}

/** Whether a link was taken, as an expression. */
export function takenQuery(scope: MachineScope, { from, to, kind }: Link): string {
  const { node } = scope.plan.nodes[from];
  const target = quoted(scope.plan.nodes[to].node.id);
  const variable = variableOf(scope, node.id);
  if (kind === 'catch') return `${variable}.caughtBy = ${target}`;
  return kind === 'sequence' ? `$exists(${variable}.output)` : `${variable}.to = ${target}`;
}

/** The output of a body, as an expression: by its reference, else of the only last node that ran, or of all. */
export function outputQuery(scope: MachineScope): string {
  const { body, nodes } = scope.plan;
  if (body.output !== undefined) return firstOf(resolve(scope, body.output));
  const last = nodes.filter(({ out }) => out.every(({ kind }) => kind === 'catch'));
  const outputs = last.map(
    ({ node }) => [node.id, `${variableOf(scope, node.id)}.output`] as const,
  );
  if (outputs.length === 1 || scope.single) return firstOf(outputs.map(([, output]) => output));
  const parts = outputs.map(([id, output]) => {
    return `$exists(${output}) ? {${quoted(id)}: ${output}} : {}`;
  });
  const only = firstOf(outputs.map(([, output]) => output));
  const all = `$count($keys($taken)) > 0 ? $taken : null`;
  return `($taken := $merge([${parts.join(', ')}]); $count($keys($taken)) = 1 ? (${only}) : ${all})`;
}
