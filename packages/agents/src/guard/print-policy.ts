import { definitionOf } from './guarded-tool.js';
import { shippedRules } from './policies/shipped.js';
import { GUARD_SCHEMA, type GuardPolicyDraft, type ToolRulesDraft } from './policy.js';
import type { GuardServer, ListedTool, ServerSpec } from './servers/server.js';

/**
 * A first policy for servers: rules for every tool that has none, to be read and corrected by a
 * person. What a server says about its tools is written down as a suggestion, with the digest of the
 * definition for which it was made.
 */
export function firstPolicy(servers: readonly GuardServer[]): GuardPolicyDraft {
  const entries = servers.map((server) => {
    const { spec, identity, tools } = server;
    const isKnown = shippedRules.has(identity);
    const rules = isKnown
      ? {}
      : Object.fromEntries(tools.map((tool) => [tool.name, firstRules(tool)]));
    return [spec.name, { ...addressOf(spec), ...(isKnown && { rules: identity }), tools: rules }];
  });
  return { schema: GUARD_SCHEMA, servers: Object.fromEntries(entries), approvers: ['NAME'] };
}

/** A tool is a read only if its server says so; all others are held for approval until a person knows better. */
function firstRules(tool: ListedTool): ToolRulesDraft {
  const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
  const definition = definitionOf(tool);
  if (readOnlyHint === true) return { access: 'read', definition };
  return {
    access: 'irreversible',
    ...(idempotentHint === true && { idempotent: true }),
    definition,
  };
}

function addressOf({ command, directory, environment = [], http, token }: ServerSpec) {
  if (command === undefined) return { http, ...(token !== undefined && { token }) };
  const passed = environment.length > 0 && { environment: [...environment] };
  return { command: [...command], directory, ...passed };
}
