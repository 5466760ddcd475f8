import { inputSchemaOf } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import { isDeclaredToFail } from './catch-routes.js';
import { unsureReads } from './conditions.js';
import type { EnforcementPlace } from './enforcement-place.js';
import { draftError, listNames } from './finding.js';
import type { DraftScope } from './scope.js';

/** A choice guards a node: no path avoids it, some of its edges lead elsewhere, and its guards can decide either way. */
export function checkChoice(place: EnforcementPlace, choice: string, id: string): DraftFinding[] {
  const { scope, constraint } = place;
  const decider = scope.nodes.get(choice);
  if (decider?.work !== 'choice') {
    const choices = scope.template.nodes.filter(({ work }) => work === 'choice');
    const names = listNames(choices.map((one) => one.id));
    const message = `${constraint.id} is enforced by the choice ${choice}, which is none`;
    const hint = `name a node of work choice: ${names}`;
    return [draftError('choice_missing', 'constraint-coverage', place.path, message, hint)];
  }
  if (isReachedWithout(scope, choice, id)) {
    const message = `a path leads to ${id} without the choice ${choice}, against ${constraint.id}`;
    const hint = `lead all paths to ${id} through ${choice}`;
    return [draftError('choice_avoided', 'edges', ['edges'], message, hint)];
  }
  const edges = scope.template.edges.filter(({ from }) => from === choice);
  const elsewhere = edges.filter(({ to }) => to !== id && !reachesUndeclared(scope, to, id));
  if (elsewhere.length === 0) {
    const message = `all edges of ${choice} lead to ${id}, against ${constraint.id}`;
    const hint = `add an edge from ${choice} with "otherwise": true to a node from which no path leads to ${id}`;
    return [draftError('choice_without_alternative', 'edges', ['edges'], message, hint)];
  }
  return checkDefault(place, choice, id);
}

/**
 * Whether a path leads from a start to a node without a choice. That the choice has run before is not enough: the node
 * also runs if another edge to it is taken.
 */
function isReachedWithout({ body }: DraftScope, choice: string, id: string): boolean {
  const { graph } = body;
  const met = new Set(graph.starts.filter((start) => start !== choice));
  for (const one of met) for (const { to } of graph.from(one)) if (to !== choice) met.add(to);
  return met.has(id);
}

/** Whether a path leads from one node to another, on edges or on routes of errors that no disruption declares. */
function reachesUndeclared(scope: DraftScope, from: string, to: string): boolean {
  const met = new Set([from]);
  for (const id of met) {
    const node = scope.nodes.get(id);
    for (const route of scope.body.graph.from(id)) {
      const isDeclared = node !== undefined && isDeclaredToFail(scope, node);
      if (route.kind !== 'catch' || !isDeclared) met.add(route.to);
    }
  }
  return met.has(to);
}

/** A guard with a missing value does not hold: the default must be the side that does less. */
function checkDefault(place: EnforcementPlace, choice: string, id: string): DraftFinding[] {
  const { scope, constraint } = place;
  const guards = scope.template.edges.flatMap(({ from, when }) =>
    from === choice && when !== undefined ? [when] : [],
  );
  const node = scope.body.graph.nodes.get(choice);
  const input = node === undefined ? true : inputSchemaOf(scope.body, node);
  const unsure = guards.flatMap((guard) => unsureReads(guard, { input }));
  if (unsure.length === 0) return [];
  return scope.template.edges.flatMap(({ from, to, when }, i) => {
    if (from !== choice || when !== undefined || (to !== id && !scope.leadsTo(to, id))) return [];
    const message = `${choice} leads to ${id} by default, also if ${listNames(unsure)} is missing, against ${constraint.id}`;
    const hint = `give the edge from ${choice} to ${to} "when" with the condition of ${constraint.id}, and an edge to the other side "otherwise": true`;
    return [draftError('choice_by_default', 'edges', ['edges', i], message, hint)];
  });
}
