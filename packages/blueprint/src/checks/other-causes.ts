import type { DraftFinding, PartName } from '../drafting/part.js';
import type { Enforcement, TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import { type DraftScope, neededCapabilities, readsOf } from './scope.js';

/**
 * Second findings about errors that may have another cause than the part they name. An order that is not kept, for
 * instance, is a mistake of the edges, or of the coverage that names it the wrong way round: the planner is asked for
 * both parts, and told both causes. A draft without errors has none.
 */
export function findOtherCauses(
  scope: DraftScope,
  findings: readonly DraftFinding[],
): DraftFinding[] {
  const has = (code: string, part?: PartName) =>
    findings.some((one) => one.code === code && (part === undefined || one.part === part));
  return [
    ...(has('capability_missing') ? findOtherRoles(scope) : []),
    ...(has('order_not_kept') ? findTurnedOrders(scope) : []),
    ...(has('review_too_late') ? findReviewRoutes(scope) : []),
    ...(has('reference_not_before') ? findLaterSources(scope) : []),
    ...findMisplacedPolicies(scope, has),
    ...findMisplacedHandlers(scope, has),
    ...(has('unknown_node_in_coverage') || has('unknown_neighbour') ? findMissingNodes(scope) : []),
    ...scope.template.nodes.flatMap((node) =>
      has('irreversible_not_held', `node/${node.id}`) || has('irreversible_too_early')
        ? findGivenUpUndo(scope, node)
        : [],
    ),
  ];
}

/** Nodes with a role that lacks capabilities which another role has. */
function findOtherRoles(scope: DraftScope): DraftFinding[] {
  const { template, roles } = scope;
  return template.nodes.flatMap((node, i) => {
    const role = node.role === null ? undefined : roles.get(node.role);
    if (role === undefined || node.work === 'choice') return [];
    const needed = neededCapabilities(scope, node);
    if (needed.every((one) => role.capabilities.includes(one))) return [];
    const others = template.roles.filter(({ capabilities }) =>
      needed.every((one) => capabilities.includes(one)),
    );
    if (others.length === 0) return [];
    const names = listNames(others.map(({ id }) => id));
    const message = `${node.id} has the role ${role.id}, which lacks what it needs, and ${names} has it`;
    const hint = `give ${node.id} the role ${others[0].id}, unless ${role.id} shall have the capabilities`;
    return [draftError('role_of_other_node', 'nodes', ['nodes', i, 'role'], message, hint)];
  });
}

/** The enforcements of all constraints, each with its place. */
function enforcementsOf({ template }: DraftScope) {
  return template.constraintCoverage.flatMap(({ constraint, enforced }, i) =>
    enforced.map((one, j) => ({
      constraint,
      enforced,
      one,
      path: ['constraintCoverage', i, 'enforced', j],
    })),
  );
}

/** Nodes that the coverage of constraints and disruptions names, and that the outline lacks. */
function findMissingNodes(scope: DraftScope): DraftFinding[] {
  const named = [
    ...enforcementsOf(scope).flatMap(({ constraint, one }) =>
      'node' in one ? [{ about: constraint, node: one.node }] : [],
    ),
    ...scope.template.disruptionCoverage.flatMap(({ disruption, neighbourhood }) =>
      neighbourhood.map((node) => ({ about: disruption, node })),
    ),
  ];
  return named.flatMap(({ about, node }) => {
    if (scope.nodes.has(node)) return [];
    const message = `the coverage of ${about} names ${node}, which is no node`;
    const hint = `add the node ${node}, unless the coverage of ${about} names it by mistake`;
    return [draftError('node_missing', 'nodes', ['nodes'], message, hint)];
  });
}

/** Orders that the workflow keeps the other way round. */
function findTurnedOrders(scope: DraftScope): DraftFinding[] {
  return enforcementsOf(scope).flatMap(({ constraint, one, path }) => {
    if (one.by !== 'order' || scope.isDoneBefore(one.before, one.after)) return [];
    if (!scope.leadsTo(one.after, one.before)) return [];
    const message = `${constraint} wants ${one.before} before ${one.after}, and the edges lead the other way`;
    const hint = `give "before": "${one.after}" and "after": "${one.before}", unless the constraint asks for the order as it is`;
    return [draftError('order_turned', 'constraint-coverage', path, message, hint)];
  });
}

/** Reviews whose routes of errors lead on to nodes that use the reviewed work. */
function findReviewRoutes({ template }: DraftScope): DraftFinding[] {
  return template.nodes.flatMap(({ id, details }) =>
    (details.catch ?? []).flatMap(({ to }, i) => {
      if (details.reviews === undefined || to === undefined) return [];
      const message = `if ${id} refuses the work of ${details.reviews}, its route leads on to ${to}`;
      const hint = `give "backTo": "${details.reviews}" in place of "to", or remove the route`;
      return [draftError('review_goes_on', `node/${id}`, ['catch', i, 'to'], message, hint)];
    }),
  );
}

/** Inputs from nodes that run later. */
function findLaterSources(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) => {
    const later = readsOf(node).filter((id) => id === node.id || scope.leadsTo(node.id, id));
    if (later.length === 0) return [];
    const before = [...scope.nodes.values()].filter(
      ({ id, work }) => work !== 'choice' && scope.isDoneBefore(id, node.id),
    );
    const message = `${node.id} reads ${listNames(later)}, which runs after it`;
    const hint = `use outputs of nodes before it (${listNames(before.map(({ id }) => id))}), or input.KEY`;
    return [draftError('input_from_later', `node/${node.id}`, ['input'], message, hint)];
  });
}

