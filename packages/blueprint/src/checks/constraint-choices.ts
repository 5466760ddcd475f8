import { inputSchemaOf } from '@alas-jssp/workflow/ir';
import type { DraftFinding } from '../drafting/part.js';
import { constantOf } from './conditions.js';
import type { EnforcementPlace } from './enforcement-place.js';
import { draftError, listNames } from './finding.js';

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
  if (!scope.isDoneBefore(choice, id)) {
    const message = `a path leads to ${id} without the choice ${choice}, against ${constraint.id}`;
    const hint = `lead all paths to ${id} through ${choice}`;
    return [draftError('choice_avoided', 'edges', ['edges'], message, hint)];
  }
  const edges = scope.template.edges.filter(({ from }) => from === choice);
  const elsewhere = edges.filter(({ to }) => to !== id && !scope.leadsTo(to, id));
  if (elsewhere.length === 0) {
    const message = `all edges of ${choice} lead to ${id}, against ${constraint.id}`;
    const hint = `add an edge from ${choice} with "otherwise": true to a node from which no path leads to ${id}`;
    return [draftError('choice_without_alternative', 'edges', ['edges'], message, hint)];
  }
  return checkGuards(place, choice);
}

function checkGuards({ scope, constraint }: EnforcementPlace, choice: string): DraftFinding[] {
  const node = scope.body.graph.nodes.get(choice);
  const input = node === undefined ? true : inputSchemaOf(scope.body, node);
  return scope.template.edges.flatMap(({ from, to, when }, i) => {
    if (from !== choice || when === undefined) return [];
    const value = constantOf(when, { input });
    if (value === undefined) return [];
    const message = `the guard of the edge from ${choice} to ${to} is always ${value}, and decides nothing for ${constraint.id}`;
    const hint = 'compare values of $input so that it can hold or fail';
    return [draftError('constant_guard', 'edges', ['edges', i, 'when'], message, hint)];
  });
}
