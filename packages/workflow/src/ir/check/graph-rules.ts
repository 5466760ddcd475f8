import type { Body } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { findCycle, reachable } from './graph.js';
import type { BodyScope } from './scope.js';

/** Structure: ids, edges, choices, cycles, and unreachable nodes. */
export function checkGraph(scope: BodyScope): readonly Finding[] {
  return [...checkIds(scope), ...checkEdges(scope), ...checkChoices(scope), ...checkWays(scope)];
}

function checkIds({ body, path }: BodyScope): readonly Finding[] {
  const seen = new Set<string>();
  const none = error('empty_body', [...path, 'nodes'], 'there is no node', 'add one');
  const twice = body.nodes.flatMap(({ id }, i) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const at = [...path, 'nodes', i, 'id'];
    return [error('duplicate_id', at, `the id ${id} is used twice`, 'rename one')];
  });
  return body.nodes.length === 0 ? [none] : twice;
}

function checkEdges({ body, path, graph }: BodyScope): readonly Finding[] {
  return body.edges.flatMap(({ from, to, kind, guard }, i) => {
    const at = [...path, 'edges', i];
    const nowhere = (['from', 'to'] as const).flatMap((end) => {
      const id = { from, to }[end];
      if (graph.nodes.has(id)) return [];
      return [
        error('unknown_node', [...at, end], `there is no node ${id}`, 'name a node of this body'),
      ];
    });
    const chosen = graph.nodes.get(from)?.type === 'choice';
    const findings = [...nowhere];
    if (kind === 'branch' && guard === undefined) {
      findings.push(error('no_guard', at, `the branch to ${to} has no guard`, 'give it one'));
    }
    if (kind !== 'branch' && guard !== undefined) {
      findings.push(
        error(
          'needless_guard',
          [...at, 'guard'],
          `a ${kind} edge has no guard`,
          'make it a branch',
        ),
      );
    }
    if (chosen && kind === 'sequence') {
      findings.push(
        error(
          'unguarded_choice',
          [...at, 'kind'],
          `${from} is a choice`,
          'make it branch or default',
        ),
      );
    }
    if (!chosen && kind !== 'sequence' && graph.nodes.has(from)) {
      findings.push(
        error('branch_of_task', [...at, 'kind'], `${from} is not a choice`, 'let a choice decide'),
      );
    }
    return findings;
  });
}

function checkChoices({ body, path }: BodyScope): readonly Finding[] {
  const leaving = new Map<string, Body['edges']>();
  for (const edge of body.edges) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
  return body.nodes.flatMap((node, i) => {
    if (node.type !== 'choice') return [];
    const at = [...path, 'nodes', i];
    const edges = leaving.get(node.id) ?? [];
    const defaults = edges.filter(({ kind }) => kind === 'default').length;
    if (edges.length === 0) {
      return [
        error('no_branches', at, `${node.id} leads nowhere`, 'give it branches and a default'),
      ];
    }
    if (defaults > 1) {
      return [error('two_defaults', at, `${node.id} has ${defaults} defaults`, 'keep one')];
    }
    if (defaults === 1 || edges.some(({ guard }) => guard === 'true')) return [];
    return [
      warning('no_default', at, `all guards of ${node.id} may fail`, 'add an edge of kind default'),
    ];
  });
}

function checkWays({ body, path, graph }: BodyScope): readonly Finding[] {
  const cycle = findCycle(graph);
  if (cycle !== undefined) {
    const message = `${[...cycle, cycle[0]].join(' → ')} is a cycle`;
    return [error('cycle', [...path, 'edges'], message, 'make a loop a map with until')];
  }
  // A branch whose guard is the constant false is no path.
  const reached = reachable(
    graph,
    ({ index }) => index === undefined || body.edges[index].guard !== 'false',
  );
  return body.nodes.flatMap(({ id }, i) =>
    reached.has(id)
      ? []
      : [
          error(
            'unreachable',
            [...path, 'nodes', i],
            `nothing leads to ${id}`,
            'lead to it, or drop it',
          ),
        ],
  );
}
