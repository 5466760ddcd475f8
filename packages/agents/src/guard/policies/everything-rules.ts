import type { ToolRulesDraft } from '../policy.js';

const READS = [
  'echo',
  'get-annotated-message',
  'get-resource-links',
  'get-resource-reference',
  'get-structured-content',
  'get-sum',
  'get-tiny-image',
  'trigger-long-running-operation',
];

/**
 * Rules for `@modelcontextprotocol/server-everything`. `get-env` has none, because it shows the secrets of the server's
 * environment; nor have tools that fetch addresses or ask the client.
 */
export function everythingRules(): Readonly<Record<string, ToolRulesDraft>> {
  const rules: Record<string, ToolRulesDraft> = {};
  for (const name of READS) rules[name] = { access: 'read' };
  // A switch that is its own inverse, and that ends with the session.
  for (const name of ['toggle-simulated-logging', 'toggle-subscriber-updates']) {
    rules[name] = { access: 'change', inverse: { tool: name } };
  }
  return rules;
}
