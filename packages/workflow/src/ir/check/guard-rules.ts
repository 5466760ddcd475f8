import { InputError } from '@alas-jssp/core/errors';
import type { JsonPath } from '@alas-jssp/core/json-path';
import { compileGuard } from '../guard/guard.js';
import type { JsonSchema } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { type BodyScope, bodyOutputSchema, innerOf, inputSchemaOf, outputsOf } from './scope.js';

/**
 * Guards of branches and loops, and invariants: each a boolean over the values that it may read.
 */
export function checkGuards(scope: BodyScope): readonly Finding[] {
  const { workflow, body, path, graph, input } = scope;
  const branches = body.edges.flatMap(({ from, guard }, i) => {
    const node = graph.nodes.get(from);
    if (guard === undefined || node === undefined) return [];
    const variables = { input: inputSchemaOf(scope, node) };
    return checkGuard(scope, guard, variables, [...path, 'edges', i, 'guard']);
  });
  const loops = body.nodes.flatMap((node, i) => {
    if (node.type !== 'map' || node.until === undefined) return [];
    const at = [...path, 'nodes', i];
    const [inner] = innerOf(scope, node);
    const variables = { output: bodyOutputSchema(inner), input: inputSchemaOf(scope, node) };
    return checkGuard(scope, node.until, variables, [...at, 'until']);
  });
  if (path.length > 0) return [...branches, ...loops];
  const output = workflow.io.output ?? bodyOutputSchema(scope);
  const outputs = outputsOf(scope);
  const invariants = workflow.invariants.flatMap(({ holds }, i) =>
    checkGuard(scope, holds, { output, input, outputs }, ['invariants', i, 'holds']),
  );
  return [...branches, ...loops, ...invariants];
}

function checkGuard(
  { workflow }: BodyScope,
  expression: string,
  variables: Readonly<Record<string, JsonSchema>>,
  path: JsonPath,
): readonly Finding[] {
  try {
    const { typed } = compileGuard(expression, { variables, definitions: workflow.schemas });
    if (typed) return [];
    const hint = 'declare it in io';
    return [warning('untyped_guard', path, 'the schemas do not prove that it is a boolean', hint)];
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    return [error(cause.code, path, cause.problem, cause.hint)];
  }
}
