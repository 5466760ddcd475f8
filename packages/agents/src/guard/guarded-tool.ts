import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import type { Compensation, CompensationFactory } from './compensation.js';
import { inverseCompensation } from './inverse.js';
import type { ShippedRules } from './policies/shipped.js';
import { type GuardPolicy, type ServerPolicy, type ToolRules, toolRulesSchema } from './policy.js';
import type { GuardServer, ListedTool } from './servers/server.js';

/** A tool with the rules that apply to it. */
export interface GuardedTool {
  /** The name by which the client calls it. */
  readonly exposed: string;
  readonly server: string;
  /** Its definition by the server. */
  readonly listed: ListedTool;
  /** Undefined for a tool that is refused. */
  readonly rules: ToolRules | undefined;
  /** The reason for which it is refused. */
  readonly refused?: string | undefined;
  /** The way to take a call back; undefined for reads, and for irreversible tools without a check. */
  readonly compensation?: Compensation | undefined;
  /** The people who may approve its calls; undefined if no approval is needed. */
  readonly approvers?: readonly string[] | undefined;
  /** The id of its node in the workflow of a session. */
  readonly node: string;
}

/** The rules and compensations that come with the guard, or with a program that embeds it. */
export interface GuardCatalogue {
  readonly compensations: ReadonlyMap<string, CompensationFactory>;
  readonly rules: ReadonlyMap<string, ShippedRules>;
}

/** The prefix of the guard's own tools. No tool of a server is exposed under such a name. */
export const GUARD_PREFIX = 'guard_';

/**
 * The tools of all servers under their rules. With several servers, and for names that the guard
 * itself uses, names begin with that of the server and `_`: names of servers have no `_`, so that no
 * two tools have one name.
 *
 * @throws InputError `bad_policy` for rules that contradict each other or the server's tools
 */
export function applyRules(
  servers: readonly GuardServer[],
  policy: GuardPolicy,
  catalogue: GuardCatalogue,
): ReadonlyMap<string, GuardedTool> {
  const tools = new Map<string, GuardedTool>();
  const nodes = new Set<string>(RESERVED_NODES);
  for (const server of servers) {
    const own = policy.servers[server.spec.name];
    const rules = rulesOf(server, own, catalogue);
    for (const listed of server.tools) {
      const isPrefixed = servers.length > 1 || listed.name.startsWith(GUARD_PREFIX);
      const exposed = isPrefixed ? `${server.spec.name}_${listed.name}` : listed.name;
      if (exposed.startsWith(GUARD_PREFIX)) {
        const problem = `the tool ${exposed} of the server ${server.spec.name} has a name of the guard`;
        throw new InputError('bad_policy', problem, 'give the server another name');
      }
      const node = freeNode(exposed, nodes);
      const base = { exposed, server: server.spec.name, listed, node };
      const written = Object.hasOwn(rules, listed.name) ? rules[listed.name] : undefined;
      const known = written ?? trustedRules(listed, own);
      const refused = known === undefined ? 'the policy has no rules for it' : drift(listed, known);
      if (known === undefined || refused !== undefined) {
        tools.set(exposed, { ...base, rules: undefined, refused });
        continue;
      }
      const parts = partsOf(server, listed, known, rules, policy, catalogue);
      tools.set(exposed, { ...base, ...parts, rules: parts.refused ? undefined : known });
    }
  }
  return tools;
}

/** The ids of nodes that a session has besides those of tools. */
const RESERVED_NODES = ['tool', 'judge'];

/** An id for the node of a tool: letters, digits, `-` and `_`. */
function freeNode(exposed: string, nodes: Set<string>): string {
  const plain = exposed.replaceAll(/[^\w-]/g, '_');
  const base = /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
  let node = base;
  for (let number = 2; nodes.has(node); number++) node = `${base}_${number}`;
  nodes.add(node);
  return node;
}

