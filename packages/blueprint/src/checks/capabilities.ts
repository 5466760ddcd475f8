import { capabilityOf } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { Role } from '../template/template.js';
import { draftError, draftWarning, listNames } from './finding.js';
import { type DraftScope, neededCapabilities } from './scope.js';

/** Roles have the capabilities that their nodes need, and no more. */
export function checkCapabilities(scope: DraftScope): DraftFinding[] {
  const { template } = scope;
  return [
    ...checkRolesOfNodes(scope),
    ...template.roles.flatMap((role, i) => [
      ...checkUnique(scope, role, i),
      ...checkUnused(scope, role, i),
    ]),
  ];
}

function checkRolesOfNodes(scope: DraftScope): DraftFinding[] {
  const { template, roles } = scope;
  return template.nodes.flatMap((node, i) => {
    if (node.work === 'choice') return [];
    const role = node.role === null ? undefined : roles.get(node.role);
    if (role === undefined) {
      const message =
        node.role === null ? `${node.id} has no role` : `there is no role ${node.role}`;
      const hint = `name one of ${listNames([...roles.keys()])}`;
      return [draftError('unknown_role', 'nodes', ['nodes', i, 'role'], message, hint)];
    }
    const path = ['roles', template.roles.indexOf(role), 'capabilities'];
    const missing = neededCapabilities(scope, node).filter(
      (capability) => !role.capabilities.includes(capability),
    );
    const findings = missing.map((capability) =>
      draftError(
        'capability_missing',
        'roles',
        path,
        `${node.id} needs the capability ${capability} for its tool or its undo, and its role ${role.id} lacks it`,
        `add "${capability}" to the capabilities of ${role.id}`,
      ),
    );
    return node.work === 'model' ? [...findings, ...checkModel(scope, node.id, role)] : findings;
  });
}

/** Agents with prompts change nothing: the effects of their calls would be in no node. */
function checkModel({ catalogue, template }: DraftScope, id: string, role: Role): DraftFinding[] {
  const changing = catalogue.tools.filter(
    (tool) => tool.access !== 'read' && role.capabilities.includes(capabilityOf(tool)),
  );
  if (changing.length === 0) return [];
  const names = listNames([...new Set(changing.map(capabilityOf))]);
  const message = `${id} is of work model, and its role ${role.id} may change something (${names})`;
  const hint = `give ${id} a role of its own without ${names}, and let nodes of work tool call what changes`;
  const path = ['roles', template.roles.indexOf(role), 'capabilities'];
  return [draftError('model_may_change', 'roles', path, message, hint)];
}

function checkUnique({ template }: DraftScope, { id }: Role, index: number): DraftFinding[] {
  if (template.roles.findIndex((role) => role.id === id) === index) return [];
  const hint = 'rename one, or make them one role';
  const path = ['roles', index, 'id'];
  return [draftError('duplicate_role', 'roles', path, `the role ${id} exists twice`, hint)];
}

function checkUnused(scope: DraftScope, role: Role, index: number): DraftFinding[] {
  const { template, catalogue } = scope;
  const nodes = template.nodes.filter((node) => node.role === role.id);
  const path = ['roles', index];
  if (nodes.length === 0) {
    const message = `no node has the role ${role.id}`;
    return [draftWarning('unused_role', 'roles', path, message, 'remove it')];
  }
  const needed = new Set(nodes.flatMap((node) => neededCapabilities(scope, node)));
  return role.capabilities.flatMap((capability, i) => {
    if (needed.has(capability)) return [];
    const at = [...path, 'capabilities', i];
    const tools = catalogue.tools.filter((tool) => capabilityOf(tool) === capability);
    if (tools.length === 0) {
      const known = listNames([...new Set(catalogue.tools.map(capabilityOf))]);
      const message = `no tool needs the capability ${capability} of ${role.id}`;
      const hint = `remove it, or name one of ${known}`;
      return [draftWarning('unknown_capability', 'roles', at, message, hint)];
    }
    if (tools.every(({ access }) => access === 'read')) return [];
    const message = `${role.id} may change something with ${capability}, and no node of it does`;
    const hint = `remove "${capability}"`;
    return [draftWarning('unused_capability', 'roles', at, message, hint)];
  });
}
