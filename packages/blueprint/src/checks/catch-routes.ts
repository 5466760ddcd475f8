import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode } from '../template/template.js';
import { draftError } from './finding.js';
import type { DraftScope } from './scope.js';

/** Routes of errors do not skip effects, as if these had happened, and success leads as far as an error. */
export function checkCatchRoutes(scope: DraftScope): DraftFinding[] {
  return [
    ...checkSkipped(scope),
    ...scope.template.nodes.flatMap((node) => [
      ...checkEnd(scope, node),
      ...checkReturns(scope, node),
    ]),
  ];
}

/** A return undoes what came after its target, and irreversible steps cannot be undone. */
function checkReturns(scope: DraftScope, { id, work, details }: TemplateNode): DraftFinding[] {
  if (work === 'choice') return [];
  const { leadsTo } = scope;
  const fatal = scope.effects.filter((node) => scope.effectOf(node) === 'irreversible');
  return (details.catch ?? []).flatMap(({ backTo }, i) => {
    if (backTo === undefined) return [];
    const between = fatal.find(
      (node) =>
        node.id !== id && leadsTo(node.id, id) && (node.id === backTo || leadsTo(backTo, node.id)),
    );
    if (between === undefined) return [];
    const message = `an error of ${id} leads back to ${backTo}, and ${between.id} in between cannot be undone`;
    const hint = `lead back to a node after ${between.id}, or move ${between.id} behind ${id}`;
    const path = ['catch', i, 'backTo'];
    return [draftError('return_over_irreversible', `node/${id}`, path, message, hint)];
  });
}

/** If the run ends after the success of a node, it does not go on to further operations after an error of it. */
function checkEnd(scope: DraftScope, { id, work, details }: TemplateNode): DraftFinding[] {
  const { template, leadsTo } = scope;
  if (work === 'choice' || template.edges.some(({ from }) => from === id)) return [];
  return (details.catch ?? []).flatMap(({ to }) => {
    if (to === undefined) return [];
    const further = template.nodes.find((node) => node.operation !== null && leadsTo(to, node.id));
    if (further === undefined) return [];
    const message = `after ${id} nothing follows, and after an error of it ${further.id} does`;
    const hint = `lead from ${id} to the node that follows ${to}`;
    return [draftError('ends_early', 'edges', ['edges'], message, hint)];
  });
}

function checkSkipped(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) =>
    node.work === 'choice'
      ? []
      : (node.details.catch ?? []).flatMap(({ to }, i) =>
          to === undefined ? [] : checkRoute(scope, node, to, i),
        ),
  );
}

function checkRoute(
  scope: DraftScope,
  node: TemplateNode,
  to: string,
  index: number,
): DraftFinding[] {
  const { body, leadsTo, effects } = scope;
  const normal = body.graph.from(node.id).filter(({ kind }) => kind !== 'catch');
  // A handler off the normal path is reached by errors only.
  if (!normal.some((route) => route.to === to || leadsTo(route.to, to))) return [];
  const skipped = effects.find(({ id }) =>
    id === node.id
      ? !isDeclaredToFail(scope, node)
      : normal.some((route) => route.to === id || leadsTo(route.to, id)) && leadsTo(id, to),
  );
  if (skipped === undefined) return [];
  const message = `an error of ${node.id} goes on at ${to}, as if ${skipped.id} had happened`;
  const hint =
    skipped.id === node.id
      ? `lead it to a node that only handles the error, or declare that ${node.id} may fail: a disruption of its operation with the handler {"by":"catch","node":"${node.id}"}`
      : 'lead it to a node that only handles the error, or remove the route: then the run fails, and all is undone';
  return [draftError('catch_skips_effect', `node/${node.id}`, ['catch', index], message, hint)];
}

/** Whether the task says that the work of a node may fail and the run goes on. */
export function isDeclaredToFail(
  { template, specification }: DraftScope,
  node: TemplateNode,
): boolean {
  return template.disruptionCoverage.some(({ disruption, handler }) => {
    if (handler.by !== 'catch' || handler.node !== node.id) return false;
    const known = specification.disruptions.find(({ id }) => id === disruption);
    return known !== undefined && known.operation === node.operation;
  });
}
