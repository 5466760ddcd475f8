import { inputSchemaOf } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import { constantOf } from './conditions.js';
import { draftError } from './finding.js';
import type { DraftScope } from './scope.js';

/** Guards decide: none of them is the same for all inputs of its choice. */
export function checkGuards(scope: DraftScope): DraftFinding[] {
  return scope.template.edges.flatMap(({ from, to, when }, i) => {
    const node = scope.body.graph.nodes.get(from);
    if (when === undefined || node?.type !== 'choice') return [];
    const value = constantOf(when, { input: inputSchemaOf(scope.body, node) });
    if (value === undefined) return [];
    const message = `the guard of the edge from ${from} to ${to} is always ${value}`;
    const hint =
      'compare values of $input so that it can hold or fail; for all other cases use "otherwise": true';
    return [draftError('constant_guard', 'edges', ['edges', i, 'when'], message, hint)];
  });
}
