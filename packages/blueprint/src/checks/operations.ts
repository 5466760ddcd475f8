import type { Tool } from '@alas-jssp/agents';
import type { DraftFinding } from '../drafting/part.js';
import type { Operation } from '../specification/specification.js';
import type { TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import type { DraftScope } from './scope.js';

/** Operations and nodes belong together: every operation is performed, by work that has the access it says. */
export function checkOperations(scope: DraftScope): DraftFinding[] {
  return [...checkPerformed(scope), ...checkNodes(scope), ...checkOutputs(scope)];
}

/** Models and functions say what they return: others read it, and the factory makes agents of it. */
function checkOutputs({ template }: DraftScope): DraftFinding[] {
  return template.nodes.flatMap(({ id, work, details }) => {
    if (work === 'choice' || work === 'tool' || details.output !== undefined) return [];
    const message = `${id} is of work ${work}, and has no schema of its output`;
    const hint = 'add "output" with a JSON Schema of an object, its "properties" and "required"';
    return [draftError('output_missing', `node/${id}`, ['output'], message, hint)];
  });
}

function checkPerformed({ specification, performersOf }: DraftScope): DraftFinding[] {
  return specification.operations.flatMap(({ id, does }) => {
    if (performersOf(id).length > 0) return [];
    const message = `no node performs the operation ${id} (${does})`;
    const hint = `add a node with "operation": "${id}", or give it to the node that does it`;
    return [draftError('operation_not_performed', 'nodes', ['nodes'], message, hint)];
  });
}

function checkNodes(scope: DraftScope): DraftFinding[] {
  const { specification, template } = scope;
  const operations = new Map(specification.operations.map((one) => [one.id, one]));
  return template.nodes.flatMap((node, i) => {
    if (node.operation === null) return checkFree(scope, node, i);
    const operation = operations.get(node.operation);
    if (operation !== undefined) return checkAccess(scope, node, i, operation);
    const message = `${node.id} performs the operation ${node.operation}, which the specification lacks`;
    const hint = `name one of ${listNames([...operations.keys()])}, or null`;
    return [draftError('unknown_operation', 'nodes', ['nodes', i, 'operation'], message, hint)];
  });
}

/** Nodes that perform no operation of the specification change nothing. */
function checkFree(scope: DraftScope, node: TemplateNode, index: number): DraftFinding[] {
  const tool = scope.toolOf(node);
  if (tool === undefined || tool.access === 'read') return [];
  const fitting = scope.specification.operations.filter((one) => hasAccess(scope, node, tool, one));
  const message = `${node.id} changes something with ${tool.name}, and performs no operation of the specification`;
  const names = listNames(fitting.map(({ id }) => id));
  const hint =
    fitting.length === 0
      ? 'remove the node, or call a tool that only reads'
      : `give it the operation that it performs (one of ${names}), or remove it`;
  const path = ['nodes', index, 'operation'];
  return [draftError('effect_without_operation', 'nodes', path, message, hint)];
}

function checkAccess(
  scope: DraftScope,
  node: TemplateNode,
  index: number,
  operation: Operation,
): DraftFinding[] {
  const { access, id } = operation;
  const external = access === 'read' || access === 'change' || access === 'irreversible';
  if (node.work !== 'tool') {
    if (!external) return [];
    const message = `the operation ${id} has the access ${access}, and ${node.id} is of work ${node.work}`;
    const hint = `give ${node.id} the work "tool", and a tool with the access ${access}`;
    return [draftError('wrong_work', 'nodes', ['nodes', index, 'work'], message, hint)];
  }
  const tool = scope.toolOf(node);
  if (tool === undefined) return [];
  if (!hasAccess(scope, node, tool, operation)) return [misfit(scope, node, tool, operation)];
  return checkSystem(scope, node, tool, operation);
}

/** If the specification names a system of the catalogue, the tool belongs to it. */
function checkSystem(
  { catalogue, performersOf, toolOf }: DraftScope,
  node: TemplateNode,
  tool: Tool,
  { id, system }: Operation,
): DraftFinding[] {
  if (system === null || tool.system === undefined || tool.system === system) return [];
  // Several nodes may perform an operation on several systems, of which it names one.
  if (performersOf(id).some((other) => toolOf(other)?.system === system)) return [];
  const known = catalogue.tools.filter((other) => other.system === system);
  const fitting = known.filter(({ access }) => access === tool.access);
  if (fitting.length === 0) return [];
  const message = `the operation ${id} acts on ${system}, and ${node.id} calls ${tool.name} of ${tool.system}`;
  const hint = `name a tool of ${system}: ${listNames(fitting.map(({ name }) => name))}`;
  return [draftError('tool_of_other_system', `node/${node.id}`, ['tool'], message, hint)];
}

/** Whether a tool does what an operation says: no more, and no less. */
function hasAccess(
  scope: DraftScope,
  node: TemplateNode,
  tool: Tool,
  { access }: Operation,
): boolean {
  const isDeclared = scope.undoOf(node.id)?.strategy === 'irreversible';
  switch (access) {
    case 'compute':
    case 'decide':
    case 'read':
      return tool.access === 'read';
    case 'change':
      return tool.access === 'change';
    default:
      return tool.access === 'irreversible' || (tool.access === 'change' && isDeclared);
  }
}

/** The node is at fault if another tool of the system fits, else the operation. */
function misfit(
  scope: DraftScope,
  node: TemplateNode,
  tool: Tool,
  operation: Operation,
): DraftFinding {
  const { id, access, system } = operation;
  const message = `the operation ${id} has the access ${access}, and ${node.id} calls ${tool.name} with the access ${tool.access}`;
  if (access === 'irreversible') {
    const hint = `give the undo of ${node.id} the strategy "irreversible", or the operation the access "change"`;
    return draftError('access_mismatch', `undo/${node.id}`, ['strategy'], message, hint);
  }
  const wanted = access === 'change' ? 'change' : 'read';
  const fitting = scope.catalogue.tools.filter(
    (other) => other.access === wanted && (system === null || (other.system ?? system) === system),
  );
  if (fitting.length === 0 || fitting.some((other) => other.system === undefined)) {
    const index = scope.specification.operations.indexOf(operation);
    const hint = `give ${id} the access "${tool.access}"`;
    const path = ['operations', index, 'access'];
    return draftError('access_mismatch', 'operations', path, message, hint);
  }
  const names = listNames(fitting.map(({ name }) => name));
  const index = scope.specification.operations.indexOf(operation);
  if (wanted === 'read') {
    const hint = `give ${id} the access "${tool.access}", or let ${node.id} call a tool that only reads (${names})`;
    const path = ['operations', index, 'access'];
    return draftError('access_mismatch', 'operations', path, message, hint);
  }
  const hint = `let ${node.id} call a tool with the access ${wanted} (${names}), or give ${id} the access "${tool.access}"`;
  return draftError('access_mismatch', `node/${node.id}`, ['tool'], message, hint);
}