/** Policies and approvals that a constraint expects of a node that has none. */
function findMisplacedPolicies(
  scope: DraftScope,
  has: (code: string, part?: PartName) => boolean,
): DraftFinding[] {
  return enforcementsOf(scope).flatMap(({ constraint, one, path }) => {
    if (one.by !== 'policy' && one.by !== 'approval') return [];
    const code = one.by === 'policy' ? 'policy_missing' : 'approval_missing';
    const isMissing = has(code, `node/${one.node}`) || has(code, `undo/${one.node}`);
    if (!isMissing) return [];
    const isExpected = isExpectedOf(scope, constraint, one.node);
    const others = scope.template.nodes.filter(
      (node) =>
        keeps(scope, node, one) && (!isExpected || isExpectedOf(scope, constraint, node.id)),
    );
    const kind = one.by === 'policy' ? one.policy : 'approval';
    const message = `${constraint} expects the ${kind} of ${one.node}, which has none`;
    const hint = `name the node that has it: ${listNames(others.map(({ id }) => id))}`;
    return others.length === 0
      ? []
      : [draftError('enforced_elsewhere', 'constraint-coverage', path, message, hint)];
  });
}

/** Whether a node performs an operation that a constraint names. */
function isExpectedOf({ specification, nodes }: DraftScope, id: string, node: string): boolean {
  const operations = specification.constraints.find((one) => one.id === id)?.operations ?? [];
  const operation = nodes.get(node)?.operation;
  return operation !== undefined && operation !== null && operations.includes(operation);
}

/** Whether a node has the policy or the approval of an enforcement. */
function keeps(scope: DraftScope, { id, details }: TemplateNode, one: Enforcement): boolean {
  if (one.by === 'approval') return details.approval !== undefined;
  if (one.by !== 'policy') return false;
  if (one.policy === 'timeout') return details.timeout !== undefined;
  if (one.policy === 'retry') return (details.retry?.attempts ?? 1) > 1;
  if (one.policy === 'catch') return (details.catch ?? []).length > 0;
  const strategy = scope.undoOf(id)?.strategy;
  return strategy === 'undo' || strategy === 'mitigate';
}

/** Handlers of disruptions at a node that cannot react, while another one can. */
function findMisplacedHandlers(
  scope: DraftScope,
  has: (code: string, part?: PartName) => boolean,
): DraftFinding[] {
  return scope.template.disruptionCoverage.flatMap(({ disruption, handler }, i) => {
    const { by } = handler;
    if (by !== 'retry' && by !== 'catch' && by !== 'repair') return [];
    if (!has(`${by}_missing`, `node/${handler.node}`)) return [];
    const others = scope.template.nodes.filter((node) =>
      by === 'repair'
        ? node.details.repair !== undefined
        : keeps(scope, node, { by: 'policy', node: node.id, policy: by }),
    );
    if (others.length === 0) return [];
    const message = `${disruption} is handled by a ${handler.by} of ${handler.node}, which has none`;
    const hint = `name a node that has one (${listNames(others.map(({ id }) => id))}), unless ${handler.node} shall have it`;
    const path = ['disruptionCoverage', i, 'handler', 'node'];
    return [draftError('handled_elsewhere', 'disruption-coverage', path, message, hint)];
  });
}

/** Undos that are given up although the tool does not say that its effect is final. */
function findGivenUpUndo(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const { specification } = scope;
  const undo = scope.undoOf(node.id);
  if (undo?.strategy !== 'irreversible' || scope.toolOf(node)?.access !== 'change') return [];
  const said = specification.operations.find(({ id }) => id === node.operation)?.undo;
  const message = `${node.id} is declared irreversible, and its tool does not say so`;
  const way = said === undefined || said === null ? '' : ` (the task says: ${said})`;
  const hint = `give the strategy "undo" or "mitigate" with a sequence${way}; only if there is none, add an approval to the node`;
  return [draftError('undo_given_up', `undo/${node.id}`, ['strategy'], message, hint)];
}
