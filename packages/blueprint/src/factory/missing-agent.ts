import type { DraftFinding } from '../drafting/part.js';
import type { TemplateNode } from '../template/template.js';
import type { AgentSpec } from './agent-spec.js';
import { isPermitted } from './find-candidates.js';
import { mapKeys } from './key-mapping.js';
import type { AgentOffer, AgentRegistry } from './offers.js';

/** The finding that no tool fits a node, with the reason why the named one, or the nearest one, does not. */
export function noAgent(
  node: TemplateNode,
  spec: AgentSpec,
  registries: readonly AgentRegistry[],
): DraftFinding {
  const offers = registries.flatMap((registry) => registry.offers);
  const named = offers.find(({ name }) => name === spec.tool);
  const common = { code: 'no_agent', severity: 'error', part: `node/${node.id}` } as const;
  if (named !== undefined) return { ...common, ...misfit(spec, named, node) };
  const names = offers.filter((offer) => isPermitted(spec, offer)).map(({ name }) => name);
  const wanted = spec.tool === null ? 'names no tool' : `names the tool ${spec.tool}`;
  return {
    ...common,
    path: '$.tool',
    message: `${node.id} ${wanted}, and no tool that its role may call does this: ${spec.does}`,
    hint:
      names.length === 0
        ? `give the role a capability of a tool with the access ${spec.access}, or let the node compute`
        : `name one of ${listed(names)}`,
  };
}

/** The reason why a tool does not fit. */
function misfit(
  spec: AgentSpec,
  offer: AgentOffer,
  { id, operation }: TemplateNode,
): Pick<DraftFinding, 'path' | 'message' | 'hint'> {
  const { name, access, capability } = offer;
  if (capability !== null && !spec.capabilities.includes(capability)) {
    return {
      path: '$.tool',
      message: `the role of ${id} lacks the capability ${capability}, which ${name} needs`,
      hint: `give the node a role with the capability ${capability}, or another tool`,
    };
  }
  if (!isPermitted(spec, offer)) {
    return {
      path: '$.tool',
      message: `the operation ${operation ?? id} is declared to ${spec.access}, and ${name} is a tool of the access ${access}`,
      hint: `name a tool of the access ${spec.access}, or declare the operation as ${access}`,
    };
  }
  const { missing } = mapKeys(spec.input, offer.input);
  if (missing.length > 0) {
    return {
      path: '$.input',
      message: `nothing supplies ${listed(missing)} of the input of ${name}`,
      hint: `give "input" sources for ${listed(missing)}`,
    };
  }
  return {
    path: '$.input',
    message: `the keys of the input of ${id} do not fit those of ${name}`,
    hint: `use its keys: ${listed(Object.keys((offer.input.properties ?? {}) as object))}`,
  };
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
