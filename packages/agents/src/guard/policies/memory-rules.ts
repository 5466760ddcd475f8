import type { ToolRulesDraft } from '../policy.js';

const CHANGES = [
  'create_entities',
  'create_relations',
  'add_observations',
  'delete_entities',
  'delete_observations',
  'delete_relations',
];

/** Rules for `@modelcontextprotocol/server-memory`. Its tools ignore what is there already, so calls can be repeated. */
export function memoryRules(): Readonly<Record<string, ToolRulesDraft>> {
  const rules: Record<string, ToolRulesDraft> = {};
  for (const name of ['read_graph', 'search_nodes', 'open_nodes']) rules[name] = { access: 'read' };
  for (const name of CHANGES) {
    rules[name] = { access: 'change', idempotent: true, compensation: 'memory' };
  }
  return rules;
}