/** The rules for the tools of a server: those that come with the guard, overlaid by those of the policy. */
function rulesOf(
  { spec, identity, tools }: GuardServer,
  policy: ServerPolicy | undefined,
  { rules }: GuardCatalogue,
): Readonly<Record<string, ToolRules>> {
  const wanted = policy?.rules ?? identity;
  const shipped = wanted === false ? undefined : rules.get(wanted);
  if (shipped === undefined && policy?.rules) {
    const problem = `no rules for servers named ${policy.rules} come with the guard`;
    const hint = suggestNames(policy.rules, [...rules.keys()]);
    throw new InputError('bad_policy', problem, hint, { path: `$.servers.${spec.name}.rules` });
  }
  const { command = [], directory = '.' } = spec;
  const drafts = shipped?.({ identity, command, directory }) ?? {};
  const parsed = Object.entries(drafts).map(([tool, draft]) => [
    tool,
    toolRulesSchema.parse(draft),
  ]);
  const names = tools.map(({ name }) => name);
  for (const tool of Object.keys(policy?.tools ?? {})) {
    if (names.includes(tool)) continue;
    const problem = `the server ${spec.name} has no tool ${tool}`;
    const path = `$.servers.${spec.name}.tools.${tool}`;
    throw new InputError('bad_policy', problem, suggestNames(tool, names), { path });
  }
  return { ...Object.fromEntries(parsed), ...policy?.tools };
}

/** The rules of a tool that a policy leaves to what the server says of it. */
function trustedRules(
  { annotations }: ListedTool,
  policy: ServerPolicy | undefined,
): ToolRules | undefined {
  const isRead = policy?.unknown === 'trust-reads' && annotations?.readOnlyHint === true;
  return isRead ? toolRulesSchema.parse({ access: 'read' }) : undefined;
}

/** The digest of what a server says about a tool. */
export function definitionOf({ name, description, inputSchema, outputSchema }: ListedTool): string {
  const parts = { name, description: description ?? null, inputSchema, outputSchema };
  return sha256(canonicalJson(JSON.parse(JSON.stringify(parts))));
}

/** The reason to refuse a tool whose definition has changed since its rules were written. */
function drift(listed: ListedTool, { definition }: ToolRules): string | undefined {
  if (definition === undefined || definition === definitionOf(listed)) return undefined;
  return 'its definition has changed since its rules were written';
}

/** The compensation and the approvers of a tool. */
function partsOf(
  server: GuardServer,
  { name }: ListedTool,
  rules: ToolRules,
  all: Readonly<Record<string, ToolRules>>,
  policy: GuardPolicy,
  catalogue: GuardCatalogue,
): Pick<GuardedTool, 'compensation' | 'approvers' | 'refused'> {
  const { access, approval, inverse, before, check, compensation } = rules;
  const refuse = (problem: string, hint: string) => {
    const path = `$.servers.${server.spec.name}.tools.${name}`;
    return new InputError('bad_policy', `the tool ${name} ${problem}`, hint, { path });
  };
  if (access === 'read') {
    if (inverse === undefined && compensation === undefined) return {};
    throw refuse('only reads and has an undo', 'remove the undo, or let its access be change');
  }
  for (const { tool } of [before, check].flatMap((read) => read ?? [])) {
    if (Object.hasOwn(all, tool) && all[tool]?.access === 'read') continue;
    throw refuse(`is checked by ${tool}, which is no read`, 'give that tool the access read');
  }
  if (inverse !== undefined && !server.tools.some((one) => one.name === inverse.tool)) {
    const names = server.tools.map((one) => one.name);
    throw refuse(
      `has the inverse ${inverse.tool}, which its server lacks`,
      suggestNames(inverse.tool, names),
    );
  }
  if (access === 'change' && inverse === undefined && compensation === undefined) {
    throw refuse('has no undo', 'give an inverse or a compensation, or let it be irreversible');
  }
  if (inverse !== undefined && compensation !== undefined) {
    throw refuse('has an inverse and a compensation', 'give one of them');
  }
  const approvers = approval ? approval.by : policy.approvers;
  const isHeld = approval !== false && (access === 'irreversible' || approval !== undefined);
  if (isHeld && approvers.length === 0) {
    return { refused: 'it is irreversible, and the policy names no one who may approve it' };
  }
  return {
    ...(isHeld && { approvers }),
    compensation:
      compensation === undefined
        ? inverse || check
          ? inverseCompensation(rules, `$.servers.${server.spec.name}.tools.${name}`)
          : undefined
        : makeCompensation(compensation, catalogue, refuse),
  };
}

function makeCompensation(
  use: NonNullable<ToolRules['compensation']>,
  { compensations }: GuardCatalogue,
  refuse: (problem: string, hint: string) => InputError,
): Compensation {
  const { name, settings = {} } = typeof use === 'string' ? { name: use } : use;
  const factory = compensations.get(name);
  if (factory !== undefined) return factory(settings as Json);
  throw refuse(`names the compensation ${name}`, suggestNames(name, [...compensations.keys()]));
}
